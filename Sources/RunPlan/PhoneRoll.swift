package import Device

/// A phone of a run, with its place among all interfaces and apps of the run.
package struct PhoneEntry: Hashable, Sendable {
    /// Counted from 0.
    package var number: Int
    package var plan: DevicePlan
    package var interfaces: [InterfacePlan]
    /// The number of its first interface among those of all phones.
    package var firstInterface: Int
    /// How the phone uses its interfaces; `nil`: it has one, which is always up.
    package var network: DeviceNetwork.Settings?
    /// The places of its apps in the run's roll of apps.
    package var apps: Range<Int>
}

extension RunPlan {
    package var phones: [PhoneEntry] {
        let others = otherDevices.map { other in
            (other.plan, other.interfaces, other.network)
        }
        let all = [(device, interfaces, network)] + others
        var (firstInterface, firstApp) = (0, 0)
        return all.enumerated().map { number, phone in
            let (plan, interfaces, network) = phone
            defer {
                firstInterface += interfaces.count
                firstApp += plan.apps.count
            }
            return PhoneEntry(
                number: number, plan: plan, interfaces: interfaces, firstInterface: firstInterface,
                network: network, apps: firstApp..<(firstApp + plan.apps.count))
        }
    }
}
