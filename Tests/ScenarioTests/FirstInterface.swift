import LinkModels
import RunPlan
import Scenario

extension Scenario {
    /// The links of a scenario without interfaces, or of the first.
    var uplink: LinkPlan { interfaces[0].uplink }
    var downlink: LinkPlan { interfaces[0].downlink }
}
