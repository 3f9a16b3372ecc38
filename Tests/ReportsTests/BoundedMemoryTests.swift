import Checks
import Quantities
import Reports
import RunLog
import Testing

/// A report of a very long run is no larger than one of a long run, and says what it left out.
@Suite struct BoundedMemoryTests {
    @Test func `events in the middle are left out and counted, but not one that broke a rule`() {
        let events = (0..<10_000).map { RunEvent(at: instant($0), .queue(.started)) }
        let breach = Breach(event: 5_000, at: instant(5_000), expected: "a", seen: "b")
        let model = report(
            of: events, verdicts: [SampleRun.verdict("S3", "x", .broken(breach))],
            reading: { reader in
                _ = ([RunEvent(at: .start, .queue(.started))] + events).allSatisfy(reader)
            })
        let rows = model.events.rows.map(\.event)
        #expect(rows == Array(0..<1_000) + [5_000] + Array(9_501...10_000))
        #expect(model.events.leftOut == 10_001 - 1_501)
    }

    @Test func `progress is not listed, and its curve keeps shape with fewer points`() throws {
        let session = ItemName(1)
        let transfer = AcceptedTransfer(
            transfer: TransferName(1), source: "a", destination: "in/a")
        var events = [RunEvent(at: .start, .engine(.accepts(session, index: 0, [transfer])))]
        events += (1...50_000).map { step in
            let done = ByteCount(UInt64(step))
            return RunEvent(
                at: instant(step),
                .queue(.callback(session, .progress(name: "a", done: done, total: done))))
        }
        let model = report(of: events)
        #expect(model.events.rows.count == 2)
        #expect(model.events.frequent == 50_000)
        let points = try #require(model.series.progress.first).points
        #expect((300...601).contains(points.count))
        #expect(points.last?.done == ByteCount(50_000))
        #expect(points.allSatisfy { $0.done.bytes * 1_000_000 == $0.at.nanoseconds })
    }

    @Test func `buckets grow wider as a run grows longer, and lose no byte`() throws {
        let packets = (0..<100_000).map { order in
            PacketRecord(
                atNanoseconds: UInt64(order) * 36_000_000, kind: .delivered, packet: UInt32(order),
                link: 0, flow: 0, size: 1_000, payload: 948, sequence: 0, acknowledgement: 0,
                flags: .ack)
        }
        let model = report(of: [], packets: packets)
        let series = try #require(model.series.throughput.first)
        #expect((300...600).contains(series.bytes.count))
        #expect(series.bytes.reduce(0, +) == 100_000_000)
        #expect(series.bucket == .milliseconds(10 * 1_024))
    }

    @Test func `a server with clients from everywhere is shown by the first of them`() throws {
        let count = 5_000
        var facts: [ServerFact] = [.listening(address: "0.0.0.0", port: 80, docroot: "d")]
        facts += (1...UInt32(count)).map { .connected(connection: $0, client: "\($0)") }
        facts += (1...UInt32(count)).map {
            .answered(
                connection: $0, client: "\($0)", method: "M\($0)", target: "/",
                status: $0.isMultiple(of: 2) ? 200 : 404)
        }
        facts += (1...UInt32(count)).map { .disconnected(connection: $0) }
        let events = facts.enumerated().map {
            RunEvent(at: instant($0.offset), .server($0.element))
        }
        let model = report(of: events)
        let service = try #require(model.figures.service)
        #expect(model.figures.requests == count)
        #expect(service.clients.count == 100 && service.requestsLeftOut == count - 100)
        #expect(service.clients.map(\.failures).reduce(0, +) == 50)
        #expect(service.answers.count == 100 && service.answersLeftOut == count - 100)
        let lane = try #require(model.timeline.lanes.first { $0.kind == .connections })
        #expect(lane.spans.count == 12 && lane.spansLeftOut == count - 12)
    }

    @Test func `a run that was played has no clients to show`() {
        #expect(report(of: [RunEvent(at: .start, .queue(.started))]).figures.service == nil)
    }

    @Test func `a long silence after the packets makes no report of its own length`() throws {
        let packet = PacketRecord(
            atNanoseconds: 5_000_000, kind: .delivered, packet: 0, link: 0, flow: 0, size: 1_000,
            payload: 948, sequence: 0, acknowledgement: 0, flags: .ack)
        let launch = RunEvent(
            at: .start + .seconds(9_999 * 3_600), .device(.appLaunched(launch: 2)))
        let model = report(of: [launch], packets: [packet])
        let series = try #require(model.series.throughput.first)
        try #require(series.bucket * 600 > model.duration)
        #expect(series.bytes == [1_000])
        let page = HTMLReport.document(for: model, charts: nil)
        #expect(page.utf8.count < 200_000)
        #expect(page.split(separator: "class=\"tick\"").count < 30)
    }

    @Test func `moments beyond the limit are counted`() {
        let kills = (0..<100).map { order in
            RunEvent(at: instant(order), .device(.appKilled(launch: UInt32(order))))
        }
        let timeline = report(of: kills).timeline
        #expect(timeline.moments.count <= 60)
        let shown = timeline.moments.reduce(0) { $0 + ($1.count ?? 1) }
        #expect(shown + timeline.momentsLeftOut == 100)
    }

    private func instant(_ milliseconds: Int) -> Instant {
        .start + .milliseconds(Int64(milliseconds))
    }

    private func report(
        of events: [RunEvent], packets: [PacketRecord] = [], verdicts: [Verdict] = [],
        reading: (_ reader: (RunEvent) -> Bool) -> Void = { _ in }
    ) -> ReportModel {
        var collector = FigureCollector()
        collector.read(RunEvent(at: .start, .run(.began(SampleRun().beginning))))
        for event in events { collector.read(event) }
        packets.withUnsafeBufferPointer { collector.read(packets: $0) }
        return ReportModel(collector, verdicts: verdicts, digest: "", reading: reading)
    }
}
