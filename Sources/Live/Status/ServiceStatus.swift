package import DocrootServer

/// The state of a service at some moment.
package struct ServiceStatus: Sendable {
    package var faults: [FaultStatus]
    package var transfers: [TransferStatus]
    package var connectionCount: Int
    /// Datagrams of the paced transport that were not genuine.
    package var refusedDatagrams: UInt64
}

/// The format of a status.
package enum StatusFormat: Sendable {
    case page, json

    var mediaType: String {
        switch self {
        case .page: "text/html; charset=utf-8"
        case .json: "application/json"
        }
    }
}
