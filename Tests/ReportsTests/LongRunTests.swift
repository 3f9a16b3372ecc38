import Facts
import Foundation
import Quantities
import Reports
import RunLog
import Testing

/// A run of a day with hundreds of sessions remains readable, and says what is merged or left out.
@Suite struct LongRunTests {
    private static let count = 400

    private static func seconds(_ value: Int) -> Instant { .start + .seconds(Int64(value)) }

    /// A session every 216 s: a connection, some progress, a publication; and a kill at each hour.
    private static var events: [RunEvent] {
        let sessions = (1...count).flatMap { number -> [RunEvent] in
            let name = ItemName(UInt64(number))
            let transfer = AcceptedTransfer(
                transfer: TransferName(UInt64(number)), source: "p\(number)", destination: "in/p")
            let connection = ConnectionName(launch: 1, number: UInt32(number))
            let at = number * 216 - 200
            let facts: [Fact] = [
                .engine(.accepts(name, index: 0, [transfer])),
                .engine(.moves(name, from: .waiting, to: .running, because: "its turn")),
                .connection(.opening(connection, to: "docroot:80", by: name)),
                .connection(.established(connection)),
                .queue(
                    .callback(
                        name,
                        .progress(name: "p\(number)", done: ByteCount(10), total: ByteCount(10)))),
                .server(.published(ResourceName("/tus/\(number)"), object: "in/p", version: 1, [])),
                .queue(.callback(name, .didDeactivate(.completed))),
                .engine(.moves(name, from: .running, to: .completed, because: "it is there")),
                .connection(.ended(connection, why: .closed, transmitted: ByteCount(10))),
            ]
            return facts.enumerated().map { RunEvent(at: seconds(at + $0.offset), $0.element) }
        }
        let kills = (1...23).map {
            RunEvent(at: seconds($0 * 3_600 + 1), .device(.appKilled(launch: UInt32($0))))
        }
        return (sessions + kills).sorted { $0.at < $1.at }
    }

    /// Fifty packets and their acknowledgements for each session.
    private static var packets: HandmadePackets {
        var packets = HandmadePackets()
        for number in 1...count {
            let (flow, at) = (UInt16(number % 6), UInt64(number * 216 - 200) * 1_000)
            for place in 0..<50 as Range<UInt32> {
                let begin = 1 + (UInt32(number) * 50 + place) * 1_448
                let sent = packets.send(
                    1_448, sequence: begin, flow: flow, at: at + UInt64(place) * 20)
                packets.deliver(sent, at: at + UInt64(place) * 20 + 20)
                packets.acknowledge(begin + 1_448, flow: flow, at: at + UInt64(place) * 20 + 40)
            }
        }
        return packets
    }

    private static let model: ReportModel = {
        var collector = FigureCollector()
        collector.read(RunEvent(at: .start, .run(.began(SampleRun().beginning))))
        for event in events { collector.read(event) }
        packets.records.withUnsafeBufferPointer { collector.read(packets: $0) }
        collector.read(RunEvent(at: seconds(86_400), .run(.ended(.quiet))))
        return ReportModel(collector, verdicts: [], digest: "")
    }()

    @Test func `moments are spread over the whole day, and dense ones are merged`() {
        let moments = Self.model.timeline.moments
        #expect(moments.count <= 60)
        #expect(moments.contains { $0.at > Self.seconds(80_000) })
        // Each kill weighs more than a publication.
        #expect(moments.count { $0.kind == .killed } == 23)
        let merged = moments.filter { $0.kind == .published }
        #expect(merged.allSatisfy { ($0.count ?? 1) > 1 })
        let shown = moments.reduce(0) { $0 + ($1.count ?? 1) }
        #expect(shown + Self.model.timeline.momentsLeftOut == Self.count + 23)
        #expect(merged.first?.words.hasPrefix("×") ?? false)
    }

    @Test func `many sessions share a lane, and each is in it`() throws {
        let lanes = Self.model.timeline.lanes.filter { $0.kind == .session }
        #expect(lanes.count == 1)
        let spans = try #require(lanes.first?.spans)
        #expect(spans.reduce(0) { $0 + ($1.count ?? 1) } == Self.count)
        #expect(spans.last.map { $0.to > Self.seconds(86_000) } ?? false)
    }

    @Test func `connections of the whole day are drawn`() throws {
        let lane = try #require(Self.model.timeline.lanes.first { $0.kind == .connections })
        #expect(lane.spans.count <= 400)
        #expect(lane.spans.reduce(0) { $0 + ($1.count ?? 1) } == 2 * Self.count)
        #expect(lane.spans.last.map { $0.to > Self.seconds(86_000) } ?? false)
        let page = HTMLReport.document(for: Self.model, charts: nil)
        #expect(page.contains("spans are merged with those beside them"))
    }

    @Test func `the progress of many sessions is their sum, and the page says so`() {
        let total = Self.model.series.totalProgress
        #expect(total?.last?.done == ByteCount(UInt64(Self.count) * 10))
        let page = HTMLReport.document(for: Self.model, charts: nil)
        #expect(page.contains("The sum of 400 sessions."))
        #expect(page.contains("all sessions together"))
    }

    @Test func `the page of such a day is small, and made in half a second`() {
        let library = ChartLibrary.ofSystem
        var page = ""
        let times = (0..<3).map { _ in
            let begin = clock()
            page = HTMLReport.document(for: Self.model, charts: library)
            return Double(clock() - begin) / 1e6
        }
        print("the page of a day with \(Self.count) files is made in \(times) s")
        #expect(page.utf8.count < 2_000_000, "\(page.utf8.count) bytes")
        #expect(page.components(separatedBy: "<figure class=\"chart\"").count == 9)
        // The time of the processor: other work on the machine hardly counts, but its speed does.
        #expect(times.min() ?? 1 < 1.5, "\(times)")
    }
}
