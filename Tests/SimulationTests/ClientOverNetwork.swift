import Content
import DocrootServer
import LinkModels
import Protocols
import Quantities
import RunLog
import RunPlan

@testable import Simulation

/// A client that says what a test tells it to, over the virtual network, to a server with a whole
/// docroot on the other side: one connection for each request.
final class ClientOverNetwork {
    private var network: SecuredNetwork
    private var server: VirtualServer
    private var unsent: [Segment] = []
    private var reader = HTTPMessageReader<HTTPResponseHead>()
    private var parts: [HTTPMessageReader<HTTPResponseHead>.Part] = []
    private var lastConnection: UInt32 = 0

    struct Reply {
        var head: HTTPResponseHead
        var body: [Segment]

        var status: Int { head.status }
        var text: String {
            var bytes: [UInt8] = []
            for case .bytes(let some) in body { bytes += some }
            return String(decoding: bytes, as: UTF8.self)
        }
        var ranges: [ContentRange] {
            var ranges: [ContentRange] = []
            for case .content(let range) in body { ranges.join(range) }
            return ranges
        }
    }

    init(uplink: LinkPlan = .plain("uplink"), downlink: LinkPlan = .plain("downlink")) {
        network = SecuredNetwork(
            VirtualNetwork(
                uplink: uplink, downlink: downlink, tcp: TCPSettings(),
                crossTraffic: CrossTraffic(), seed: 7, ties: nil),
            .none)
        server = VirtualServer(ServerSettings(), port: 80, visits: [], seed: 1)
        network.transport.listen(.server, port: 80)
    }

    var now: Instant { network.now }

    /// The answer to a request, once all of it has come; `nil` if none ever does.
    func ask(
        _ method: String, _ target: String, _ fields: [(String, String)] = [],
        body: [Segment] = []
    ) throws -> Reply? {
        let length =
            body.isEmpty ? [] : [("Content-Length", "\(body.length.bytes)")]
        let host = [("Host", "docroot")]
        let head = HTTPRequestHead(method, target, fields: HTTPFields(host + fields + length))
        lastConnection += 1
        reader = HTTPMessageReader()
        parts = []
        unsent = [.bytes(head.bytes)] + body
        let own = network.connect(
            to: 80, over: 0, as: ConnectionName(launch: 1, number: lastConnection))
        var reply: Reply?
        while reply == nil, network.transport.advance(until: .start + .seconds(600)) {
            while let event = network.takeEvent() { try react(to: event, own, isHead: method) }
            reply = finished
        }
        network.finish(own)
        return reply
    }

    private var finished: Reply? {
        guard parts.last == .end else { return nil }
        var reply: Reply?
        for part in parts {
            switch part {
            case .head(let head): reply = Reply(head: head, body: [])
            case .body(let segment): reply?.body.append(segment)
            case .end: break
            }
        }
        return reply.flatMap { $0.status < 200 ? nil : $0 }
    }

    private func react(
        to event: NetworkEvent, _ own: StreamHandle, isHead method: String
    ) throws {
        switch event {
        case .timer: server.wake(on: &network)
        case .accepted(let handle, _, _): server.accepted(handle, on: &network)
        case .connected(let handle): say(on: handle)
        case .readable(let handle) where handle == own:
            var segments: [Segment] = []
            network.read(handle, into: &segments)
            parts += try reader.read(segments) { method == "HEAD" || $0.status == 204 }
        case .roomAvailable(let handle) where handle == own: say(on: handle)
        case .readable(let handle) where !handle.isOpener: server.readable(handle, of: &network)
        case .roomAvailable(let handle): server.roomAvailable(on: handle, of: &network)
        case .peerFinished(let handle):
            if !handle.isOpener { server.disconnected(handle, of: &network) }
        case .ended(let handle, _):
            if !handle.isOpener { server.disconnected(handle, of: &network) }
            network.release(handle)
        case .readable: break  // what comes late to an earlier connection
        }
    }

    /// As much as the stack takes.
    private func say(on handle: StreamHandle) {
        while let first = unsent.first, network.room(handle) > .zero {
            let (now, later) = first.split(at: min(first.length, network.room(handle)))
            network.send(handle, [now])
            unsent[0] = later
            if later.length == .zero { unsent.removeFirst() }
        }
    }
}
