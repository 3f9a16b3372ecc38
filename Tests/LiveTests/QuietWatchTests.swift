import Quantities
import RunLog
import RunPlan
import Testing

@testable import Live

@Suite struct QuietWatchTests {
    private static let first = ItemName(1)

    /// Counts of this many sessions of other apps.
    private static func counting(_ sessions: UInt64) -> ItemCounts {
        var counts = ItemCounts()
        counts[.queue] = sessions
        return counts
    }

    private static func sessions(_ count: Int) -> [PlannedSession] {
        Array(repeating: PlannedSession(.paths([], isDownload: false)), count: count)
    }

    private static let begins: [RunEvent.Fact] = [
        .engine(.accepts(first, index: 0, [])), .queue(.started),
        .engine(.moves(first, from: .waiting, to: .running, because: "")),
        .queue(.callback(first, .willActivate)),
    ]
    private static let ends: [RunEvent.Fact] = [
        .engine(.moves(first, from: .running, to: .completed, because: "")),
        .queue(.callback(first, .didDeactivate(.completed))),
    ]

    @Test func `an app is idle once all sessions have ended and it has been told`() {
        for count in 0...Self.ends.count {
            let watch = watch(Self.begins + Self.ends.prefix(count), planned: 1)
            #expect(watch.isIdle == (count == Self.ends.count), "after \(count) events")
        }
    }

    @Test func `an app that has no queue never starts one, and is idle`() {
        #expect(watch([], planned: 0).isIdle)
    }

    @Test func `sessions that are still to be enqueued are waited for`() {
        #expect(!watch(Self.begins + Self.ends, planned: 2).isIdle)
    }

    @Test func `what was lost with a damaged store is not waited for, what is added again is`() {
        let lost: [RunEvent.Fact] = [
            .store(.setAside(as: "d", because: "", kept: [], lost: [Self.first])),
            .queue(.started), .queue(.storeWasSetAside(as: "d")),
        ]
        var dead = QuietWatch(AppPlan(), Self.sessions(1))
        var again = QuietWatch(
            AppPlan([.init(.storeSetAside, .item(.begin, ItemName(1)))]), Self.sessions(1))
        for fact in Self.begins {
            dead.read(RunEvent(at: .start, fact))
            again.read(RunEvent(at: .start, fact))
        }
        dead.appEnded()
        again.appEnded()
        for fact in lost {
            dead.read(RunEvent(at: .start, fact))
            again.read(RunEvent(at: .start, fact))
        }
        #expect(dead.isIdle)
        #expect(!again.isIdle)
    }

    @Test func `in its script an app counts its own sessions, whatever others there are`() {
        let app = AppPlan([.init(.completed(ItemName(1)), .item(.begin, ItemName(2)))])
        let third = ItemName(3)
        var watch = QuietWatch(app, Self.sessions(2), before: Self.counting(2))
        let facts: [RunEvent.Fact] = [
            .engine(.accepts(third, index: 0, [])), .queue(.started),
            .engine(.moves(third, from: .waiting, to: .completed, because: "")),
            .queue(.callback(third, .didDeactivate(.completed))),
        ]
        for fact in facts { watch.read(RunEvent(at: .start, fact)) }
        #expect(!watch.isIdle)
    }

    @Test func `what an app adds for what it has heard is waited for, unless it dies before`() {
        let app = AppPlan([.init(.completed(Self.first), .item(.begin, ItemName(2)))])
        var watch = QuietWatch(app, Self.sessions(2))
        for fact in Self.begins + Self.ends { watch.read(RunEvent(at: .start, fact)) }
        #expect(!watch.isIdle)
        watch.appEnded()
        watch.read(RunEvent(at: .start, .queue(.started)))
        #expect(watch.isIdle)
    }

    @Test func `a session that the queue refused is not waited for`() {
        let refused = RunEvent.Fact.queue(.refused(reason: "no file"))
        #expect(watch(Self.begins + Self.ends + [refused], planned: 2).isIdle)
    }

    @Test func `a new launch is not idle before it has started its queue`() {
        var watch = watch(Self.begins + Self.ends, planned: 1)
        watch.appEnded()
        #expect(!watch.isIdle)
        watch.read(RunEvent(at: .start, .queue(.started)))
        #expect(watch.isIdle)
    }

    @Test func `a session that is paused is left open, and one that has ended is not`() {
        let paused: [RunEvent.Fact] = [
            .engine(.moves(Self.first, from: .running, to: .paused, because: ""))
        ]
        #expect(watch(Self.begins + paused, planned: 1).isLeftOpen)
        #expect(!watch(Self.begins, planned: 1).isLeftOpen)
        #expect(!watch(Self.begins + Self.ends, planned: 1).isLeftOpen)
    }

    @Test func `an end that cut an activation off leaves nothing to wait for`() {
        var watch = watch(Self.begins + Self.ends.prefix(1), planned: 1)
        watch.appEnded()
        watch.read(RunEvent(at: .start, .queue(.started)))
        #expect(watch.isIdle)
    }

    private func watch(_ facts: [RunEvent.Fact], planned: Int) -> QuietWatch {
        var watch = QuietWatch(AppPlan(), Self.sessions(planned))
        for fact in facts { watch.read(RunEvent(at: .start, fact)) }
        return watch
    }
}
