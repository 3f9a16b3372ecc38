import LinkModels
import Quantities
import RunLog
import RunPlan

extension TCPSettings {
    /// Returns the bulk flows that formulas describe, over an interface's uplink and downlink.
    func bulkFlows(over interface: InterfacePlan) -> [BulkFlow?] {
        let (up, down) = (interface.uplink, interface.downlink)
        guard interface.radio == nil, up.isPlain, down.isPlain else { return [nil, nil] }
        let roundTrip = up.delay + down.delay
        return [(up, NetworkHost.client), (down, .server)].map { link, sender in
            guard link.meanLoss > .never, roundTrip > .zero,
                let controller = controller(of: sender).kernelName
            else { return nil }
            return BulkFlow(controller, roundTrip: roundTrip)
        }
    }
}

extension LinkPlan {
    /// Whether rate and delay are constant, and nothing happens to packets but independent losses.
    fileprivate var isPlain: Bool {
        bottleneck.schedule == nil && delays == nil
            && slots == nil
            && (filters + lossesOnWay).allSatisfy {
                if case .independentLoss = $0 { true } else { false }
            }
    }
}

extension TCPSettings.Controller {
    /// The kernel's name, if a formula describes the controller.
    fileprivate var kernelName: BulkFlow.Controller? {
        switch self {
        case .newReno: .reno
        case .cubic: .cubic
        case .bbr: .bbr
        case .bbr3, .ledbat, .dctcp, .prague: nil
        }
    }
}
