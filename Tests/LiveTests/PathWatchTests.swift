import Quantities
import RunLog
import RunPlan
import Testing

@testable import Live

/// When a live run has to wait for paths of persistent sessions.
@Suite struct PathWatchTests {
    private static let session = ItemName(3)
    private static let path = TransferName(path: 1, ofLaunch: 1)
    private static let added = RunEvent.Fact.queue(
        .pathAdded(
            session, AcceptedTransfer(transfer: path, source: "a", destination: "in/a")))
    private static let opened = told(.canAcceptPaths)

    private static func told(_ callback: SessionCallback) -> RunEvent.Fact {
        .queue(.callback(session, callback))
    }

    private func watch(
        _ facts: [RunEvent.Fact], rules: [AppPlan.Rule] = []
    ) -> QuietWatch {
        let planned = ["a", "b"].map { PlannedPath(source: $0, destination: "in/\($0)") }
        // Two sessions of other apps are counted before.
        var before = ItemCounts()
        before[.queue] = 2
        var watch = QuietWatch(
            AppPlan(rules), [PlannedSession(.paths(planned, isDownload: false))], before: before)
        for fact in [Self.told(.willActivate)] + facts {
            watch.read(RunEvent(at: .start, fact))
        }
        return watch
    }

    @Test func `a session is open from the word that it is until it stops running`() {
        #expect(!watch([]).isLeftOpen)
        #expect(watch([Self.opened]).isLeftOpen)
        #expect(!watch([Self.opened, Self.told(.didStopRunning)]).isLeftOpen)
    }

    @Test func `what was added is waited for until it has arrived or is given up`() {
        #expect(watch([Self.opened]).pathsAreIdle)
        #expect(!watch([Self.opened, Self.added]).pathsAreIdle)
        for end in [EngineFact.completes(Self.path), .givesUp(Self.path, because: "no such file")] {
            #expect(watch([Self.opened, Self.added, .engine(end)]).pathsAreIdle)
        }
    }

    @Test func `what a rule is to add is waited for, all of it`() {
        let occasion = AppPlan.Occasion.canAcceptPaths(ItemName(1))
        let all = [AppPlan.Rule(occasion, .addPath(1, path: nil))]
        let done = RunEvent.Fact.engine(.completes(Self.path))
        #expect(!watch([Self.opened], rules: all).pathsAreIdle)
        #expect(!watch([Self.opened, Self.added, done], rules: all).pathsAreIdle)
        let denied = RunEvent.Fact.queue(.denied(reason: "no"))
        #expect(watch([Self.opened, Self.added, done, denied], rules: all).pathsAreIdle)
        let one = [AppPlan.Rule(occasion, .addPath(1, path: 2))]
        #expect(!watch([Self.opened], rules: one).pathsAreIdle)
        #expect(watch([Self.opened, Self.added, done], rules: one).pathsAreIdle)
    }

    @Test func `nothing is owed by a process that has ended`() {
        let rule = AppPlan.Rule(.canAcceptPaths(ItemName(1)), .addPath(1, path: nil))
        var watch = watch([Self.opened, Self.added], rules: [rule])
        watch.appEnded()
        #expect(watch.pathsAreIdle)
        #expect(!watch.isLeftOpen)
    }
}
