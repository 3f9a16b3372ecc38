package import Quantities

/// How the radio of a phone makes packets wait: for a connection with the network, for the next
/// moment at which the phone listens, and for the permission to send.
///
///             packet                  no packet for `sleep.after`
///     resting ──────▶ promotion ──▶ awake ───────────────────────▶ asleep
///        ▲                            ▲ packet                       │
///        │                            └──────────────────────────────┤
///        └──────────────────────── no packet for a rest's `after` ───┘
package struct RadioPlan: Hashable, Sendable {
    /// The rests, each deeper than the one before it. The radio begins in the deepest one.
    package var rests: [Rest] = []
    package var sleep: Sleep?
    package var grant: Grant?

    /// A state in which the phone has no connection with the network.
    package struct Rest: Hashable, Sendable {
        /// The time without a packet after which the rest begins.
        package var after: TimeSpan
        /// The time from a packet to the connection that can carry it.
        package var promotion: TimeSpan
        /// The phone listens once in this time, so a packet for it waits first; zero if it always
        /// listens.
        package var paging: TimeSpan

        package init(after: TimeSpan, promotion: TimeSpan, paging: TimeSpan = .zero) {
            self.after = after
            self.promotion = promotion
            self.paging = paging
        }
    }

    /// Discontinuous reception: a phone that is connected, but listens only now and then.
    package struct Sleep: Hashable, Sendable {
        /// The time without a packet after which the phone sleeps.
        package var after: TimeSpan
        package var cycle: TimeSpan
        /// The time at the beginning of each cycle in which the phone listens.
        package var awake: TimeSpan

        package init(after: TimeSpan, cycle: TimeSpan, awake: TimeSpan) {
            self.after = after
            self.cycle = cycle
            self.awake = awake
        }
    }

    /// What the first packet of an empty uplink waits for.
    package struct Grant: Hashable, Sendable {
        /// The phone can ask once in this time.
        package var every: TimeSpan
        /// The time from the question until the phone may send.
        package var takes: TimeSpan

        package init(every: TimeSpan, takes: TimeSpan) {
            self.every = every
            self.takes = takes
        }
    }

    package init() {}
}
