package import Device
package import TransferEngine

extension DaemonClientStage {
    /// The stage of an app, as far as the transfer daemon distinguishes stages.
    package init(_ state: AppState) {
        switch state {
        case .active, .inactive: self = .inFront
        case .background: self = .behind
        case .suspended: self = .suspended
        case .notRunning: self = .dead
        }
    }
}
