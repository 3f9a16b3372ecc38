import Quantities
import Testing
import TransferEngine

/// What a background session refuses before the system hears of it: nothing has changed then.
@Suite struct BackgroundClientTests {
    private static let account = Account(
        host: "docroot", port: 80, credentials: CredentialHandle("app"))

    static let refusals: [(BackgroundCommand, TaskRefusal)] = [
        (.createFromMemory(1), .notFromFile(1)),
        (.create(1, request(session: "other")), .noSuchSession("other")),
        (.create(1, request(host: "")), .accountWithoutHost),
        (.create(1, request(.upload(from: "../a", to: "a"))), .sourceOutsideContainer("../a")),
        (.create(1, request(.upload(from: "a", to: "../a"))), .destinationOutsideDocroot("../a")),
        (.create(1, request(.download("/../a"))), .destinationOutsideDocroot("/../a")),
        (.open(session: "films"), .sessionIsLive("films")),
    ]

    @Test(arguments: refusals) func `only files of the app's own, and places of the server (B9)`(
        command: BackgroundCommand, refusal: TaskRefusal
    ) {
        var engine = TransferEngine()
        var outputs: [EngineOutput] = []
        _ = engine.handle(.restored([]), at: .start, into: &outputs)
        _ = engine.handle(
            .command(.background(.open(session: "films"))), at: .start, into: &outputs)
        outputs = []
        _ = engine.handle(.command(.background(command)), at: .start, into: &outputs)
        #expect(outputs == [.tell(.refused(.task(refusal)))])
        #expect(!refusal.message.isEmpty)
    }

    private static func request(
        _ transfer: BackgroundTaskRequest.Transfer = .download("a"), session: String = "films",
        host: String = "docroot"
    ) -> BackgroundTaskRequest {
        var account = account
        account.host = host
        return BackgroundTaskRequest(session: session, account: account, transfer)
    }
}
