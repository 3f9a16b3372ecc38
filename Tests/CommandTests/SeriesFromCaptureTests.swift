import Foundation
import Testing

/// The curves of `run.json` are those that somebody else finds in the captures of the same run.
@Suite struct SeriesFromCaptureTests {
    /// Losses, and a queue that is full now and then.
    static let scenario = Desk.green
        .replacing("delay: 20 ms, loss: 1 %", with: "delay: 30 ms, queue: 40 kB, loss: 0.3 %")
        .replacing("80 kB", with: "4 MB")

    /// An upload by each front of the client, over links and controllers that differ.
    enum Way: String, CaseIterable {
        case queue, operations, resumable, background, slow

        var scenario: String {
            switch self {
            case .queue: SeriesFromCaptureTests.scenario
            case .operations:
                by("operations", "operation", "")
                    .replacing("10 Mbit/s, delay: 30 ms", with: "4 Mbit/s, delay: 10 ms")
                    .replacing("0.3 %", with: "0.6 %")
            case .resumable:
                by("resumable", "transfer", ", bucket: films")
                    .replacing("loss: 0.3 %", with: "loss: 1 %")
                    .replacing("files:", with: "tcp: { controller: bbr }\nfiles:")
            case .background:
                by("background", "task", "")
                    .replacing("files:", with: "tcp: { controller: newreno }\nfiles:")
                    .replacing("links:", with: "device: { os: ios-17 }\nlinks:")
            case .slow:
                SeriesFromCaptureTests.scenario
                    .replacing("10 Mbit/s, delay: 30 ms", with: "2 Mbit/s, delay: 90 ms")
                    .replacing("0.3 %", with: "0.7 %")
            }
        }

        private func by(_ key: String, _ item: String, _ more: String) -> String {
            SeriesFromCaptureTests.scenario.replacing(
                "queue:\n  - upload: note.txt\n    to: incoming/note.txt",
                with: "\(key):\n  - { upload: note.txt, to: note.txt\(more) }"
            ).replacing("session 1 completes", with: "\(item) 1 completes")
        }
    }

    @Test(arguments: Way.allCases) func `drops, queues and throughput of a link`(way: Way) throws {
        let run = try PlayedRun(way.scenario)
        let link = try #require(run.series.links.first { $0.link == 0 })
        let sent = run.client.filter(\.isUp)
        var arrived = run.server.filter(\.isUp)[...]
        var drops = [Int](repeating: 0, count: link.dropped.count)
        var delays = [Int?](repeating: nil, count: drops.count)
        /// What happens to the number of bytes on the link, by time.
        var changes: [Int: Int] = [:]
        var shortest = Int.max
        for packet in sent {
            // The link keeps the order of its packets.
            guard let next = arrived.first, next.bytes == packet.bytes else {
                drops[packet.at / link.step] += 1
                continue
            }
            arrived.removeFirst()
            changes[packet.at, default: 0] += packet.bytes.count
            changes[next.at, default: 0] -= packet.bytes.count
            shortest = min(shortest, next.at - packet.at)
            let step = next.at / link.step
            delays[step] = max(delays[step] ?? 0, next.at - packet.at - shortest)
        }
        #expect(arrived.isEmpty)
        try #require(drops.reduce(0, +) > 10)
        #expect(link.dropped == drops)
        #expect(link.queueingDelay == delays)
        #expect(link.onLink == Self.levels(changes, step: link.step, count: drops.count))

        let throughput = try #require(run.series.throughput.first { $0.link == 0 })
        var bytes = [Int](repeating: 0, count: throughput.bytes.count)
        for packet in run.server where packet.isUp {
            bytes[packet.at / throughput.bucket] += packet.bytes.count
        }
        #expect(throughput.bytes == bytes)
    }

    @Test(arguments: Way.allCases) func `bytes in flight and the sequence of a flow`(
        way: Way
    ) throws {
        let run = try PlayedRun(way.scenario)
        let flow = try #require(run.series.flows.first)
        #expect(run.series.flows.count == 1 && flow.connection?.number == 1)
        let base = try #require(run.client.first).sequence &+ 1
        let count = flow.inFlight.count
        var (sent, acknowledged) = (0, 0)
        var changes: [Int: Int] = [:]
        var sentBy = [Int](repeating: 0, count: count)
        var acknowledgedBy = sentBy
        var again = [Int?](repeating: nil, count: count)
        for packet in run.client {
            let step = (packet.at - flow.from) / flow.step
            let before = sent - acknowledged
            if packet.isUp, packet.payload > 0 {
                let begin = Int(packet.sequence &- base)
                if begin < sent {
                    try #require(step < count)
                    again[step] = min(again[step] ?? begin, begin)
                }
                sent = max(sent, begin + packet.payload)
            } else if !packet.isUp {
                // The FIN takes a number, too.
                acknowledged = min(sent, Int(packet.acknowledgement &- base))
            }
            changes[packet.at - flow.from, default: 0] += sent - acknowledged - before
            for later in min(step, count)..<count {
                (sentBy[later], acknowledgedBy[later]) = (sent, acknowledged)
            }
        }
        #expect(flow.inFlight == Self.levels(changes, step: flow.step, count: count))
        #expect(flow.sent == sentBy && flow.acknowledged == acknowledgedBy)
        #expect(flow.retransmitted == again)
        #expect(again.compactMap(\.self).count > 3)
    }

    @Test(arguments: Way.allCases) func `round-trip times of a flow`(way: Way) throws {
        let run = try PlayedRun(way.scenario)
        let flow = try #require(run.series.flows.first)
        let base = try #require(run.client.first).sequence
        let packets = run.client.map { packet in
            let begin = Int(packet.sequence &- base)
            return (
                packet: packet, begin: begin, end: begin + packet.length,
                acknowledged: Int(packet.acknowledgement &- base)
            )
        }
        var samples = [[Int]](repeating: [], count: flow.roundTrip.count)
        var place = 0
        while place < packets.count {
            let timed = packets[place]
            let before = packets[..<place].filter(\.packet.isUp).map(\.end).max() ?? 0
            place += 1
            guard timed.packet.isUp, timed.packet.length > 0, timed.begin >= before else {
                continue
            }
            // Whatever comes first ends the measurement: the acknowledgement, or a segment again.
            let end = packets[place...].firstIndex { other in
                other.packet.isUp
                    ? other.packet.length > 0 && other.begin < timed.end
                    : other.acknowledged >= timed.end
            }
            guard let end else { break }
            place = end + 1
            guard !packets[end].packet.isUp else { continue }
            let at = packets[end].packet.at
            let step = (at - flow.from) / flow.step
            try #require(samples.indices.contains(step))
            samples[step].append(at - timed.packet.at)
        }
        #expect(samples.joined().count > 30)
        #expect(flow.longestRoundTrip == samples.map { $0.max() })
        #expect(flow.roundTrip == samples.map { $0.isEmpty ? nil : $0.reduce(0, +) / $0.count })
    }

    @Test func `until the first loss, the window is what limits the bytes in flight`() throws {
        let smooth = Self.scenario.replacing("queue: 40 kB, loss: 0.3 %", with: "queue: 300 kB")
        let run = try PlayedRun(smooth)
        let flow = try #require(run.series.flows.first)
        let windows = try #require(flow.window)
        let loss = flow.retransmitted?.firstIndex { $0 != nil } ?? windows.count
        // Ten segments (RFC 6928 §2).
        #expect(windows.compactMap(\.self).first == 14_480)
        let told = windows.indices.prefix(loss).filter { flow.inFlight[$0] > 20_000 }
            .compactMap { step in windows[step].map { Double(flow.inFlight[step]) / Double($0) } }
        #expect(told.count > 8)
        #expect(told.allSatisfy { (0.95...1.3).contains($0) }, "in flight per window: \(told)")
    }

    /// Returns the largest level of each step, from the changes at each moment.
    private static func levels(_ changes: [Int: Int], step: Int, count: Int) -> [Int] {
        var level = 0
        return (0..<count).map { place in
            let range = place * step..<(place + 1) * step
            var most = level
            for moment in changes.keys.filter(range.contains).sorted() {
                level += changes[moment] ?? 0
                most = max(most, level)
            }
            return most
        }
    }
}

/// A run with both captures, and what its `run.json` says about its series.
private struct PlayedRun {
    let client: [CapturedPackets.Packet]
    let server: [CapturedPackets.Packet]
    let series: Series

    struct Series: Decodable {
        var throughput: [Throughput]
        var links: [Link]
        var flows: [Flow]
    }

    struct Throughput: Decodable {
        var link: Int
        var bucket: Int
        var bytes: [Int]
    }

    struct Link: Decodable {
        var link: Int
        var step: Int
        var dropped: [Int]
        var queueingDelay: [Int?]
        var onLink: [Int]
    }

    struct Flow: Decodable {
        var connection: Connection?
        var from: Int
        var step: Int
        var inFlight: [Int]
        var window: [Int?]?
        var roundTrip: [Int?]
        var longestRoundTrip: [Int?]
        var sent: [Int]
        var acknowledged: [Int]
        var retransmitted: [Int?]?

        struct Connection: Decodable { var number: Int }
    }

    private struct Report: Decodable { var series: Series }

    init(_ scenario: String) throws {
        let desk = try Desk()
        try desk.write(scenario, to: "rough.yaml")
        let answer = try desk.lab("run", "rough.yaml", "--packets", "both", "--report", "out")
        #expect(answer.code == 0, "\(answer.call): \(answer.errors)")
        client = CapturedPackets(try desk.data(of: "out/rough/capture.pcap")).packets
        server = CapturedPackets(try desk.data(of: "out/rough/capture-server.pcap")).packets
        series = try JSONDecoder()
            .decode(Report.self, from: desk.data(of: "out/rough/run.json")).series
    }
}
