import Checks
import Content
import Facts
import Foundation
import Quantities
import Reports
import RunLog
import Testing

/// A report tells why a rule failed, in the words of what the rule is about.
@Suite struct BreachStoryTests {
    private static let session = ItemName(1)
    private static let other = ItemName(2)
    private static let transfer = TransferName(1)
    private static let upload = ResourceName("/tus/1")
    private static let old = FileVersion(file: 1, edit: 0)
    private static let new = FileVersion(file: 1, edit: 1)

    private static let opening: [Fact] = [
        .run(.began(SampleRun().beginning)),
        .file(.stands(path: "video.mov", version: old, size: ByteCount(100))),
        accepted(session, transfer, "video.mov"), accepted(other, TransferName(2), "b.mov"),
    ]

    private static func accepted(
        _ item: ItemName, _ transfer: TransferName, _ file: String
    ) -> Fact {
        let accepted = AcceptedTransfer(
            transfer: transfer, source: file, destination: "in/\(file)")
        return .engine(.accepts(item, index: Int(item.number) - 1, [accepted]))
    }

    private static func range(_ version: FileVersion, _ bytes: Range<UInt64>) -> ContentRange {
        ContentRange(
            version, offset: ByteCount(bytes.lowerBound), length: ByteCount(UInt64(bytes.count)))
    }

    /// The run of these facts, a second apart, in which a rule fails at the last one.
    private static func model(
        _ subject: RuleSubject, _ facts: [Fact], expected: String, seen: String,
        rule: String = "the rule"
    ) -> ReportModel {
        let events = (opening + facts).enumerated().map { order, fact in
            RunEvent(at: .start + .seconds(Int64(order)), fact)
        }
        var collector = FigureCollector()
        for event in events { collector.read(event) }
        let breach = Breach(
            event: events.count - 1, at: events[events.count - 1].at, expected: expected,
            seen: seen)
        let verdict = Verdict(
            rule: rule, statement: "it holds", kind: .invariant, answer: .broken(breach),
            subject: subject)
        return ReportModel(
            collector, verdicts: [verdict], digest: "",
            reading: { reader in _ = events.allSatisfy(reader) })
    }

    private static func why(_ model: ReportModel) -> [String] {
        RuleBreach.all(in: model).first?.because ?? []
    }

    @Test func `an object that another client removes has a life, and an end`() {
        let request = "DELETE /dav/in/video.mov"
        let model = Self.model(
            .content,
            [
                .engine(
                    .sends(
                        Self.transfer, resource: Self.upload, from: .zero,
                        on: ConnectionName(launch: 1, number: 1), bodyAt: .zero)),
                .server(
                    .published(
                        Self.upload, object: "in/video.mov", version: 1,
                        [Self.range(Self.old, 0..<100)])),
                .server(.published(Self.upload, object: "in/b.mov", version: 1, [])),
                .server(.visited("cleaner", request: request)),
                .server(.removed(object: "in/video.mov")), .run(.ended(.quiet)),
            ], expected: "in/video.mov holds the latest video.mov in the end",
            seen: "there is no object", rule: "in/video.mov holds video.mov")
        #expect(
            Self.why(model) == [
                "5 s: in/video.mov is published as version 1 by session 1: all of video.mov",
                "8 s: in/video.mov is removed by another client: visit “cleaner” asks \(request)",
            ])
        // The breach is no stall: the mark is at the end, and nothing is said to stand still.
        let cause = model.causes?.first
        #expect(cause?.at == .start + .seconds(9))
        let page = HTMLReport.document(for: model, charts: nil)
        #expect(!page.contains("no byte of"))
        #expect(page.contains("<span>in/video.mov holds video.mov failed.</span>"))
    }

    @Test func `two versions join at a byte, and the resume that joined them is told`() {
        let ranges = [Self.range(Self.old, 0..<40), Self.range(Self.new, 40..<100)]
        let model = Self.model(
            .content,
            [
                .file(.stands(path: "video.mov", version: Self.new, size: ByteCount(100))),
                .engine(.resumes(Self.transfer, resource: Self.upload, at: ByteCount(40))),
                .server(.published(Self.upload, object: "in/video.mov", version: 1, ranges)),
            ], expected: "session 1: in/video.mov holds bytes of one version of one file",
            seen: "it joins file 1 version 1 and file 1 version 2, from byte 40")
        #expect(
            Self.why(model) == [
                "4 s: video.mov is edited on the phone: it is video.mov, version 2 now",
                "5 s: session 1 resumes at byte 40",
                "6 s: in/video.mov is published as version 1: from byte 0 it is video.mov, "
                    + "version 1; from byte 40 it is video.mov, version 2",
            ])
    }

    @Test func `what is sent again is told with what interrupted it, and where it began again`() {
        let (first, second) = (
            ConnectionName(launch: 1, number: 1), ConnectionName(launch: 1, number: 2)
        )
        func sends(_ connection: ConnectionName) -> Fact {
            .engine(
                .sends(
                    Self.transfer, resource: Self.upload, from: .zero, on: connection,
                    bodyAt: .zero))
        }
        let model = Self.model(
            .repetition,
            [
                .server(.created(Self.upload, object: "in/video.mov", length: ByteCount(100))),
                sends(first),
                .engine(.fails(Self.session, code: 7, message: "no answer", retryIn: .seconds(2))),
                .connection(.ended(first, why: .reset, transmitted: ByteCount(90))),
                .engine(.startsOver(Self.transfer, because: "its source has changed")),
                sends(second),
                .connection(.ended(second, why: .closed, transmitted: ByteCount(100))),
            ], expected: "at most 10 B of the body bytes are sent again",
            seen: "90 B were sent again until the end of connection 1.2, 80 B too many")
        #expect(
            Self.why(model) == [
                "6 s: session 1 meets error 7, no answer; tried again in 2 s",
                "8 s: transfer 1 starts over: its source has changed",
                "10 s: 90 B of video.mov were sent again on connection 1.2",
            ])
    }

    @Test func `a session that overtakes another is told with what let it`() {
        let model = Self.model(
            .order,
            [
                .queue(.asked(Self.other, .run)),
                .engine(
                    .moves(Self.session, from: .running, to: .preempted, because: "2 is to run")),
                .engine(.moves(ItemName(3), from: .running, to: .failed, because: "no")),
                .engine(.moves(Self.other, from: .running, to: .completed, because: "all there")),
            ], expected: "session 1 completes next",
            seen: "session 2 overtakes it: it completes while session 1 is preempted")
        #expect(
            Self.why(model).dropFirst(2) == [
                "4 s: the app wants to run session 2",
                "5 s: session 1 goes from running to preempted: 2 is to run",
            ])
        #expect(
            Self.why(model).first
                == "2 s: session 1 is enqueued at index 0: video.mov to in/video.mov")
    }

    @Test func `attempts beyond the budget are told with their errors`() {
        let model = Self.model(
            .attempts,
            [
                .engine(.attempt(Self.session, number: 8)),
                .engine(.fails(Self.session, code: 7, message: "no answer", retryIn: .seconds(60))),
                .engine(.attempt(Self.other, number: 1)),
                .engine(.attempt(Self.session, number: 9)),
            ], expected: "session 1 fails for good after 7 retries", seen: "attempt 9 begins")
        #expect(
            Self.why(model) == [
                "4 s: session 1, attempt 8",
                "5 s: session 1 meets error 7, no answer; tried again in 60 s",
                "7 s: session 1, attempt 9",
            ])
    }

    @Test func `index, terminal and build servers tell why, too`() {
        let model = Self.model(
            .attempts, [.engine(.attempt(Self.session, number: 9))],
            expected: "session 1 fails for good after 7 retries", seen: "attempt 9 begins")
        let suite = Suite(entries: [SuiteEntry(model, folder: "red")])
        let words = "4 s: session 1, attempt 9"
        #expect(SuiteIndex.document(for: suite).contains("<dt>Why</dt><dd><p>\(words)</p>"))
        let text = TerminalSummary(isColoured: false).text(for: suite.entries[0])
        #expect(text.contains("why        \(words)"))
        #expect(SampleRun.junit(of: suite).contains("why       \(words)"))
        let page = HTMLReport.document(for: model, charts: nil)
        #expect(page.contains("<dt>Why</dt>") && page.contains("session 1, attempt 9"))
    }
}
