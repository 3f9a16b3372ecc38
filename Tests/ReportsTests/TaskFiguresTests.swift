import Quantities
import RunLog
import Testing

@testable import Reports

/// What a report tells of the tasks of background sessions.
@Suite struct TaskFiguresTests {
    private let task = ItemName(1, of: .background)

    private func figures(_ facts: [(Int64, RunEvent.Fact)]) -> Figures {
        var collector = FigureCollector()
        collector.read(RunEvent(at: .start, .run(.began(SampleRun().beginning))))
        for (second, fact) in facts {
            collector.read(RunEvent(at: .start + .seconds(second), fact))
        }
        return ReportModel(collector, verdicts: [], digest: "").figures
    }

    @Test func `a task has a row of its own, with what only a task has`() throws {
        let download = AcceptedTransfer(
            transfer: TransferName(1, of: .background), source: "a.mov", destination: "",
            isDownload: true)
        let figures = figures([
            (1, .engine(.delays(task, by: .seconds(60)))),
            (1, .engine(.accepts(task, index: nil, [download]))),
            (2, .engine(.moves(task, from: .suspended, to: .running, because: "resumed"))),
            (61, .engine(.attempt(task, number: 1))), (70, .engine(.attempt(task, number: 2))),
            (75, .engine(.moves(task, from: .running, to: .suspended, because: "suspended"))),
            (80, .engine(.moves(task, from: .suspended, to: .running, because: "resumed"))),
            (90, .background(.callback(task, .didComplete(.answered(status: 206))))),
        ])
        #expect(figures.queued.isEmpty && figures.tasks.count == 1)
        let row = try #require(figures.tasks.first)
        #expect(row.attempts == 2 && row.outcome == .completed)
        let told = try #require(row.task)
        #expect(told.isDownload && told.status == 206 && told.delayedFor == .seconds(60))
        #expect(told.resumedAt == .start + .seconds(2))
    }

    @Test func `a task that the server refused has no goodput`() throws {
        let upload = AcceptedTransfer(
            transfer: TransferName(1, of: .background), source: "a.mov", destination: "a.mov")
        func figures(answered status: Int) -> Figures {
            self.figures([
                (1, .engine(.accepts(task, index: nil, [upload]))),
                (2, .engine(.moves(task, from: .suspended, to: .running, because: "resumed"))),
                (3, .engine(.inspected(upload.transfer, size: ByteCount(4_000_000), modified: 0))),
                (4, .background(.callback(task, .didComplete(.answered(status: status))))),
            ])
        }
        #expect(figures(answered: 201).goodput == Bitrate(ByteCount(4_000_000), in: .seconds(2)))
        let refused = figures(answered: 409)
        #expect(refused.goodput == nil && refused.tasks.first?.goodput == nil)
    }

    @Test func `an upload operation is neither a session nor a task, and is called by its name`()
        throws
    {
        let operation = ItemName(1, of: .operations)
        let upload = AcceptedTransfer(
            transfer: TransferName(operation), source: "a.mov", destination: "in/a.mov")
        var collector = FigureCollector()
        for fact: RunEvent.Fact in [
            .run(.began(SampleRun().beginning)),
            .engine(.accepts(operation, index: nil, [upload])),
            .engine(.accepts(ItemName(2, of: .operations), index: nil, [])),
            .engine(.moves(operation, from: .waiting, to: .running, because: "added")),
            .engine(.moves(operation, from: .running, to: .failed, because: "lost")),
            .operations(.callback(operation, .failed(code: -1005, message: "lost"))),
        ] { collector.read(RunEvent(at: .start, fact)) }
        let model = ReportModel(collector, verdicts: [], digest: "")
        #expect(model.figures.queued.isEmpty && model.figures.tasks.isEmpty)
        let row = try #require(model.figures.operations.first)
        #expect(row.outcome == .failed(code: -1005, message: "lost"))
        #expect(SuiteEntry(model, folder: "x").endWords == "0 of 2 operations")
        let page = HTMLReport.document(for: model, charts: nil)
        #expect(page.contains("Upload operations") && page.contains("Operations completed"))
    }

    @Test func `a resumable transfer has a table of its own, and counts what it was asked for`()
        throws
    {
        let transfer = ItemName(1, of: .bucket)
        let upload = AcceptedTransfer(
            transfer: TransferName(transfer), source: "a.mov", destination: "b/objects/a")
        var collector = FigureCollector()
        for fact: RunEvent.Fact in [
            .run(.began(SampleRun().beginning)),
            .engine(.accepts(transfer, index: nil, [upload])),
            .engine(.accepts(ItemName(2, of: .bucket), index: nil, [])),
            .engine(.moves(transfer, from: .waiting, to: .running, because: "started")),
            .engine(.attempt(transfer, number: 1)), .engine(.attempt(transfer, number: 1)),
            .entries(.callback(transfer, .progress(done: ByteCount(5), total: ByteCount(5)))),
            .entries(.callback(transfer, .completed)),
            .entries(
                .callback(
                    ItemName(2, of: .bucket), .ended(code: 810, message: "terminated"))),
        ] { collector.read(RunEvent(at: .start, fact)) }
        let model = ReportModel(collector, verdicts: [], digest: "")
        #expect(model.figures.queued.isEmpty && model.figures.tasks.isEmpty)
        #expect(model.figures.transfers.map(\.outcome) == [.completed, .cancelled])
        let row = try #require(model.figures.transfers.first)
        #expect(row.attempts == 2 && row.payload == ByteCount(5))
        #expect(SuiteEntry(model, folder: "x").endWords == "1 of 2 transfers")
        let page = HTMLReport.document(for: model, charts: nil)
        #expect(page.contains("Resumable transfers") && page.contains("Transfers completed"))
    }

    @Test func `a session of the queue is no task`() {
        let figures = figures([(1, .engine(.accepts(ItemName(1), index: 0, [])))])
        #expect(figures.tasks.isEmpty && figures.queued.count == 1)
        #expect(figures.queued.first?.task == nil)
    }
}
