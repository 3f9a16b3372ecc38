package import Device
package import LinkModels

/// A way of a client into the network: a link each way between it and the servers.
package struct InterfacePlan: Hashable, Sendable {
    package var kind: InterfaceKind
    package var uplink: LinkPlan
    package var downlink: LinkPlan
    /// `nil`: nobody on the way forgets anything by itself.
    package var translator: TranslatorPlan?

    package init(
        _ kind: InterfaceKind = .line, uplink: LinkPlan, downlink: LinkPlan,
        translator: TranslatorPlan? = nil
    ) {
        self.kind = kind
        self.uplink = uplink
        self.downlink = downlink
        self.translator = translator
    }
}
