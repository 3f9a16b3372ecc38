import Capture
import Content
import LinkModels
import Quantities
import RunLog
import RunPlan
import Simulation
import Testing

/// tshark finds in a capture what a full receive buffer does, and a sender that asks about it.
@Suite(.enabled(if: Tshark.isInstalled, "tshark is not installed; ./lab test installs it"))
struct ZeroWindowCaptureTests {
    /// Words of tshark's own, of its fields `tcp.analysis.…`. A question without content, as Linux
    /// asks it, is a sign of life to tshark; what it calls a probe has a byte of content.
    enum Finding: String, CaseIterable {
        case windowFull = "window_full", zeroWindow = "zero_window", windowUpdate = "window_update"
        case question = "keep_alive", answer = "keep_alive_ack", probe = "zero_window_probe"
        case probeAnswer = "zero_window_probe_ack"
    }

    private static let reading = Instant(nanoseconds: 1_500_000_000)

    @Test(arguments: TappedHosts.Place.allCases)
    func `its closed windows, questions and openings are the log's, frame by frame`(
        place: TappedHosts.Place
    ) throws {
        let run = try Self.slowReader()
        let rows = try Tshark.rows(
            of: run.file(at: place),
            fields: Finding.allCases.map { "tcp.analysis.\($0.rawValue)" } + ["frame.number"])
        let records = run.records(at: place)
        try #require(rows.count == records.count)
        let told = Self.findings(records)
        for (index, row) in rows.enumerated() {
            let seen = zip(Finding.allCases, row).filter { !$0.1.isEmpty }.map(\.0)
            #expect(seen == told[index], "frame \(index + 1)")
        }
        let counts = Finding.allCases.map { finding in told.count { $0.contains(finding) } }
        #expect(counts == [1, 3, 1, 2, 0, 0, 0])
        for frame in try Tshark(reading: run.file(at: place)).frames { #expect(frame.isSound) }
    }

    /// A buffer of 16 KiB, and a host that does not read for 1.5 s.
    private static func slowReader() throws -> TappedHosts {
        try TappedHosts(
            .plain("uplink"), .plain("downlink"), sending: [.content(.file(1, 20_000))],
            tcp: TCPSettings(controller: .newReno, receiveWindow: ByteCount(16 << 10)),
            readsAtOnce: false
        ) { hosts in
            hosts.network.setTimer(slot: 0, at: reading)
            hosts.play(until: reading)
            let server = try #require(hosts.server)
            hosts.readsAtOnce = true
            hosts.read(server)
        }
    }

    /// What the log knows: up to where the server's stack took content before its host read, who
    /// spoke after that, and when the host read.
    private static func findings(_ records: [PacketRecord]) -> [[Finding]] {
        let closed = records.last { $0.link == 1 && isBefore($0) }?.acknowledgement
        return records.map { record in
            if record.link == 0 {
                if record.payload > 0 {
                    return record.sequence &+ UInt32(record.payload) == closed ? [.windowFull] : []
                }
                return record.sequence &+ 1 == closed ? [.question] : []
            }
            guard record.acknowledgement == closed else { return [] }
            return isBefore(record) ? [.zeroWindow] : [.windowUpdate]
        }
    }

    private static func isBefore(_ record: PacketRecord) -> Bool {
        record.atNanoseconds < reading.nanoseconds
    }
}
