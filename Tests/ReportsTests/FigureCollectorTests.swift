import Quantities
import Reports
import RunLog
import Testing

@Suite struct FigureCollectorTests {
    @Test func `a session's row tells times, floor, resumes and what was sent again`() throws {
        let row = try #require(SampleRun().model().figures.sessions.first)
        #expect(row.outcome == .completed)
        #expect(row.payload == SampleRun.size)
        #expect(row.waited == .milliseconds(5))
        #expect(row.completion == .milliseconds(9_221))
        #expect(row.floor == .milliseconds(6_400))
        #expect(row.goodput == Bitrate(bitsPerSecond: 6_940_678))
        #expect(row.resumes == 1)
        #expect(row.sentAgain == ByteCount(600_000))
    }

    @Test func `a kill interrupts a session until it runs again`() throws {
        let timeline = SampleRun().model().timeline
        #expect(
            timeline.lanes.map(\.title) == [
                "App", "Session 1: video.mov to incoming/video.mov", "Connections", "Server",
            ])
        let session = timeline.lanes[1].spans
        #expect(session.map(\.state) == [.waiting, .running, .interrupted, .running])
        #expect(session.map(\.from.nanoseconds).map { $0 / 1_000_000 } == [0, 5, 3_000, 5_005])
        #expect(timeline.lanes[0].spans.map(\.label) == ["launch 1", "launch 2"])
        #expect(timeline.moments.map(\.kind) == [.killed, .launched, .resumed, .published])
    }

    @Test func `each app has a lane, which shows its stages where they are known`() {
        let facts: [(Int64, UInt16?, DeviceFact)] = [
            (0, nil, .appLaunched(launch: 1)), (0, 2, .appLaunched(launch: 2)),
            (1, nil, .appEntered(launch: 1, stage: .background, because: "home")),
            (6, nil, .appEntered(launch: 1, stage: .suspended, because: "still")),
            (8, 2, .appKilled(launch: 2)),
            (9, nil, .appEntered(launch: 1, stage: .active, because: "opened")),
            (10, nil, .appKilled(launch: 1, why: .crash)),
        ]
        var collector = FigureCollector()
        collector.read(RunEvent(at: .start, .run(.began(SampleRun().beginning))))
        for (seconds, app, fact) in facts {
            collector.read(
                RunEvent(at: .start + .seconds(seconds), app: app, .device(fact)))
        }
        let lanes = ReportModel(collector, verdicts: [], digest: "").timeline.lanes
            .filter { $0.kind == .app }
        #expect(lanes.map(\.title) == ["App", "app 2"])
        #expect(
            lanes.first?.spans.map(\.state) == [.alive, .background, .suspended, .alive])
        #expect(lanes.last?.spans.map { ($0.to - $0.from).seconds } == [8])
    }

    @Test func `the lane of an app says what holds it awake behind`() {
        let facts: [(Int64, DeviceFact)] = [
            (0, .appLaunched(launch: 1)), (1, .modeBegan(launch: 1, .location)),
            (2, .appEntered(launch: 1, stage: .background, because: "home")),
            (20, .modeBegan(launch: 1, .call)), (30, .modeEnded(launch: 1, .location)),
            (40, .fetchBegan(launch: 1, deadline: .start + .seconds(70))),
            (50, .modeEnded(launch: 1, .call)), (55, .fetchEnded(launch: 1, .noData)),
            (60, .appKilled(launch: 1)), (70, .appLaunched(launch: 2)),
            (71, .appEntered(launch: 2, stage: .background, because: "home")),
            (72, .appEntered(launch: 2, stage: .suspended, because: "still")),
        ]
        var collector = FigureCollector()
        collector.read(RunEvent(at: .start, .run(.began(SampleRun().beginning))))
        for (seconds, fact) in facts {
            collector.read(RunEvent(at: .start + .seconds(seconds), .device(fact)))
        }
        let lane = ReportModel(collector, verdicts: [], digest: "").timeline.lanes[0]
        #expect(
            lane.spans.map { "\($0.from.nanoseconds / 1_000_000_000) \($0.label)" } == [
                "0 launch 1", "2 in the background, tracks its location",
                "20 in the background, tracks its location and is in a call of its own",
                "30 in the background, is in a call of its own",
                "40 in the background, is in a call of its own and fetches",
                "50 in the background, fetches", "55 in the background", "70 launch 2",
                "71 in the background",
            ])
    }

    @Test func `a session that had not run is interrupted only while the app is dead`() throws {
        let session = ItemName(1)
        let transfer = AcceptedTransfer(
            transfer: TransferName(1), source: "a", destination: "in/a")
        let accepted = RunEvent.Fact.engine(.accepts(session, index: 0, [transfer]))
        let facts: [(Int64, RunEvent.Fact)] = [
            (0, .run(.began(SampleRun().beginning))), (0, .device(.appLaunched(launch: 1))),
            (0, accepted), (9, .device(.appKilled(launch: 1))),
            (12, .device(.appLaunched(launch: 2))), (12, accepted),
            (12, .engine(.found(session, .waiting))),
            (20, .engine(.moves(session, from: .waiting, to: .running, because: "its turn"))),
            (25, .engine(.moves(session, from: .running, to: .completed, because: "all"))),
        ]
        var collector = FigureCollector()
        for (seconds, fact) in facts {
            collector.read(RunEvent(at: .start + .seconds(seconds), fact))
        }
        let model = ReportModel(collector, verdicts: [], digest: "")
        let lane = try #require(model.timeline.lanes.first { $0.kind == .session })
        #expect(lane.spans.map(\.state) == [.waiting, .interrupted, .waiting, .running])
        #expect(lane.spans.map { ($0.to - $0.from).seconds } == [9, 3, 8, 5])
    }

    @Test func `faults have a lane while they are on, and a moment when they take effect`() throws {
        let hit = ServerFact.fault(
            "busy", connection: 1, client: nil, request: "PUT /", effect: "no")
        let facts: [(Int64, ServerFact)] = [
            (0, .faultSwitched("busy", on: true)), (2, .faultSwitched("full", on: true)),
            (3, hit), (5, .faultSwitched("busy", on: false)), (9, .removed(object: "a")),
        ]
        var collector = FigureCollector()
        collector.read(RunEvent(at: .start, .run(.began(SampleRun().beginning))))
        for (seconds, fact) in facts {
            collector.read(RunEvent(at: .start + .seconds(seconds), .server(fact)))
        }
        let timeline = ReportModel(collector, verdicts: [], digest: "").timeline
        let lane = try #require(timeline.lanes.first { $0.kind == .faults })
        #expect(lane.spans.map(\.label) == ["busy", "full"])
        #expect(lane.spans.map { ($0.to - $0.from).seconds } == [5, 7])
        #expect(timeline.moments.map(\.kind) == [.fault])
        #expect(timeline.moments.map(\.sentence) == ["fault “busy” on PUT /: no"])
        let page = HTMLReport.document(
            for: ReportModel(collector, verdicts: [], digest: ""), charts: nil)
        #expect(page.contains("span faulty") && page.contains("fault on"))
    }

    @Test func `a breach is a moment of the timeline, in its place`() {
        let timeline = SampleRun().model(verdicts: SampleRun.fallen).timeline
        #expect(
            timeline.moments.map(\.kind) == [.killed, .launched, .resumed, .breach, .published])
    }

    @Test func `links are counted packet by packet`() throws {
        let links = SampleRun().model().figures.links
        #expect(links.map(\.name) == ["uplink", "downlink"])
        let up = try #require(links.first)
        #expect(up.count.sent.packets == 5_610)
        #expect(up.count.dropped.packets == 112)
        #expect(up.count.sent.packets == up.count.delivered.packets + up.count.dropped.packets)
        // Each fiftieth packet is followed by one that was sent before: 2300 and 3200 packets.
        #expect(up.retransmitted.packets == 46 + 64)
        #expect(links[1].retransmitted.packets == 0)
        let transit = try #require(links[1].transit)
        #expect(transit.longest.nanoseconds == 20_041_600)
        #expect(Double(transit.median.nanoseconds) > 20_041_600 * 0.984)
    }

    @Test func `captured packets stand under the direction in which they went`() {
        let packets = (0..<2).map { link in
            PacketRecord(
                atNanoseconds: 1, kind: .captured, packet: 0, link: link, flow: 0, size: 100,
                payload: 48, sequence: 0, acknowledgement: 0, flags: .ack)
        }
        var collector = FigureCollector()
        collector.read(RunEvent(at: .start, .run(.began(SampleRun().beginning))))
        packets.withUnsafeBufferPointer { collector.read(packets: $0) }
        let model = ReportModel(collector, verdicts: [], digest: "")
        #expect(model.figures.captures.map(\.name) == ["uplink", "downlink"])
        #expect(model.series.throughput.map(\.name) == ["uplink", "downlink"])
    }

    @Test func `throughput holds every delivered byte`() throws {
        let model = SampleRun().model()
        let series = try #require(model.series.throughput.first)
        #expect(series.bytes.reduce(0, +) == model.figures.links[0].count.delivered.bytes)
        #expect(series.bytes.count <= 600)
        #expect(series.bucket == .milliseconds(20))
    }

    @Test func `what others sent on a link is not in the run's throughput`() throws {
        let packets = [(flow: UInt16(0), size: UInt16(1_500)), (0x8000, 700), (0x8001, 300)]
            .enumerated().map { order, packet in
                PacketRecord(
                    atNanoseconds: UInt64(order), kind: .delivered, packet: UInt32(order), link: 0,
                    flow: packet.flow, size: packet.size, payload: 0, sequence: 0,
                    acknowledgement: 0, flags: .ack)
            }
        var collector = FigureCollector()
        collector.read(RunEvent(at: .start, .run(.began(SampleRun().beginning))))
        packets.withUnsafeBufferPointer { collector.read(packets: $0) }
        let model = ReportModel(collector, verdicts: [], digest: "")
        #expect(model.series.throughput.map(\.source) == [.delivered, .ofOthers])
        #expect(model.series.throughput.map { $0.bytes.reduce(0, +) } == [1_500, 1_000])
        let page = HTMLReport.document(for: model, charts: nil)
        #expect(page.contains("has a line of its own"))
        let alone = HTMLReport.document(for: SampleRun().model(), charts: nil)
        #expect(!alone.contains("has a line of its own"))
    }

    @Test func `progress falls back where the server had less`() throws {
        let points = try #require(SampleRun().model().series.progress.first).points
        let falls = zip(points, points.dropFirst()).filter { $1.done < $0.done }
        #expect(falls.map(\.1.done) == [ByteCount(3_000_000)])
        #expect(falls.map(\.0.done) == [ByteCount(3_600_000)])
        #expect(points.last?.done == SampleRun.size)
    }
}
