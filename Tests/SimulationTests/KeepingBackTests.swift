import Content
import LinkModels
import Quantities
import RunLog
import RunPlan
import Testing

@testable import Simulation

@Suite struct KeepingBackTests {
    @Test(arguments: TransportSecurity.allCases, [0.0, 2])
    func `what is kept back changes no packet, and a host reads the same bytes`(
        security: TransportSecurity, loss: Double
    ) {
        let reading = Reader(security, losing: loss)
        let keeping = Reader(security, losing: loss, keepingBack: 300_000)
        #expect(reading.packets.count > 1_500)
        #expect(keeping.packets == reading.packets)
        #expect(keeping.content == [.content(.file(1, Reader.size))])
        #expect(reading.content == keeping.content)
    }

    @Test(arguments: TransportSecurity.allCases)
    func `a host hears only of what goes beyond`(security: TransportSecurity) {
        let reading = Reader(security, losing: 0)
        let keeping = Reader(security, losing: 0, keepingBack: 300_000)
        #expect(reading.pieces.count > 50)
        // The first is read before it is said that more may be kept back; of a million bytes three
        // times three hundred thousand are, and the last of them are read at the end.
        #expect(keeping.pieces.count == 4)
        #expect(keeping.pieces.dropFirst().allSatisfy { $0 > 300_000 })
    }

    @Test(arguments: TransportSecurity.allCases)
    func `what was kept back can be had before, with the time of the latest`(
        security: TransportSecurity
    ) throws {
        var keeping = Reader(
            security, losing: 0, keepingBack: 10_000_000, until: .milliseconds(500))
        let last = try #require(keeping.arrivals.last)
        #expect(keeping.pieces.count == 1)
        let (count, latest) = keeping.takeKeptBack()
        #expect(count > 100_000)
        // With TLS it came when its record was whole.
        #expect(keeping.arrivals.contains(latest))
        #expect(security == .none ? latest == last : latest <= last)
        #expect(keeping.takeKeptBack().count == 0)
    }
}

/// A megabyte from a client to a server that reads as soon as it hears of something.
private struct Reader: ~Copyable {
    static let size: UInt64 = 1_000_000

    private(set) var content: [Segment] = []
    private(set) var pieces: [UInt64] = []
    private(set) var packets: [PacketRecord] = []
    private var network: SecuredNetwork
    private let server: StreamHandle

    init(
        _ security: TransportSecurity, losing loss: Double, keepingBack allowance: UInt64 = 0,
        until limit: TimeSpan = .seconds(60)
    ) {
        network = SecuredNetwork(
            VirtualNetwork(
                uplink: .plain("uplink", losing: loss), downlink: .plain("downlink"), seed: 3),
            security)
        network.transport.listen(.server, port: 80)
        let client = network.connect(to: 80, as: ConnectionName(launch: 1, number: 1))
        server = client.otherEnd
        while network.transport.advance(until: .start + limit) {
            while let event = network.takeEvent() {
                switch event {
                case .connected(client):
                    network.send(client, [.content(.file(1, Self.size))])
                    network.finish(client)
                case .readable(server): read(keepingBack: allowance)
                case .peerFinished(server):
                    _ = takeKeptBack()
                    network.finish(server)
                default: break
                }
            }
        }
        var log = Log()
        network.transport.drainLog(into: &log)
        packets = log.packets
    }

    private mutating func read(keepingBack allowance: UInt64) {
        var segments: [Segment] = []
        network.read(server, into: &segments)
        pieces.append(segments.length.bytes)
        for segment in segments { content.join(segment) }
        if allowance > 0 { network.keepBack(server, upTo: ByteCount(allowance)) }
    }

    mutating func takeKeptBack() -> (count: UInt64, latest: Instant) {
        var segments: [Segment] = []
        let latest = network.takeKeptBack(server, into: &segments)
        for segment in segments { content.join(segment) }
        return (segments.length.bytes, latest)
    }

    /// When content came to the server.
    var arrivals: [Instant] {
        packets.filter { $0.kind == .delivered && $0.link == 0 && $0.payload > 0 }
            .map { Instant(nanoseconds: $0.atNanoseconds) }
    }

    private struct Log: RunLogReader {
        var packets: [PacketRecord] = []
        mutating func read(_ event: RunEvent) {}
        mutating func read(packets batch: UnsafeBufferPointer<PacketRecord>) { packets += batch }
    }
}
