import Content
import Quantities
import RunLog
import Testing

@testable import Checks

/// S1 for downloads of the queue.
@Suite struct QueueDownloadChecksTests {
    private static let transfer = TransferName(1)
    private static let accepted = RunEvent.Fact.engine(
        .accepts(
            ItemName(1), index: 0,
            [
                AcceptedTransfer(
                    transfer: transfer, source: "in/video.mov", destination: "films/video.mov",
                    isDownload: true)
            ]))

    private static func placed(_ ranges: [ContentRange]) -> RunEvent.Fact {
        .file(.moved(transfer, to: "films/video.mov", ranges))
    }

    private static let whole = [SmallLog.range(SmallLog.first, 0..<100)]
    private static let published = [accepted, SmallLog.published(whole)]
    private static let completes = RunEvent.Fact.engine(.completes(transfer))

    @Test func `one version of the object is at its place before it is complete (S1)`() {
        let log = Self.published + [Self.placed(Self.whole), Self.completes]
        #expect(answer(of: PublishedEqualsOneSnapshot(), to: log) == .held)
    }

    static let breaches: [[RunEvent.Fact]] = [
        published + [completes],
        published + [placed([SmallLog.range(SmallLog.first, 0..<60)])],
        published + [
            placed([
                SmallLog.range(SmallLog.first, 0..<50), SmallLog.range(SmallLog.second, 50..<100),
            ])
        ],
    ]

    @Test(arguments: breaches.indices) func `nothing, a part and a mixture fall (S1)`(place: Int) {
        let log = Self.breaches[place]
        guard case .broken(let breach) = answer(of: PublishedEqualsOneSnapshot(), to: log) else {
            Issue.record("not seen")
            return
        }
        #expect(breach.event == log.count - 1)
    }
}
