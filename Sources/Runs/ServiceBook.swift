import DocrootServer
import Foundation
import Live
import Protocols
import Quantities
import Reports
import RunLog

/// The content of a server's status page: its state, and recent events.
final class ServiceBook {
    private let recording: String?
    private var docroot = ""
    private var address = ""
    /// Recent events, the oldest first.
    private var recent: ArraySlice<ServiceView.Happening> = []

    private static let recentLimit = 50

    init(recording: String?) { self.recording = recording }

    func note(_ event: RunEvent) {
        guard case .server(let fact) = event.fact else { return }
        switch fact {
        case .listening(let host, let port, let folder):
            docroot = folder
            address = "http://\(host):\(port)"
        // Frequent facts would displace all others.
        case .acknowledged, .appendBegan, .appendEnded, .answered, .statusShown, .certificateKept,
            .connected,
            .disconnected, .visited, .visitAnswered, .visitUnanswered:
            break
        case .created, .published, .refused, .discarded, .reading, .readingBroken, .removed,
            .lost, .leftOver, .fault, .faultSwitched, .tokenIssued, .credentialRefused:
            recent.append(.init(at: event.at, sentence: fact.sentence))
            if recent.count > Self.recentLimit { recent.removeFirst() }
        }
    }

    func show(_ status: ServiceStatus, as format: StatusFormat) -> [UInt8] {
        let view = view(of: status)
        switch format {
        case .page: return Array(ServicePage.document(for: view).utf8)
        case .json: return Array(ServicePage.json(for: view).utf8)
        }
    }

    private func view(of status: ServiceStatus) -> ServiceView {
        ServiceView(
            docroot: docroot, address: address, recording: recording,
            connections: status.connectionCount, refusedDatagrams: status.refusedDatagrams,
            faults: status.faults.map { fault in
                let name = PercentCoding.encode(fault.name)
                return ServiceView.Fault(
                    name: fault.name, isOn: fault.isOn, hits: fault.hits,
                    toggle: "/faults/\(name)/\(fault.isOn ? "off" : "on")")
            },
            transfers: status.transfers.map { transfer in
                ServiceView.Transfer(
                    direction: transfer.direction.rawValue, object: transfer.object,
                    frontEnd: "/\(transfer.frontEnd)", done: transfer.done,
                    total: transfer.total, client: transfer.client?.description)
            },
            recent: recent.reversed())
    }
}
