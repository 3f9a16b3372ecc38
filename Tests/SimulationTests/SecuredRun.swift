import Capture
import Content
import Device
import LinkModels
import Quantities
import RunLog
import RunPlan
import Simulation

/// An upload in the virtual world, with TLS of some kind below it, and what its log holds.
struct SecuredRun {
    private(set) var events: [RunEvent] = []
    private(set) var packets: [PacketRecord] = []

    static let fileSize: UInt64 = 100_000

    init(
        _ security: TransportSecurity, uplink: LinkPlan = .plain("uplink"),
        timeline: [TimelineEntry] = [], capturing file: String? = nil
    ) throws {
        let app = PlannedApp(
            files: [
                PlannedFile(
                    path: "a.mov", version: FileVersion(file: 1, edit: 0),
                    size: ByteCount(Self.fileSize))
            ],
            sessions: [PlannedSession(source: "a.mov", destination: "in/a.mov")])
        var plan = RunPlan(
            name: "secured", seed: 7, device: DevicePlan(apps: [app]),
            interfaces: [InterfacePlan(uplink: uplink, downlink: .plain("downlink"))],
            timeline: timeline, limit: .seconds(60))
        plan.tcp = TCPSettings(security: security)
        let tap = try file.map { try PacketTap(client: $0, server: nil) }
        var world = VirtualWorld(plan, tap: tap)
        while world.advance(until: .start + plan.limit) {}
        try world.finishTap()
        world.end()
        var reader = Reader()
        world.drainLog(into: &reader)
        events = reader.events
        packets = reader.packets
    }

    /// When the first request may leave.
    var establishedAt: Instant? {
        events.first {
            if case .connection(.established) = $0.fact { true } else { false }
        }?.at
    }

    var publishedAt: Instant? {
        events.first {
            if case .server(.published) = $0.fact { true } else { false }
        }?.at
    }

    /// What the log says of content that left, for each connection.
    var transmitted: [ByteCount] {
        events.compactMap {
            if case .connection(.ended(_, _, let count)) = $0.fact { count } else { nil }
        }
    }

    private struct Reader: RunLogReader {
        var events: [RunEvent] = []
        var packets: [PacketRecord] = []
        mutating func read(_ event: RunEvent) { events.append(event) }
        mutating func read(packets batch: UnsafeBufferPointer<PacketRecord>) {
            packets += Array(batch)
        }
    }
}
