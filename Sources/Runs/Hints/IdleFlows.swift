import Checks
import Quantities
import Reports
import RunPlan
import Scenario

extension RunHints {
    /// Named flows that never sent a byte, or had some left when the run ended, unless an
    /// expectation measures them.
    var idleFlows: [String] {
        guard !isChaos else { return [] }
        let names = scenario.crossTraffic.flows.compactMap(\.name).filter { !isMeasured($0) }
        return names.compactMap { name in
            guard let flow = figures.flows?.first(where: { $0.name == name }), flow.sent > .zero
            else { return "the flow “\(name)” never sent anything: the run had ended before" }
            guard let completed = flow.completed, completed < flow.count else { return nil }
            let whole = flow.count == 1 ? "its bytes" : "the bytes of \(flow.count) flows"
            let part = completed > 0 ? ", only those of \(completed)" : ""
            return "“\(name)” had not sent all of \(whole) when the run ended\(part)"
        }
    }

    private func isMeasured(_ flow: String) -> Bool {
        wishes.contains { wish in
            switch wish {
            case .flow(flow, _, during: _), .flow(_, .getsBeside(_, flow: flow), during: _): true
            default: false
            }
        }
    }
}
