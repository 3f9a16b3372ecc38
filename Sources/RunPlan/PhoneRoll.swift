package import Device

/// A phone of a run, and where its own begins in what is counted through all of them.
package struct PhoneEntry: Hashable, Sendable {
    /// Counted from 0.
    package var number: Int
    package var plan: DevicePlan
    package var interfaces: [InterfacePlan]
    package var firstInterface: Int
    /// What it does with them; `nil`: it has one, which is always there.
    package var network: DeviceNetwork.Settings?
    /// Those installed on it, by their places in the run's roll of apps.
    package var apps: Range<Int>
}

extension RunPlan {
    /// All phones, the first one first.
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
