package import Quantities

/// What goes wrong on purpose: every way in which servers of the field have been seen to fail.
package enum Fault: Hashable, Sendable {
    /// The request is answered by this status, whatever it wants.
    case answer(status: Int, RetryAfter?)
    /// The connection breaks, and what was on its way is lost.
    case reset
    /// The connection ends in order, too early.
    case close
    /// Nothing goes on, for a while or until the rule is switched off.
    case stall(TimeSpan?)
    /// The body of a request is taken at this rate, or an object is sent at it.
    case slow(Bitrate)
    /// What the request has changed stays changed, and its client does not hear of it.
    case loseAnswer
    case repeatAnswer
    case ignore(Ignored)
    /// A range is answered by another one than was asked for, which the answer admits.
    case sendAnotherRange
    /// The right bytes under a `Content-Range` that is not theirs.
    case sendWrongContentRange
    /// The object seems to have changed.
    case sendAnotherTag
    /// The credentials of the request are good no more.
    case expireToken
    case fillDisk
    /// Clients may keep so much and no more, each for itself.
    case quota(ByteCount)
    /// The server's process ends and another begins, which knows what is on the disk.
    case restart(after: TimeSpan, keepsStaging: Bool)
    /// The server's wall clock is wrong by so many seconds.
    case clock(aheadBy: Int64)
    case malformed(Malformation)

    package enum RetryAfter: Hashable, Sendable {
        case seconds(UInt64)
        /// The same as a date of HTTP, by the server's wall clock.
        case date(afterSeconds: UInt64)
    }

    /// What a client may ask for in a field that a server need not understand.
    package enum Ignored: String, Hashable, Sendable, CaseIterable {
        case ranges = "Range"
        case rangeConditions = "If-Range"
        case idempotencyKeys = "Idempotency-Key"
    }

    /// Whether it may be about a request of this method at all.
    package func isAbout(_ method: String) -> Bool {
        // RFC 9110 §9.2.1 and RFC 4918 §9.1: these change nothing.
        self != .loseAnswer || !["GET", "HEAD", "OPTIONS", "PROPFIND"].contains(method)
    }

    /// Where it may take effect; first where it does if nobody says otherwise.
    package var places: [FaultPoint.Kind] {
        switch self {
        case .answer: [.request, .received, .answer]
        case .reset, .close: [.request, .received, .answer, .sent]
        case .stall: [.answer, .received, .sent]
        case .slow: [.received, .sent]
        case .loseAnswer, .repeatAnswer, .sendWrongContentRange, .sendAnotherTag, .malformed:
            [.answer]
        case .ignore, .sendAnotherRange, .quota: [.request]
        case .expireToken: [.request, .received]
        case .fillDisk: [.received]
        case .restart: [.switching, .request, .received, .answer, .sent]
        case .clock: [.switching]
        }
    }
}

/// How far a request has come when a fault takes effect on it.
package enum FaultPoint: Hashable, Sendable {
    /// No request is meant: it is the rule's being switched on.
    case switching
    /// Before anybody has looked at the request.
    case request
    /// So much of the request's body was taken.
    case received(ByteCount)
    /// All is done, and nothing was said of it.
    case answer
    /// So much of the object that was asked for has left.
    case sent(ByteCount)

    package enum Kind: Hashable, Sendable { case switching, request, received, answer, sent }

    package var kind: Kind {
        switch self {
        case .switching: .switching
        case .request: .request
        case .received: .received
        case .answer: .answer
        case .sent: .sent
        }
    }

    package init(_ kind: Kind, after count: ByteCount = .zero) {
        self =
            switch kind {
            case .switching: .switching
            case .request: .request
            case .received: .received(count)
            case .answer: .answer
            case .sent: .sent(count)
            }
    }
}
