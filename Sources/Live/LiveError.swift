package import TransferHost

/// Why a live run could not be played to its end. A failed check is not an error.
package enum LiveError: Error, Hashable, Sendable {
    case system(SystemError)
    case security(SecurityError)
    /// An app's process wrote a line that is not an event.
    case unreadableEvent(launch: UInt32, reason: String)
    case orders(path: String, reason: String)
    /// A phone's transfer daemon has crashed; phones are counted from 0.
    case daemonBrokeDown(phone: Int, how: String)
    case unreadableWord(phone: Int, reason: String)
    /// The port is in use.
    case portInUse(UInt16, for: Visitors)
    /// A capture was requested but is impossible.
    case noCapture(reason: String)
    case interrupted

    /// Who uses a port.
    package enum Visitors: Hashable, Sendable {
        case clients
        /// Visitors of the status page.
        case status
    }

    package var message: String {
        switch self {
        case .system(let error): error.description
        case .security(let error): error.description
        case .unreadableEvent(let launch, let reason):
            "launch \(launch) of the app wrote a line that is not an event: \(reason)"
        case .orders(let path, let reason): "cannot write a process's orders to \(path): \(reason)"
        case .daemonBrokeDown(let phone, let how):
            "the transfer daemon of phone \(phone + 1) crashed: \(how)"
        case .unreadableWord(let phone, let reason):
            "the transfer daemon of phone \(phone + 1) wrote a line that is not an event: \(reason)"
        case .portInUse(let port, _): "port \(port) is in use"
        case .noCapture(let reason): reason
        case .interrupted: "the run was interrupted"
        }
    }
}
