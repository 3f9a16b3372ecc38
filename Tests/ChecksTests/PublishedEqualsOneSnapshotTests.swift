import Content
import Quantities
import RunLog
import Testing

@testable import Checks

@Suite struct PublishedEqualsOneSnapshotTests {
    private let whole = SmallLog.range(SmallLog.first, 0..<100)
    private let before = [SmallLog.stands(SmallLog.first), SmallLog.accepted()]

    @Test func `a whole snapshot, published before completion, holds`() {
        #expect(judge([SmallLog.published([whole]), SmallLog.completes()]) == .held)
    }

    @Test func `an object that a loss of power takes falls`() {
        let lost = RunEvent.Fact.server(.lost(object: "incoming/video.mov"))
        #expect(judge([SmallLog.published([whole]), lost]) != .held)
    }

    @Test func `pieces that join to a whole hold`() {
        let pieces = [
            SmallLog.range(SmallLog.first, 0..<40), SmallLog.range(SmallLog.first, 40..<100),
        ]
        #expect(judge([SmallLog.published(pieces)]) == .held)
    }

    @Test func `after an edit each version that stood is a legal snapshot`() {
        let edited = SmallLog.stands(SmallLog.second, size: 80)
        let newer = SmallLog.range(SmallLog.second, 0..<80)
        #expect(judge([edited, SmallLog.published([newer])]) == .held)
        #expect(judge([edited, SmallLog.published([whole])]) == .held)
    }

    @Test func `an empty file is published as no byte`() {
        let log = [
            SmallLog.stands(SmallLog.first, size: 0), SmallLog.accepted(), SmallLog.published([]),
            SmallLog.completes(),
        ]
        #expect(answer(of: PublishedEqualsOneSnapshot(), to: log) == .held)
    }

    @Test func `objects that no transfer aims at are not judged`() {
        let other = RunEvent.Fact.server(
            .published(SmallLog.upload, object: "elsewhere", version: 1, []))
        let because = "no accepted transfer published anything"
        #expect(judge([other]) == .notApplicable(because: because))
        #expect(
            answer(of: PublishedEqualsOneSnapshot(), to: []) == .notApplicable(because: because))
    }

    @Test func `versions joined to one body fall`() {
        let mixed = [
            SmallLog.range(SmallLog.first, 0..<40), SmallLog.range(SmallLog.second, 40..<100),
        ]
        let log = [SmallLog.stands(SmallLog.second), SmallLog.published(mixed)]
        #expect(
            judge(log)
                == broken(
                    at: 3,
                    expected: "in/video.mov holds file 1 version 1 [0..<100] or file 1 version 2 "
                        + "[0..<100]",
                    seen: "in/video.mov holds a mixed body: file 1 version 1 [0..<40], "
                        + "file 1 version 2 [40..<100]"))
    }

    @Test(
        arguments: [
            ([(0, 40), (50, 100)], "a body with a gap or a repetition"),
            ([(0, 40), (40, 60), (50, 100)], "a body with a gap or a repetition"),
            ([(1, 100)], "a body without its beginning"),
            ([(0, 99)], "an incomplete snapshot"),
            ([(0, 101)], "an incomplete snapshot"),
            ([], "nothing"),
        ] as [([(UInt64, UInt64)], String)])
    func `a body that is not the whole file falls`(pieces: [(UInt64, UInt64)], flaw: String) {
        let ranges = pieces.map { SmallLog.range(SmallLog.first, $0.0..<$0.1) }
        var joined: [ContentRange] = []
        for range in ranges { joined.join(range) }
        let words =
            joined.isEmpty ? "no bytes" : joined.map(\.description).joined(separator: ", ")
        #expect(
            judge([SmallLog.published(ranges)])
                == broken(
                    at: 2, expected: "in/video.mov holds file 1 version 1 [0..<100]",
                    seen: "in/video.mov holds \(flaw): \(words)"))
    }

    @Test func `bytes that no file of the plan holds fall`() {
        #expect(
            judge([SmallLog.published([SmallLog.range(.unknown, 0..<100)])])
                == broken(
                    at: 2, expected: "in/video.mov holds file 1 version 1 [0..<100]",
                    seen: "in/video.mov holds bytes of an unknown file: unknown bytes [0..<100]"))
    }

    @Test func `a version of another file falls`() {
        let other = SmallLog.range(FileVersion(file: 2, edit: 0), 0..<100)
        #expect(
            judge([SmallLog.published([other])])
                == broken(
                    at: 2, expected: "in/video.mov holds file 1 version 1 [0..<100]",
                    seen: "in/video.mov holds an incomplete snapshot: file 2 version 1 [0..<100]"))
    }

    @Test func `a later publication that is spoilt falls, after a good one`() {
        let spoilt = SmallLog.range(SmallLog.first, 0..<40)
        #expect(
            judge([SmallLog.published([whole]), SmallLog.published([spoilt])])
                == broken(
                    at: 3, expected: "in/video.mov holds file 1 version 1 [0..<100]",
                    seen: "in/video.mov holds an incomplete snapshot: file 1 version 1 [0..<40]"))
    }

    @Test func `completion before publication falls`() {
        #expect(
            judge([SmallLog.completes(), SmallLog.published([whole])])
                == broken(
                    at: 2, expected: "in/video.mov is published before transfer 1 is complete",
                    seen: "transfer 1 is complete, but no reader can see video.mov there"))
    }

    @Test func `what another transfer publishes there completes only that one`() {
        let photo = FileVersion(file: 2, edit: 0)
        let other = AcceptedTransfer(
            transfer: TransferName(2), source: "photo.jpg", destination: "in/video.mov")
        let log: [RunEvent.Fact] = [
            .file(.stands(path: "photo.jpg", version: photo, size: ByteCount(7))),
            .engine(.accepts(ItemName(2), index: 1, [other])),
            SmallLog.published([SmallLog.range(photo, 0..<7)]), SmallLog.completes(2),
        ]
        #expect(judge(log) == .held)
        #expect(
            judge(log + [SmallLog.completes(1)])
                == broken(
                    at: 6, expected: "in/video.mov is published before transfer 1 is complete",
                    seen: "transfer 1 is complete, but no reader can see video.mov there"))
    }

    @Test func `only the first of two spoilt publications is told`() {
        let spoilt = SmallLog.published([SmallLog.range(SmallLog.first, 0..<40)])
        let again = SmallLog.published([SmallLog.range(SmallLog.first, 0..<50)])
        #expect(
            judge([spoilt, again])
                == broken(
                    at: 2, expected: "in/video.mov holds file 1 version 1 [0..<100]",
                    seen: "in/video.mov holds an incomplete snapshot: file 1 version 1 [0..<40]"))
    }

    @Test func `completion of a transfer that nobody accepted falls`() {
        #expect(
            judge([SmallLog.completes(9)])
                == broken(
                    at: 2, expected: "only accepted transfers complete",
                    seen: "transfer 9, which belongs to no session, is complete"))
    }

    private func judge(_ facts: [RunEvent.Fact]) -> Verdict.Answer {
        answer(of: PublishedEqualsOneSnapshot(), to: before + facts)
    }
}
