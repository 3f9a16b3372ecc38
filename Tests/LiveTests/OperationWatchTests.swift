import Quantities
import RunLog
import RunPlan
import Testing

@testable import Live

/// When a live run has to wait for an app's upload operations.
@Suite struct OperationWatchTests {
    private static let first = ItemName(3, of: .operations)
    private static let accepted = RunEvent.Fact.engine(.accepts(first, index: nil, []))
    private static let failed = RunEvent.Fact.operations(
        .callback(first, .failed(code: -1005, message: "lost")))
    private static let upload = PlannedOperation(source: "a", to: "b")

    private func watch(
        _ facts: [RunEvent.Fact], rules: [AppPlan.Rule] = [], operations: Int = 1,
        launch: UInt32 = 1
    ) -> QuietWatch {
        var app = AppPlan(rules)
        app.operations = Array(repeating: Self.upload, count: operations)
        // Two operations of other apps are counted before.
        var before = ItemCounts()
        before[.operations] = 2
        var watch = QuietWatch(app, before: before)
        watch.launched(launch)
        for fact in facts { watch.read(RunEvent(at: .start, fact)) }
        return watch
    }

    @Test func `what is to be begun, and what is ongoing, is waited for`() {
        #expect(!watch([]).isIdle)
        #expect(!watch([Self.accepted]).isIdle)
        #expect(watch([Self.accepted, Self.failed]).isIdle)
        #expect(watch([], operations: 0).isIdle)
    }

    @Test func `a later launch begins only what a rule says`() {
        #expect(watch([], launch: 2).isIdle)
        let rule = AppPlan.Rule(.launch(2), .item(.begin, ItemName(1, of: .operations)))
        #expect(!watch([], rules: [rule], launch: 2).isIdle)
        #expect(watch([Self.accepted, Self.failed], rules: [rule], launch: 2).isIdle)
    }

    @Test func `what a rule retries is waited for, until it has ended again`() {
        let rule = AppPlan.Rule(
            .failed(ItemName(1, of: .operations)), .item(.retry, ItemName(1, of: .operations)))
        let retried = RunEvent.Fact.operations(.asked(Self.first, .retry))
        let done = RunEvent.Fact.operations(.callback(Self.first, .completed))
        let log = [Self.accepted, Self.failed]
        #expect(!watch(log, rules: [rule]).isIdle)
        #expect(!watch(log + [retried], rules: [rule]).isIdle)
        #expect(watch(log + [retried, done], rules: [rule]).isIdle)
        #expect(watch(log + [.operations(.refused(reason: "no"))], rules: [rule]).isIdle)
    }

    @Test func `nothing survives the process`() {
        var dead = watch([Self.accepted])
        dead.appEnded()
        #expect(dead.isIdle)
    }
}
