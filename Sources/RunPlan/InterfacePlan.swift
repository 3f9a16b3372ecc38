package import Device
package import LinkModels

/// A client's interface: a link each way between the client and the servers.
package struct InterfacePlan: Hashable, Sendable {
    package var kind: InterfaceKind
    package var uplink: LinkPlan
    package var downlink: LinkPlan
    /// `nil`: no translator on the way forgets connections.
    package var translator: TranslatorPlan?
    /// `nil`: a radio that never rests, or none.
    package var radio: RadioPlan?

    package init(
        _ kind: InterfaceKind = .line, uplink: LinkPlan, downlink: LinkPlan,
        translator: TranslatorPlan? = nil, radio: RadioPlan? = nil
    ) {
        self.kind = kind
        self.uplink = uplink
        self.downlink = downlink
        self.translator = translator
        self.radio = radio
    }

    /// The power of the interface's radio, with the times of its plan; `nil` if it has none.
    package var power: RadioPower? {
        let rest = radio?.rests.last
        return RadioPower(kind)?
            .taking(promotion: rest?.promotion, pause: radio?.sleep?.after, tail: rest?.after)
    }
}
