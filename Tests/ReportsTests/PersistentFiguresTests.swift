import Quantities
import RunLog
import Testing

@testable import Reports

/// What a report tells of persistent sessions.
@Suite struct PersistentFiguresTests {
    private let session = ItemName(1)

    private func added(_ path: UInt64) -> RunEvent.Fact {
        .queue(
            .pathAdded(
                session,
                AcceptedTransfer(
                    transfer: TransferName(path: path, ofLaunch: 1), source: "a.mov",
                    destination: "in/a.mov")))
    }

    private func model(_ facts: [RunEvent.Fact]) -> ReportModel {
        var collector = FigureCollector()
        for fact in [.run(.began(SampleRun().beginning))] + facts {
            collector.read(RunEvent(at: .start, fact))
        }
        return ReportModel(collector, verdicts: [], digest: "")
    }

    @Test func `of one that is open its files count, as it never completes`() throws {
        let model = model([
            .engine(.accepts(session, index: 0, [])), .engine(.isPersistent(session)),
            .engine(.moves(session, from: .waiting, to: .running, because: "its turn")),
            added(1), .engine(.completes(TransferName(path: 1, ofLaunch: 1))), added(2),
            .engine(.givesUp(TransferName(path: 2, ofLaunch: 1), because: "gone")), added(3),
        ])
        #expect(model.figures.queued.isEmpty)
        let row = try #require(model.figures.persistent.first)
        let paths = try #require(row.paths)
        #expect(paths.added == 3 && paths.arrived == 1 && paths.givenUp == 1)
        #expect(SuiteEntry(model, folder: "x").endWords == "1 of 3 files")
        let page = HTMLReport.document(for: model, charts: nil)
        #expect(page.contains("Persistent sessions") && page.contains("Files arrived"))
    }

    @Test func `one to which nothing was added had nothing to complete`() {
        let model = model([
            .engine(.accepts(session, index: 0, [])), .engine(.isPersistent(session)),
        ])
        let line = TerminalSummary(isColoured: false).text(for: SuiteEntry(model, folder: "x"))
        #expect(line.contains("no session to complete"))
    }

    @Test func `the progress of a file that was added again is that of the second time`() throws {
        func progress(_ done: UInt64) -> RunEvent.Fact {
            .queue(
                .callback(
                    session, .progress(name: "a.mov", done: ByteCount(done), total: ByteCount(9))))
        }
        let model = model([
            .engine(.accepts(session, index: 0, [])), .engine(.isPersistent(session)), added(1),
            progress(5), added(2), progress(3), progress(9),
        ])
        let curve = try #require(model.series.progress.first)
        #expect(curve.points.last?.done == ByteCount(14))
    }
}
