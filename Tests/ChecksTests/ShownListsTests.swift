import Quantities
import RunLog
import Testing

@testable import Checks

/// An app's lists show what it was told in this launch (S9).
@Suite struct ShownListsTests {
    private static let launch = RunEvent.Fact.device(.appLaunched(launch: 1))

    private static func sessions(
        _ numbers: [UInt64], saved: [UInt64] = [], runs: Bool = false
    ) -> RunEvent.Fact {
        .shown(
            .queue(
                numbers.map { ShownSession(ItemName($0)) }, saved: saved.map { ItemName($0) },
                accounts: [],
                runs: runs))
    }

    private static func row(_ session: UInt64, _ change: RowChange) -> RunEvent.Fact {
        .queue(.callback(ItemName(session), .row(change)))
    }

    /// Returns what the rule expected at the first fact that breaks it.
    private func slip(_ facts: [RunEvent.Fact]) -> String? {
        var lists = ShownLists()
        for (moment, fact) in facts.enumerated() {
            do throws(NotAllowed) {
                try lists.read(RunEvent(at: .start + .seconds(Int64(moment)), fact))
            } catch { return error.expected }
        }
        return nil
    }

    @Test func `a queue shows its rows in their order`() {
        let told = [
            Self.launch, .queue(.holds([ItemName(1), ItemName(2)])),
            Self.row(3, .inserted(at: 0)), Self.row(2, .moved(from: 2, to: 1)),
            Self.row(1, .removed(at: 2)),
        ]
        #expect(slip(told + [Self.sessions([3, 2])]) == nil)
        #expect(
            slip(told + [Self.sessions([2, 3])])
                == "the queue to stand and show session 3, session 2")
        #expect(slip(told + [Self.sessions([3, 2, 1])]) != nil)
        // The next launch begins with what it finds.
        #expect(slip(told + [Self.launch, Self.sessions([])]) == nil)
    }

    @Test(
        arguments: [
            (.inserted(at: 3), "a new row between 0 and 2, of a session without one"),
            (.removed(at: 0), "the row of session 2, which is 1"),
            (.moved(from: 0, to: 1), "the row of session 2, which is 1"),
            (.moved(from: 1, to: 2), "a row from 0 to 1"),
            (.updated(at: 0), "the row of session 2, which is 1"),
        ] as [(RowChange, String)])
    func `a change of another row than the session's falls`(change: RowChange, expected: String) {
        let told = [
            Self.launch, .queue(.holds([ItemName(1), ItemName(2)])),
        ]
        let session: UInt64 = if case .inserted = change { 3 } else { 2 }
        #expect(slip(told + [Self.row(session, change)]) == expected)
        #expect(slip(told + [Self.row(2, .updated(at: 1))]) == nil)
        #expect(slip(told + [Self.row(3, .updated(at: 1))]) == "the row of a session that has one")
    }

    @Test func `a queue shows whether it runs, until the process ends (A22)`() {
        let started = [Self.launch, .queue(.started)]
        #expect(slip(started + [Self.sessions([], runs: true)]) == nil)
        #expect(
            slip(started + [Self.sessions([])]) == "the queue to run and show no session")
        #expect(slip(started + [.queue(.stopped), Self.sessions([], runs: true)]) != nil)
        #expect(slip(started + [Self.launch, Self.sessions([])]) == nil)
    }

    @Test func `a saved session is shown once, until it is enqueued`() {
        let saved = [
            Self.launch,
            .queue(.saved(.session(ItemName(1), of: AccountName(1), []))),
        ]
        #expect(slip(saved + [Self.sessions([], saved: [1])]) == nil)
        #expect(slip(saved + [Self.sessions([], saved: [1, 1])]) != nil)
        #expect(slip(saved + [Self.sessions([])]) != nil)
        let enqueued = saved + [.engine(.accepts(ItemName(1), index: 0, []))]
        #expect(slip(enqueued + [Self.sessions([])]) == nil)
    }

    private static let operation = ItemName(1, of: .operations)

    private static func operations(
        ongoing: [ShownOperation] = [], completed: [ShownOperation] = [],
        failed: [ShownOperation] = []
    ) -> RunEvent.Fact {
        .shown(.operations(ongoing: ongoing, completed: completed, failed: failed))
    }

    private static func shown(_ percent: Int, error: Int? = nil) -> ShownOperation {
        ShownOperation(
            operation, percent: percent, done: ByteCount(UInt64(percent)), error: error)
    }

    @Test func `an operation is in one list, with its progress and its error`() {
        func told(_ callbacks: OperationCallback...) -> [RunEvent.Fact] {
            [Self.launch] + callbacks.map { .operations(.callback(Self.operation, $0)) }
        }
        let half = OperationCallback.progress(done: ByteCount(50), total: ByteCount(100))
        let failed = OperationCallback.failed(code: -1005, message: "lost")
        #expect(slip(told(.added, half) + [Self.operations(ongoing: [Self.shown(50)])]) == nil)
        #expect(slip(told(.added, half) + [Self.operations(ongoing: [Self.shown(0)])]) != nil)
        let inFailed = Self.operations(failed: [Self.shown(50, error: -1005)])
        #expect(slip(told(.added, half, failed) + [inFailed]) == nil)
        #expect(slip(told(.added, half, failed, .added) + [inFailed]) != nil)
        // A retry begins at nothing, and without the error.
        let again = told(.added, half, failed, .added)
        #expect(slip(again + [Self.operations(ongoing: [Self.shown(0)])]) == nil)
        #expect(slip(again + [Self.operations(ongoing: [Self.shown(50)])]) != nil)
        #expect(slip(again + [Self.operations(ongoing: [Self.shown(0, error: -1005)])]) != nil)
        let gone = told(.added, .completed) + [.operations(.callback(Self.operation, .agedOut))]
        #expect(slip(gone + [Self.operations(completed: [Self.shown(0)])]) != nil)
    }

    @Test func `each observer has heard of all changes, leaving a list among them (U8)`() {
        func heard(_ counts: Int...) -> RunEvent.Fact { .shown(.observers(counts)) }
        let told =
            [Self.launch]
            + [.added, .completed, .agedOut].map { .operations(.callback(Self.operation, $0)) }
        #expect(slip(told + [heard(3, 3)]) == nil)
        #expect(slip(told + [heard(3, 2)]) == "each observer to have heard of 3 changes")
        #expect(slip(told + [heard(4)]) != nil)
        #expect(slip(told + [Self.launch, heard(0)]) == nil)
    }

    private static let transfer = ItemName(1, of: .bucket)

    private static func transfers(
        _ done: UInt64?, of total: UInt64? = 100, isOngoing: Bool = false
    ) -> RunEvent.Fact {
        .shown(
            .transfers(
                done.map {
                    [
                        ShownTransfer(
                            transfer, isOngoing: isOngoing, done: ByteCount($0),
                            total: total.map { ByteCount($0) })
                    ]
                } ?? []))
    }

    private static let moved: [RunEvent.Fact] = [
        launch, .entries(.callback(transfer, .ongoing)),
        .entries(.callback(transfer, .progress(done: ByteCount(60), total: ByteCount(100)))),
        .store(.requested(ticket: 1, content: 1, paths: [])),
    ]

    @Test func `a manager lists a transfer until it ends`() {
        #expect(slip(Self.moved + [Self.transfers(60, isOngoing: true)]) == nil)
        #expect(slip(Self.moved + [Self.transfers(60)]) != nil)
        #expect(slip(Self.moved + [Self.transfers(0, isOngoing: true)]) != nil)
        #expect(slip(Self.moved + [Self.transfers(60, of: nil, isOngoing: true)]) != nil)
        let ended = Self.moved + [.entries(.callback(Self.transfer, .completed))]
        #expect(slip(ended + [Self.transfers(nil)]) == nil)
        #expect(slip(ended + [Self.transfers(60)]) != nil)
    }

    @Test func `a launch lists what was durable before`() {
        let opened = RunEvent.Fact.store(.opened(launch: 2, content: 1, sessions: 1))
        let next = [opened, Self.launch, .entries(.held([Self.transfer]))]
        let durable = Self.moved + [.store(.committed(ticket: 1))] + next
        #expect(slip(durable + [Self.transfers(60)]) == nil)
        #expect(slip(durable + [Self.transfers(0)]) == "transfer 1 to be SUSPENDED at 60 B or more")
        // A change that was not committed may be lost.
        #expect(slip(Self.moved + next + [Self.transfers(0)]) == nil)
    }
}
