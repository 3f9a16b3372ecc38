import Quantities
import RunLog
import RunPlan
import Testing

@testable import Live

/// When a live run has nothing left to wait for in its resumable transfers.
@Suite struct TransferWatchTests {
    private let first = ItemName(3, of: .bucket)

    private func watch(_ rules: [AppPlan.Rule] = []) -> QuietWatch {
        var app = AppPlan(rules)
        app.transfers = (1...2).map {
            PlannedTransfer(isDownload: false, path: "a", object: "\($0)", bucket: "b")
        }
        var watch = QuietWatch(app, before: Self.counts(sessions: 5, transfers: 2))
        watch.launched(1)
        return watch
    }

    private func tell(_ watch: inout QuietWatch, _ facts: [RunEvent.Fact]) {
        for fact in facts { watch.read(RunEvent(at: .start, fact)) }
    }

    private static func counts(sessions: UInt64, transfers: UInt64) -> ItemCounts {
        var counts = ItemCounts()
        counts[.queue] = sessions
        counts[.bucket] = transfers
        return counts
    }

    private func starts(_ number: UInt64) -> [RunEvent.Fact] {
        let item = ItemName(number, of: .bucket)
        return [
            .engine(.accepts(item, index: nil, [])), .entries(.callback(item, .ongoing)),
        ]
    }

    private func rests(_ number: UInt64) -> RunEvent.Fact {
        .entries(
            .callback(
                ItemName(number, of: .bucket), .suspended(code: 809, message: "suspended")))
    }

    @Test func `it waits for those that the first launch starts, and until they rest or end`() {
        var watch = watch()
        #expect(!watch.isIdle)
        tell(&watch, starts(3) + starts(4) + [rests(3)])
        #expect(!watch.isIdle)
        tell(&watch, [.entries(.callback(ItemName(4, of: .bucket), .completed))])
        #expect(watch.isIdle)
    }

    @Test func `it waits for what the app does as it hears of an end, of a session, too`() {
        var watch = watch([
            .init(.completed(ItemName(1)), .item(.begin, ItemName(2, of: .bucket))),
            .init(.suspended(ItemName(1, of: .bucket)), .item(.begin, ItemName(2, of: .bucket))),
            .init(.failed(ItemName(1, of: .bucket)), .item(.resume, ItemName(1, of: .bucket))),
        ])
        tell(&watch, starts(3) + [rests(3)])
        #expect(!watch.isIdle, "the second one is to be started")
        tell(&watch, starts(4) + [rests(4)])
        #expect(watch.isIdle)
        let ended = EntryCallback.ended(code: 810, message: "terminated")
        tell(
            &watch,
            [
                .entries(.asked(first, .transfer)), .entries(.callback(first, .ongoing)),
                .entries(.callback(first, ended)),
            ])
        #expect(!watch.isIdle, "it asks for what has ended, and hears that it cannot go on")
        tell(&watch, [.entries(.refused(first, code: 810, reason: "terminated"))])
        #expect(watch.isIdle)
        tell(&watch, [.queue(.callback(ItemName(6), .didDeactivate(.completed)))])
        #expect(!watch.isIdle, "the second one is to be started")
        tell(&watch, starts(4) + [.entries(.callback(ItemName(4, of: .bucket), .completed))])
        #expect(watch.isIdle)
    }

    @Test func `nobody goes on with what was lost with its store`() {
        var watch = watch([
            .init(.launch(2), .item(.resume, ItemName(1, of: .bucket))),
            .init(.launch(2), .item(.resume, ItemName(2, of: .bucket))),
        ])
        let second = ItemName(4, of: .bucket)
        tell(&watch, starts(3) + starts(4))
        watch.appEnded()
        watch.launched(2)
        tell(
            &watch,
            [.store(.setAside(as: "q", because: "a flipped bit", kept: [second], lost: []))])
        #expect(!watch.isIdle)
        tell(&watch, [.entries(.callback(second, .ongoing))])
        tell(
            &watch,
            [.entries(.asked(second, .transfer)), .entries(.callback(second, .completed))])
        #expect(watch.isIdle)
    }

    @Test func `what was refused can be asked for again`() {
        var watch = watch([
            .init(.completed(ItemName(1, of: .bucket)), .item(.resume, ItemName(2, of: .bucket)))
        ])
        let second = ItemName(4, of: .bucket)
        tell(&watch, [.entries(.refused(second, code: 811, reason: "taken"))] + starts(3))
        tell(&watch, [.entries(.callback(first, .completed))])
        #expect(!watch.isIdle)
        tell(&watch, starts(4) + [.entries(.callback(second, .completed))])
        #expect(watch.isIdle)
    }

    @Test func `what is refused is not waited for, and nothing after the end of the process`() {
        var watch = watch()
        tell(&watch, starts(3))
        tell(&watch, [.entries(.refused(ItemName(4, of: .bucket), code: 811, reason: "taken"))])
        #expect(!watch.isIdle)
        watch.appEnded()
        #expect(watch.isIdle)
        watch.launched(2)
        #expect(watch.isIdle, "the second launch goes on with nothing by itself")
    }

    @Test func `a launch that goes on with one waits for it if it is there`() {
        var watch = watch([.init(.launch(2), .item(.resume, ItemName(1, of: .bucket)))])
        tell(&watch, starts(3) + starts(4))
        watch.appEnded()
        watch.launched(2)
        #expect(!watch.isIdle)
        tell(&watch, [.entries(.callback(first, .completed))])
        watch.appEnded()
        watch.launched(2)
        #expect(watch.isIdle, "there is nothing to go on with")
        watch.dataCleared(before: Self.counts(sessions: 5, transfers: 4))
        watch.launched(1)
        #expect(!watch.isIdle)
    }
}
