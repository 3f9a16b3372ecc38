package import LinkModels

/// A way of a client into the network: a link each way between it and the servers.
package struct InterfacePlan: Hashable, Sendable {
    package var kind: Kind
    package var uplink: LinkPlan
    package var downlink: LinkPlan

    /// What a device knows about it; the names are those of the scenario language.
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        /// The only one, of which nothing more is known.
        case line
        case wifi
        case cellular
    }

    package init(_ kind: Kind = .line, uplink: LinkPlan, downlink: LinkPlan) {
        self.kind = kind
        self.uplink = uplink
        self.downlink = downlink
    }
}
