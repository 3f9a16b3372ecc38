/// Why a live run could not be played to its end; a check that fell is no such thing.
package enum LiveError: Error, Hashable, Sendable {
    case system(SystemError)
    /// An app's process said something that is no event.
    case unreadableEvent(launch: UInt32, reason: String)
    case orders(path: String, reason: String)
    /// The transfer daemon of a phone, counted from 0, has ended by itself.
    case daemonBrokeDown(phone: Int, how: String)
    case unreadableWord(phone: Int, reason: String)
    /// Somebody else has it.
    case portInUse(UInt16, for: Visitors)
    /// A capture was asked for, and there can be none.
    case noCapture(reason: String)
    case interrupted

    /// Who is to come through a port.
    package enum Visitors: Hashable, Sendable {
        case clients
        /// Of the status page.
        case status
    }

    package var message: String {
        switch self {
        case .system(let error): error.description
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
