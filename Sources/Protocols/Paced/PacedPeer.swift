package import Quantities

/// The address to which a server's end of a session sends: that of its client, which may change.
///
/// Another address has to answer a challenge first: a probe that nobody else gets, and whose report
/// has to come from there. Who repeats datagrams of others from elsewhere gets no more than that.
///
///              the newest datagram, from elsewhere            its report, from there
///     settled ─────────────────────────────────────▶ asked ──────────────────────────▶ settled
///        ▲                                             │
///        └──── the newest datagram, from where it was ─┘
package struct PacedPeer<Address: Hashable & Sendable>: Sendable {
    package private(set) var address: Address
    private var asked: (address: Address, at: Instant)?

    package enum Step: Hashable, Sendable {
        case stay
        case challenge(Address)
        /// All packets go to another address from now on.
        case move
    }

    /// A challenge may be lost, so the next datagram after so long brings another.
    private static var pause: TimeSpan { .milliseconds(200) }

    package init(at address: Address) { self.address = address }

    /// Notes where a genuine datagram has come from; whether it is the newest so far, and whether a
    /// challenge has been answered since the last.
    package mutating func came(
        from sender: Address, isNewest: Bool, hasAnswered: Bool, at now: Instant
    ) -> Step {
        if let asked, asked.address == sender, hasAnswered {
            address = sender
            self.asked = nil
            return .move
        }
        guard isNewest else { return .stay }
        guard sender != address else {
            asked = nil
            return .stay
        }
        if let asked, asked.address == sender, now < asked.at + Self.pause { return .stay }
        asked = (sender, now)
        return .challenge(sender)
    }
}

/// A probe that went to another address alone.
struct PacedChallenge: Sendable {
    let number: UInt64
    let sentAt: Instant

    /// Whether a report tells of it as of the latest that has come. A packet tells its time in
    /// microseconds.
    func isAnswered(by report: PacedReport) -> Bool {
        guard report.end == number + 1 else { return false }
        return (report.echo - sentAt).nanoseconds.magnitude < 2_000
    }
}
