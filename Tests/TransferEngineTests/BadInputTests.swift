import Quantities
import Testing
import TransferEngine

/// What an app does wrong is a typed error that says what to do, and nothing has changed: neither
/// what is kept nor what is under way.
@Suite struct BadInputTests {
    struct Slip: Sendable {
        let name: String
        let command: QueueCommand
        let refusal: QueueRefusal
        /// Of its message.
        let remedy: String
    }

    private static func request(
        _ make: (inout SessionRequest) -> Void = { _ in }
    ) -> SessionRequest {
        var request = QueueBench.request
        make(&request)
        return request
    }

    private static func request(_ source: String, to destination: String) -> SessionRequest {
        request { $0.files = [.init(source: source, destination: destination)] }
    }

    private static let nowhere = QueueAccount(
        Account(host: "", port: 80, credentials: CredentialHandle("app")))
    private static let nobody = QueueAccount(
        Account(host: "docroot", port: 80, credentials: CredentialHandle("")))

    /// Session 1 runs, session 2 waits, session 3 is saved; account 1 is theirs.
    private static func bench() -> QueueBench {
        var bench = QueueBench(sessions: 2)
        bench.tell(.command(.queue(.save(request()))))
        return bench
    }

    static let slips: [Slip] = [
        Slip(
            name: "an account without host (A18)",
            command: .enqueue(request { $0.account = .like(nowhere) }),
            refusal: .accountWithoutHost, remedy: "set Account.host"),
        Slip(
            name: "an account without credentials (A18)", command: .saveAccount(nobody),
            refusal: .accountWithoutCredentials, remedy: "set Account.credentials"),
        Slip(
            name: "an account that is made one without host (A18)",
            command: .changeAccount(AccountID(1), to: nowhere), refusal: .accountWithoutHost,
            remedy: "set Account.host"),
        Slip(
            name: "no file (A18)", command: .enqueue(request { $0.files = [] }), refusal: .noFiles,
            remedy: "add at least one path"),
        Slip(
            name: "a path that leaves the docroot (A13)",
            command: .enqueue(request("a", to: "in/../../a")),
            refusal: .destinationOutsideDocroot("in/../../a"), remedy: "relative to it"),
        Slip(
            name: "a path that leaves the container (S7)",
            command: .save(request("../a", to: "a")), refusal: .sourceOutsideContainer("../a"),
            remedy: "inside the app's container"),
        Slip(
            name: "a file of a persistent session before it is open (P1)",
            command: .enqueue(request { $0.isPersistent = true }), refusal: .filesOfPersistent,
            remedy: "add them once it can accept them"),
        Slip(
            name: "a path for a session that is not persistent (P2)",
            command: .addPath(.init(source: "b", destination: "b"), to: SessionID(1)),
            refusal: .path(.notPersistent(SessionID(1))), remedy: "mark it as persistent"),
        Slip(
            name: "removing a session that runs (A10)",
            command: .session(.remove, SessionID(1)),
            refusal: .notInThisState(.remove, SessionID(1), .running), remedy: "cancel it first"),
        Slip(
            name: "deleting a session that runs (A10)",
            command: .deleteSession(SessionID(1)),
            refusal: .notInThisState(.remove, SessionID(1), .running), remedy: "cancel it first"),
        Slip(
            name: "deleting an account to which sessions refer (A10)",
            command: .deleteAccount(AccountID(1)),
            refusal: .accountInUse(AccountID(1), by: SessionID(1), of: 3),
            remedy: "remove them before"),
        Slip(
            name: "an index that the queue does not have", command: .move(SessionID(1), to: 2),
            refusal: .noSuchIndex(2, count: 2), remedy: "its indices are 0 to 1"),
        Slip(
            name: "a row that the app's own table does not have",
            command: .refuse(.noSuchIndex(2, count: 2)),
            refusal: .noSuchIndex(2, count: 2), remedy: "its indices are 0 to 1"),
        Slip(
            name: "a session that the queue does not have", command: .session(.run, SessionID(9)),
            refusal: .noSuchSession(SessionID(9)), remedy: "take one that is saved"),
        Slip(
            name: "a session that is only saved", command: .session(.run, SessionID(3)),
            refusal: .notEnqueued(SessionID(3)), remedy: "enqueue it, and wait"),
        Slip(
            name: "a place that the queue does not have", command: .insert(request(), at: 9),
            refusal: .noSuchPlace(9, count: 2), remedy: "its places are 0 to 2"),
        Slip(
            name: "a session that is not there", command: .enqueueSaved(SessionID(9), at: nil),
            refusal: .noSuchSession(SessionID(9)), remedy: "take one that is saved"),
        Slip(
            name: "an account that is not there",
            command: .enqueue(request { $0.account = .saved(AccountID(9)) }),
            refusal: .noSuchAccount(AccountID(9)), remedy: "save one"),
        Slip(
            name: "a session that is enqueued twice",
            command: .enqueueSaved(SessionID(2), at: nil), refusal: .alreadyEnqueued(SessionID(2)),
            remedy: "run it there"),
        Slip(
            name: "settings of a session that is active (A15)",
            command: .change(TransferSettings(), of: SessionID(1)),
            refusal: .settingsInUse(SessionID(1), .running), remedy: "cancel or stop it first"),
    ]

    @Test(arguments: slips.indices) func `a slip is told with its remedy, and changes nothing`(
        place: Int
    ) {
        let slip = Self.slips[place]
        var bench = Self.bench()
        let (kept, accounts, rows) = (bench.kept, bench.keptAccounts, bench.rows)
        let (deadline, before) = (bench.deadline, bench.outputs.count)
        bench.tell(.command(.queue(slip.command)))
        let answer = Array(bench.outputs.dropFirst(before))
        #expect(answer == [.tell(.refused(.queue(slip.refusal)))], "\(slip.name)")
        #expect(slip.refusal.message.contains(slip.remedy), "\(slip.refusal.message)")
        #expect(bench.kept == kept && bench.keptAccounts == accounts && bench.rows == rows)
        #expect(bench.deadline == deadline && bench.active == 1)
        bench.finish()
        bench.finish()
        #expect(bench.turns.suffix(1) == [2], "the queue goes on: \(slip.name)")
    }

    @Test func `starting what is started changes nothing (A8)`() {
        var bench = Self.bench()
        let heard = bench.heard
        bench.tell(.command(.queue(.start)))
        bench.ask(.run, 1)
        #expect(bench.refusals.isEmpty && bench.heard == heard && bench.active == 1)
    }

    @Test func `nothing is done before the engine is initialised (A17)`() {
        for slip in Self.slips {
            var engine = TransferEngine()
            var outputs: [EngineOutput] = []
            _ = engine.handle(.command(.queue(slip.command)), at: .start, into: &outputs)
            #expect(outputs == [.tell(.refused(.queue(.notInitialised)))], "\(slip.name)")
        }
        #expect(QueueRefusal.notInitialised.message.contains("wait until the queue is ready"))
    }
}
