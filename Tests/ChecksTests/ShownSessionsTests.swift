import Quantities
import RunLog
import Testing

@testable import Checks

/// The rows of an app's queue show how its sessions stand (S9).
@Suite struct ShownSessionsTests {
    private static let launch = RunEvent.Fact.device(.appLaunched(launch: 1))
    private static let one = ItemName(1)
    private static let running = SmallLog.stage(1, .waiting, .running)
    private static let asked = RunEvent.Fact.store(.requested(ticket: 1, content: 1, paths: []))
    private static let committed = RunEvent.Fact.store(.committed(ticket: 1))
    private static let opened = RunEvent.Fact.store(.opened(launch: 2, content: 1, sessions: 1))

    private static func fails(_ code: Int, retryIn pause: TimeSpan? = nil) -> RunEvent.Fact {
        .engine(.fails(one, code: code, message: "it broke", retryIn: pause))
    }

    private static func shows(
        _ stage: ItemStage = .waiting, arrived: Int = 0, done: UInt64 = 0, error: Int? = nil,
        wait: ShownWait? = nil
    ) -> RunEvent.Fact {
        let row = ShownSession(
            one, stage, arrived: arrived, done: ByteCount(done), error: error, wait: wait)
        return .shown(.queue([row], saved: [], accounts: [], runs: false))
    }

    /// Returns what the rule expected at the first fact that breaks it. There is a second between
    /// any two.
    private func slip(_ facts: [RunEvent.Fact]) -> String? {
        var rows = ShownSessions()
        for (moment, fact) in facts.enumerated() {
            do throws(NotAllowed) {
                try rows.read(RunEvent(at: Self.moment(moment), fact))
            } catch { return error.expected }
        }
        return nil
    }

    private static func moment(_ second: Int) -> Instant { .start + .seconds(Int64(second)) }

    @Test func `a row shows the state, also after a launch`() {
        let told = [Self.launch, SmallLog.accepted(), Self.running]
        #expect(slip(told + [Self.shows(.running)]) == nil)
        #expect(slip(told + [Self.shows()]) == "session 1 to be running")
        let again = told + [Self.launch, SmallLog.stage(1, .running, .waiting)]
        #expect(slip(again + [Self.shows()]) == nil)
        #expect(slip(again + [Self.shows(.running)]) == "session 1 to be waiting")
    }

    @Test func `a row shows the last error, until the app runs it or it is complete`() {
        let told = [SmallLog.accepted(), Self.running, Self.fails(40), Self.fails(4)]
        #expect(slip(told + [Self.shows(.running, error: 4)]) == nil)
        #expect(slip(told + [Self.shows(.running)]) == "session 1 to show error 4")
        let completed = told + [SmallLog.stage(1, .running, .completed)]
        #expect(slip(completed + [Self.shows(.completed)]) == nil)
        #expect(
            slip(completed + [Self.shows(.completed, error: 4)]) == "session 1 to show no error")
        let run = told + [.queue(.asked(Self.one, .run))]
        #expect(slip(run + [Self.shows(.running, error: 4)]) != nil)
    }

    @Test func `a kill takes back what is not durable, and nothing else`() {
        let told = [SmallLog.accepted(), Self.fails(4), Self.asked]
        let killed = told + [Self.opened, Self.launch]
        #expect(slip(killed + [Self.shows()]) == nil)
        #expect(slip(killed + [Self.shows(error: 4)]) == nil)
        #expect(slip(killed + [Self.shows(error: 5)]) != nil)
        let kept = told + [Self.committed, Self.opened, Self.launch]
        #expect(slip(kept + [Self.shows(error: 4)]) == nil)
        #expect(slip(kept + [Self.shows()]) == "session 1 to show error 4")
    }

    @Test func `a store that has refused a change may have any of them later`() {
        let failed = RunEvent.Fact.store(.failed(reason: "the disk is full"))
        let later = [
            .store(.requested(ticket: 2, content: 1, paths: [])), Self.opened, Self.launch,
        ]
        let told = [SmallLog.accepted(), Self.fails(4), Self.asked, failed]
        let kept = told + [later[0], .store(.committed(ticket: 2))] + later.dropFirst()
        #expect(slip(kept + [Self.shows()]) == nil)
        #expect(slip(kept + [Self.shows(error: 4)]) == nil)
    }

    @Test func `a row counts the files that have arrived, and their bytes`() {
        let told = [
            SmallLog.accepted(), SmallLog.inspected(size: 100, modified: 1), SmallLog.completes(),
            Self.asked, Self.committed,
        ]
        #expect(slip(told + [Self.shows(arrived: 1, done: 100)]) == nil)
        #expect(
            slip(told + [Self.shows()]) == "session 1 to show that 1 of its files have arrived")
        #expect(slip(told + [Self.shows(arrived: 1, done: 90)]) != nil)
        // The source was edited meanwhile: either size may be what has arrived.
        let edited =
            [SmallLog.accepted(), SmallLog.inspected(size: 90, modified: 0)] + told.dropFirst()
        #expect(slip(edited + [Self.shows(arrived: 1, done: 90)]) == nil)
        // It was begun anew in the size of the last look, and had arrived before it grew.
        let grown: [RunEvent.Fact] = [
            SmallLog.accepted(), SmallLog.inspected(size: 90, modified: 0),
            .engine(.startsOver(TransferName(1), because: "the source has changed")),
        ]
        #expect(slip(grown + told.dropFirst() + [Self.shows(arrived: 1, done: 90)]) == nil)
        // Nobody knows whether it has arrived, after a kill before the commit.
        let killed = told.dropLast() + [Self.opened, Self.launch]
        #expect(slip(killed + [Self.shows()]) == nil)
        #expect(slip(killed + [Self.shows(arrived: 1, done: 100)]) == nil)
        #expect(slip(killed + [Self.shows(arrived: 2)]) != nil)
        #expect(slip(told + [SmallLog.sends(from: 0), Self.shows(arrived: 1, done: 100)]) != nil)
    }

    @Test func `a kill takes back that a file was begun again`() {
        let told = [
            SmallLog.accepted(), SmallLog.completes(), Self.asked, Self.committed,
            .engine(.startsOver(TransferName(1), because: "the app runs it again")),
        ]
        #expect(slip(told + [Self.shows()]) == nil)
        #expect(slip(told + [Self.shows(arrived: 1)]) != nil)
        #expect(slip(told + [Self.opened, Self.launch, Self.shows(arrived: 1)]) == nil)
    }

    @Test func `a row shows until when a session rests`() {
        let told = [
            SmallLog.accepted(), Self.fails(40, retryIn: .seconds(60)),
            SmallLog.stage(1, .running, .retrying),
        ]
        func shows(until moment: Instant?) -> RunEvent.Fact {
            Self.shows(.retrying, error: 40, wait: moment.map { .pause(until: $0) })
        }
        #expect(slip(told + [shows(until: Self.moment(61))]) == nil)
        #expect(slip(told + [shows(until: Self.moment(60))]) != nil)
        #expect(slip(told + [shows(until: nil)]) == "session 1 to wait until \(Self.moment(61))")
        let begun = told + [.engine(.attempt(Self.one, number: 2))]
        #expect(slip(begun + [shows(until: nil)]) == nil)
        #expect(slip(begun + [shows(until: Self.moment(61))]) == "session 1 to wait for no pause")
    }

    @Test func `a row shows which network a session waits for`() {
        let told = [
            SmallLog.accepted(), .engine(.waitsForNetwork(Self.one, because: "there is none")),
        ]
        let waits = Self.shows(wait: .network(because: "there is none"))
        #expect(slip(told + [waits]) == nil)
        #expect(slip(told + [Self.shows()]) == "session 1 to wait for a network: there is none")
        #expect(slip(told + [Self.shows(wait: .network(because: "it is closed"))]) != nil)
        let task = ItemName(3, of: .background)
        let another = RunEvent.Fact.engine(.waitsForNetwork(task, because: "it is metered"))
        #expect(slip(told + [another, waits]) == nil)
        // The queue may have been stopped since, or the network may be there.
        #expect(slip(told + [.queue(.stopped), Self.shows()]) == nil)
        let begun = told + [.engine(.attempt(Self.one, number: 1))]
        #expect(slip(begun + [waits]) == "session 1 to wait for no network")
    }
}
