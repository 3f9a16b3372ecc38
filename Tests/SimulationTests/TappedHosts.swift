import Capture
import Content
import Foundation
import LinkModels
import RunLog
import RunPlan
import Simulation

/// Two hosts whose packets were written into capture files at both ends, and what the files hold;
/// they go with this.
final class TappedHosts {
    let hosts: TwoHosts
    private let folder: URL

    /// The end at which a capture was taken.
    enum Place: String, CaseIterable { case client, server }

    init(
        _ uplink: LinkPlan, _ downlink: LinkPlan, sending content: [Segment],
        answering answer: [Segment] = [], tcp: TCPSettings? = nil, marksCongestion: Bool = false,
        crossTraffic: CrossTraffic = CrossTraffic(), readsAtOnce: Bool = true, seed: UInt64 = 7,
        snapLength: Int? = nil, continuing more: (TwoHosts) throws -> Void = { _ in }
    ) throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "tap \(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        let files = Place.allCases.map { [folder] in $0.file(in: folder) }
        let tap = try PacketTap(client: files[0], server: files[1], snapLength: snapLength)
        hosts = TwoHosts(
            uplink, downlink, tcp: tcp, marksCongestion: marksCongestion,
            crossTraffic: crossTraffic, seed: seed, tap: tap)
        hosts.answer = answer
        hosts.readsAtOnce = readsAtOnce
        hosts.open(sending: content)
        try more(hosts)
        hosts.play()
        hosts.network.closeBooks()
        hosts.collectLog()
        try hosts.network.finishTap()
    }

    /// A client with several interfaces.
    init(
        _ interfaces: [InterfacePlan], sending content: [Segment], over interface: Int,
        continuing more: (TwoHosts) throws -> Void = { _ in }
    ) throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "tap \(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        let files = Place.allCases.map { [folder] in $0.file(in: folder) }
        let tap = try PacketTap(client: files[0], server: files[1])
        hosts = TwoHosts(interfaces, tap: tap)
        hosts.open(over: interface, sending: content)
        try more(hosts)
        hosts.play()
        hosts.network.closeBooks()
        hosts.collectLog()
        try hosts.network.finishTap()
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    func file(at place: Place) -> String { place.file(in: folder) }

    func frames(at place: Place) throws -> [CapturedFrame] {
        let reader = try CaptureReader(path: file(at: place))
        var frames: [CapturedFrame] = []
        while let frame = try reader.next() { frames.append(frame) }
        return frames
    }

    /// What the log tells of the packets that this end sends and receives, in order: one record for
    /// each frame.
    func records(at place: Place) -> [PacketRecord] {
        hosts.packets.filter { place.isFrame($0) }
    }
}

extension TappedHosts.Place {
    /// Whether a capture here has a frame for the record: a packet that left here, or came here.
    func isFrame(_ record: PacketRecord) -> Bool {
        let own: UInt16 = self == .client ? 0 : 1
        return record.kind == (record.link == own ? .sent : .delivered)
    }

    fileprivate func file(in folder: URL) -> String {
        folder.appending(path: "\(rawValue).pcap").path
    }
}
