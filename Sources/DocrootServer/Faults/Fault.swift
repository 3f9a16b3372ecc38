package import Quantities

/// A deliberate failure: every way in which real servers have been seen to fail.
package enum Fault: Hashable, Sendable {
    /// The request is answered with this status, whatever it wants.
    case answer(status: Int, RetryAfter?)
    /// The connection breaks, and bytes in flight are lost.
    case reset
    /// The connection ends in order, but too early.
    case close
    /// Nothing happens, for a while or until the rule is switched off.
    case stall(TimeSpan?)
    /// A body is received, or an object sent, at this rate.
    case slow(Bitrate)
    /// The request takes effect, but its client does not hear of it.
    case loseAnswer
    case repeatAnswer
    /// Objects are sent in chunks, without their length (RFC 9112 §7.1).
    case sendInChunks
    case ignore(Ignored)
    /// A range is answered with another one, which the answer admits.
    case sendAnotherRange(RangeShift)
    /// The right bytes come with a wrong `Content-Range`.
    case sendWrongContentRange
    /// The object seems to have changed.
    case sendAnotherTag
    /// The answer's head has this field, in place of any of that name; `nil`: none.
    case sendField(String, String?)
    /// An upload whose connection breaks in an append stays locked, as if its writer were still
    /// there (tus).
    case keepLock(TimeSpan)
    /// The credentials of the request are no longer valid.
    case expireToken
    case fillDisk
    /// Each client may store this much and no more.
    case quota(ByteCount)
    /// The server's process ends, and another begins with what is on the disk.
    case restart(after: TimeSpan, keepsStaging: Bool)
    /// The server's machine has no power for a while. What was not durable is left to chance. With
    /// a count the power fails once the disk has done so many more steps.
    case losePower(inSteps: UInt64?, for: TimeSpan)
    /// The server's wall clock is wrong by this many seconds.
    case clock(aheadBy: Int64)
    case malformed(Malformation)

    package enum RetryAfter: Hashable, Sendable {
        case seconds(UInt64)
        /// A date of HTTP, by the server's wall clock.
        case date(afterSeconds: UInt64)
    }

    /// The distance of a range that is sent to the range that was asked for.
    package enum RangeShift: Hashable, Sendable {
        /// The range begins at byte 0 if that is nearer; a range from byte 0 on moves the other
        /// way.
        case earlier(ByteCount)
        case later(ByteCount)

        package static let least = RangeShift.earlier(ByteCount(1))
    }

    /// A field that a server need not understand.
    package enum Ignored: String, Hashable, Sendable, CaseIterable {
        case ranges = "Range"
        case rangeConditions = "If-Range"
        case idempotencyKeys = "Idempotency-Key"
    }

    /// Whether the fault can affect a request with this method.
    package func isAbout(_ method: String) -> Bool {
        // These methods change nothing (RFC 9110 §9.2.1, RFC 4918 §9.1).
        self != .loseAnswer || !["GET", "HEAD", "OPTIONS", "PROPFIND"].contains(method)
    }

    /// Whether only a simulated server can fail so.
    package var losesPower: Bool {
        if case .losePower = self { true } else { false }
    }

    /// The places where the fault can take effect, the default first.
    package var places: [FaultPoint.Kind] {
        switch self {
        case .answer: [.request, .received, .answer]
        case .reset, .close: [.request, .received, .answer, .sent]
        case .stall: [.answer, .received, .sent]
        case .slow: [.received, .sent]
        case .loseAnswer, .repeatAnswer, .sendInChunks, .sendWrongContentRange, .sendAnotherTag,
            .sendField, .malformed:
            [.answer]
        case .ignore, .sendAnotherRange, .keepLock, .quota: [.request]
        case .expireToken: [.request, .received]
        case .fillDisk: [.received]
        case .restart, .losePower: [.switching, .request, .received, .answer, .sent]
        case .clock: [.switching]
        }
    }
}

/// The progress of a request at which a fault takes effect.
package struct FaultPoint: Hashable, Sendable {
    package let kind: Kind
    /// How much of the body or object has passed by then.
    package let count: ByteCount

    package enum Kind: Hashable, Sendable {
        /// When the rule is switched on, without any request.
        case switching
        /// Before the request is read.
        case request
        /// After some of the request's body.
        case received
        /// When the request is done, but not answered.
        case answer
        /// After some of the requested object.
        case sent
    }

    /// Makes a point; only `received` and `sent` have a count.
    package init(_ kind: Kind, after count: ByteCount = .zero) {
        self.kind = kind
        self.count = kind == .received || kind == .sent ? count : .zero
    }

    package static let switching = FaultPoint(.switching)
    package static let request = FaultPoint(.request)
    package static let answer = FaultPoint(.answer)
    package static func received(_ count: ByteCount) -> Self { Self(.received, after: count) }
    package static func sent(_ count: ByteCount) -> Self { Self(.sent, after: count) }
}
