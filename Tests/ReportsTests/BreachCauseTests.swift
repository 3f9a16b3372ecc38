import Checks
import Facts
import Foundation
import Quantities
import Reports
import RunLog
import Testing

/// What a report says about the cause of a breach.
@Suite struct BreachCauseTests {
    private static let sample = SampleRun()
    private static let sizeOfAll = ByteCount(8_000_000)

    /// The sample's log up to a moment, then these facts, and the end of the run at 60 s.
    private static func log(until milliseconds: Int64, _ more: [(Int64, Fact)]) -> [RunEvent] {
        let limit = Instant.start + .milliseconds(milliseconds)
        let rest = more + [(60_000, .run(.ended(.limit)))]
        return sample.events.filter { $0.at <= limit }
            + rest.map { RunEvent(at: .start + .milliseconds($0.0), $0.1) }
    }

    private static func report(
        of events: [RunEvent], _ breaches: [(rule: String, event: Int, seen: String)]
    ) -> ReportModel {
        var collector = FigureCollector()
        for event in events { collector.read(event) }
        let verdicts = breaches.map { one in
            SampleRun.verdict(
                one.rule, "it holds",
                .broken(
                    Breach(
                        event: one.event, at: events[one.event].at, expected: "the end",
                        seen: one.seen)))
        }
        return ReportModel(
            collector, verdicts: verdicts, digest: "",
            reading: { reader in _ = events.allSatisfy(reader) })
    }

    @Test func `a breach at the run's end is traced to the last movement`() throws {
        let events = Self.log(until: 2_995, [])
        let model = Self.report(
            of: events, [("L1", events.count - 1, "session 1 is running when the run ends")])
        let cause = try #require(model.causes?.first)
        #expect(cause.item == "session 1")
        #expect(cause.at == .start + .milliseconds(2_990))
        #expect(cause.lastMovement?.sentence.contains("has moved 3.6 MB of 8 MB") ?? false)
        #expect(cause.stillFor == .milliseconds(57_010))
        let mark = try #require(model.timeline.moments.first { $0.kind == .breach })
        #expect(mark.at == cause.at && mark.sentence == "L1 failed: nothing moved from here on")
        let page = HTMLReport.document(for: model, charts: nil)
        #expect(page.contains("no byte of session 1 moved for 57.01 s from then on"))
    }

    @Test func `a breach in the middle is marked where it is`() throws {
        let events = Self.log(until: 9_300, [])
        let event = try #require(events.firstIndex { $0.at == .start + .milliseconds(5_120) })
        let model = Self.report(of: events, [("S3", event, "an append at 3000001 B")])
        let cause = try #require(model.causes?.first)
        #expect(cause.event == event && cause.at == .start + .milliseconds(5_120))
        #expect(cause.events.last?.event == event)
        #expect(cause.events.contains { $0.sentence.contains("transfer 1 resumes /tus/1") })
        #expect(!cause.events.contains { $0.at > cause.at })
    }

    @Test func `what is wrong at the breach is said, and what is over is not`() throws {
        let none = PathTerms(
            interface: nil, name: nil, isMetered: false, isLowData: false, alive: [])
        let events = Self.log(
            until: 2_995,
            [
                (3_000, .server(.faultSwitched("slow", on: true))),
                (3_100, .server(.faultSwitched("gone", on: true))),
                (3_200, .server(.faultSwitched("gone", on: false))),
                (3_300, .network(.path(none))), (3_400, .device(.appKilled(launch: 1))),
                (3_500, .device(.appLaunched(launch: 2))),
                (3_600, .device(.disk(.full))), (3_700, .device(.disk(.writesFail))),
                (3_800, .device(.disk(.hasSpace))), (3_900, .link(.down(link: 0))),
                (4_000, .link(.up(link: 0))), (4_100, .device(.call(on: true))),
            ])
        let model = Self.report(of: events, [("L1", events.count - 1, "session 1 is running")])
        let troubles = try #require(model.causes?.first?.troubles)
        #expect(
            troubles.map(\.at)
                == [3_000, 3_300, 3_700, 4_100].map {
                    .start + .milliseconds($0)
                })
        #expect(troubles[0].words == "fault “slow” is on")
        #expect(troubles[2].words.contains("takes no write any more"))
    }

    @Test func `a fault that is on is told with what it did last`() throws {
        func effect(_ words: String) -> Fact {
            .server(
                .fault(
                    "slow", connection: 1, client: nil, request: "PATCH /tus/1", effect: words))
        }
        let events = Self.log(
            until: 2_995,
            [
                (3_000, .server(.faultSwitched("slow", on: true))), (3_100, effect("first")),
                (3_200, effect("then")),
            ])
        let model = Self.report(of: events, [("L1", events.count - 1, "session 1 is running")])
        let troubles = try #require(model.causes?.first?.troubles)
        #expect(troubles.map(\.words) == ["fault “slow” is on; latest effect, at 3.2 s: then"])
        #expect(troubles.map(\.at) == [.start + .seconds(3)])
    }

    @Test func `a second file moves, and so does one that starts over`() throws {
        func moves(_ name: String, _ done: UInt64) -> Fact {
            .queue(
                .callback(
                    ItemName(1), .progress(name: name, done: ByteCount(done), total: Self.sizeOfAll)
                ))
        }
        let over = Fact.engine(.startsOver(TransferName(1), because: "its source has changed"))
        let cases: [[(Int64, Fact)]] = [
            [(4_000, moves("other.mov", 1_000))],
            [(3_500, over), (3_600, moves("video.mov", 0)), (4_000, moves("video.mov", 500))],
        ]
        for more in cases {
            let events = Self.log(until: 2_995, more)
            let model = Self.report(of: events, [("L1", events.count - 1, "session 1 is running")])
            #expect(model.causes?.first?.at == .start + .milliseconds(4_000))
        }
    }

    @Test func `the network of the whole phone ends what a single app was told`() throws {
        func path(_ interface: UInt16?, _ apps: [UInt16]?) -> Fact {
            var terms = PathTerms(
                interface: interface, name: nil, isMetered: false, isLowData: false, alive: [])
            terms.apps = apps
            return .network(.path(terms))
        }
        let events = Self.log(until: 2_995, [(3_000, path(nil, [1])), (3_100, path(0, nil))])
        let model = Self.report(of: events, [("L1", events.count - 1, "session 1 is running")])
        #expect(model.causes?.first?.troubles.isEmpty ?? false)
    }

    @Test func `events of other sessions are no cause`() throws {
        let other = ConnectionName(launch: 1, number: 9)
        let events = Self.log(
            until: 2_995,
            [
                (3_000, .connection(.opening(other, to: "docroot:80", by: ItemName(2)))),
                (3_001, .engine(.fails(ItemName(12), code: 1, message: "x", retryIn: nil))),
                (3_002, .engine(.fails(ItemName(1), code: 7, message: "y", retryIn: nil))),
            ])
        let model = Self.report(of: events, [("L1", events.count - 1, "session 1 is running")])
        let sentences = try #require(model.causes?.first?.events.map(\.sentence))
        #expect(sentences.last?.contains("error 7") ?? false, "\(sentences)")
        #expect(!sentences.contains { $0.contains("1.9") || $0.contains("session 12") })
    }

    @Test func `rules that fail for one cause share its mark, and it is told once`() throws {
        let events = Self.log(until: 2_995, [])
        let model = Self.report(
            of: events,
            [("L1", events.count - 1, "session 1"), ("L3", events.count - 1, "session 1")])
        let marks = model.timeline.moments.filter { $0.kind == .breach }
        #expect(marks.map(\.sentence) == ["L1, L3 failed: nothing moved from here on"])
        let page = HTMLReport.document(for: model, charts: nil)
        #expect(page.components(separatedBy: "class=\"expected cause\"").count == 2)
        #expect(page.components(separatedBy: "class=\"fallen\"").count == 3)
    }
}
