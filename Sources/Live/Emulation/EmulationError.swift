package import TransferHost

/// Why kernel TCP could not be carried over an emulated link.
package enum EmulationError: Error, Hashable, Sendable, CustomStringConvertible {
    case system(SystemError)
    /// The user may not make networks, or the machine cannot.
    case notPossible(String)
    case unknownController(String)
    /// No connection came about.
    case nothingCame
    case interrupted

    package var description: String {
        switch self {
        case .system(let error): error.description
        case .notPossible(let reason):
            "\(reason); kernel TCP is measured between two network namespaces over TUN devices, "
                + "which needs root and /dev/net/tun"
        case .unknownController(let name):
            "this kernel has no congestion control “\(name)”; "
                + "/proc/sys/net/ipv4/tcp_available_congestion_control lists the available ones"
        case .nothingCame: "no connection was made over the emulated link"
        case .interrupted: "the measurement was interrupted"
        }
    }
}
