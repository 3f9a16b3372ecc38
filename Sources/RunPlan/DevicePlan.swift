package import Device

/// A phone of the run.
package struct DevicePlan: Hashable, Sendable {
    /// `nil`: the plan says nothing of the phone, and nothing is ever suspended.
    package var system: OperatingSystem?
    /// Whether the app asks for time in the background (A11's switch).
    package var asksForBackgroundTime: Bool

    package init(system: OperatingSystem? = nil, asksForBackgroundTime: Bool = true) {
        self.system = system
        self.asksForBackgroundTime = asksForBackgroundTime
    }
}
