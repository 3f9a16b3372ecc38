package import DocrootServer

/// How a service stands at some moment.
package struct ServiceStatus: Sendable {
    package var faults: [FaultStatus]
    package var transfers: [TransferStatus]
    /// Clients that are connected.
    package var connectionCount: Int
}

/// As what somebody wants to see it.
package enum StatusFormat: Sendable {
    case page, json

    var mediaType: String {
        switch self {
        case .page: "text/html; charset=utf-8"
        case .json: "application/json"
        }
    }
}
