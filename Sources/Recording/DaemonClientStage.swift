package import Device
package import TransferEngine

extension DaemonClientStage {
    /// What a phone's model says of an app, as far as its transfer daemon cares.
    package init(_ state: AppState) {
        switch state {
        case .active, .inactive: self = .inFront
        case .background: self = .behind
        case .suspended: self = .suspended
        case .notRunning: self = .dead
        }
    }
}
