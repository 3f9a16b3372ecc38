package import Quantities

/// What a radio makes a packet of one link wait for.
package struct RadioWaits: Hashable, Sendable, Codable {
    /// The link of the other direction, which keeps the same radio awake.
    package var partner: UInt16
    /// Whether the phone sends on this link, and not receives.
    package var isUplink: Bool
    /// The rests, each deeper than the one before it.
    package var rests: [Rest]
    /// Set only if the phone listens only now and then while it is connected.
    package var sleep: Sleep?
    /// Set only if the phone has to ask before it sends.
    package var grant: Grant?

    package struct Rest: Hashable, Sendable, Codable {
        /// The time without a packet after which the rest begins.
        package var after: TimeSpan
        /// The time until the radio is ready.
        package var promotion: TimeSpan
        /// The period of the moments at which the phone hears that there is something for it.
        package var paging: TimeSpan

        package init(after: TimeSpan, promotion: TimeSpan, paging: TimeSpan) {
            self.after = after
            self.promotion = promotion
            self.paging = paging
        }
    }

    package struct Sleep: Hashable, Sendable, Codable {
        package var after: TimeSpan
        package var cycle: TimeSpan
        package var awake: TimeSpan

        package init(after: TimeSpan, cycle: TimeSpan, awake: TimeSpan) {
            self.after = after
            self.cycle = cycle
            self.awake = awake
        }
    }

    package struct Grant: Hashable, Sendable, Codable {
        package var every: TimeSpan
        package var takes: TimeSpan

        package init(every: TimeSpan, takes: TimeSpan) {
            self.every = every
            self.takes = takes
        }
    }

    package init(
        partner: UInt16, isUplink: Bool, rests: [Rest], sleep: Sleep?, grant: Grant?
    ) {
        self.partner = partner
        self.isUplink = isUplink
        self.rests = rests
        self.sleep = sleep
        self.grant = grant
    }
}

/// Changes of the cell at which everything that waits is lost: at the end of each period nothing
/// is sent for a gap.
package struct CellTerms: Hashable, Sendable, Codable {
    package var every: TimeSpan
    package var gap: TimeSpan

    package init(every: TimeSpan, gap: TimeSpan) {
        self.every = every
        self.gap = gap
    }
}
