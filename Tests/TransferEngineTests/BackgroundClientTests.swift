import Protocols
import Quantities
import Testing
import TransferEngine

/// What a background session refuses before the system hears of it: nothing has changed then.
@Suite struct BackgroundClientTests {
    private static let account = Account(
        host: "docroot", port: 80, credentials: CredentialHandle("app"))

    static let refusals: [(BackgroundCommand, TaskRefusal)] = [
        (.createFromMemory(1), .notFromFile(1)),
        (.create(1 << 48, request()), .numberTooLarge(1 << 48)),
        (.create(1, request(session: "other")), .noSuchSession("other")),
        (.create(1, request(host: "")), .accountWithoutHost),
        (.create(1, request(.upload(from: "../a"))), .sourceOutsideContainer("../a")),
        (.create(1, request(at: "../a", .upload(from: "a"))), .destinationOutsideDocroot("../a")),
        (.create(1, request(at: "a/../b")), .destinationOutsideDocroot("a/../b")),
        (.create(1, request(at: "/a b")), .destinationOutsideDocroot("/a b")),
        (.create(1, request(at: "/a#b")), .destinationOutsideDocroot("/a#b")),
        (.create(1, request(method: "GET IT")), .noMethod("GET IT")),
        (.create(1, request(.upload(from: "a"), method: "HEAD")), .methodWithoutBody("HEAD")),
        (.create(1, request(fields: [("A b", "c")])), .noField("A b")),
        (.create(1, request(fields: [("A", "b\r\nC: d")])), .noField("A")),
        (.create(1, request(fields: [("Host", "b")])), .reservedField("Host")),
        (.create(1, request(fields: [("authorization", "b")])), .reservedField("authorization")),
        (.invalidate(session: "other", cancelling: true), .noSuchSession("other")),
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
        at address: String = "a", _ transfer: BackgroundTaskRequest.Transfer = .download,
        session: String = "films", host: String = "docroot", method: String? = nil,
        fields: [(String, String)] = []
    ) -> BackgroundTaskRequest {
        var account = account
        account.host = host
        let request = TaskRequest(
            address, of: account, method: method, fields: HTTPFields(fields))
        return BackgroundTaskRequest(session: session, request, transfer)
    }

    @Test func `who waits for a list or for resume data is answered in any case (B17, B20)`() {
        var engine = TransferEngine()
        var outputs: [EngineOutput] = []
        func tell(_ command: BackgroundCommand) {
            outputs = []
            _ = engine.handle(.command(.background(command)), at: .start, into: &outputs)
        }
        _ = engine.handle(.restored([]), at: .start, into: &outputs)
        tell(.list(session: "films"))
        #expect(
            outputs == [
                .tell(.background(.tasks(session: "films", []))),
                .tell(.refused(.task(.noSuchSession("films")))),
            ])
        tell(.open(session: "films"))
        tell(.createFromMemory(1))
        tell(.cancel(1, keepingPart: true))
        #expect(outputs == [.tell(.refused(.task(.noSuchTask(1))))])
    }

    @Test func `a session that ends takes no more tasks, and can be made again (B18)`() {
        var engine = TransferEngine()
        var outputs: [EngineOutput] = []
        func tell(_ input: EngineInput) {
            outputs = []
            _ = engine.handle(input, at: .start, into: &outputs)
        }
        tell(.restored([]))
        tell(.command(.background(.open(session: "films"))))
        tell(.command(.background(.invalidate(session: "films", cancelling: false))))
        #expect(outputs == [.askDaemon(.invalidate(session: "films", cancelling: false))])
        tell(.command(.background(.create(1, Self.request()))))
        #expect(outputs == [.tell(.refused(.task(.sessionEnds("films"))))])
        tell(.command(.background(.open(session: "films"))))
        #expect(outputs == [.tell(.refused(.task(.sessionIsLive("films"))))])
        tell(.daemon(.invalidated(session: "films")))
        #expect(outputs == [.tell(.background(.didBecomeInvalid(session: "films")))])
        tell(.command(.background(.open(session: "films"))))
        #expect(outputs == [.askDaemon(.attach(session: "films"))])
    }
}
