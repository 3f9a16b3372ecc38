import Quantities
import Testing
import TransferEngine

/// Behaviour A9, A13 and A18: what the queue takes, and what it refuses whole.
@Suite struct EnqueueTests {
    static let refusals: [(SessionRequest, QueueRefusal)] = [
        (request(host: ""), .accountWithoutHost),
        (request(credentials: ""), .accountWithoutCredentials),
        (request(files: []), .noFiles),
        (request(files: [("/etc/passwd", "x")]), .sourceOutsideContainer("/etc/passwd")),
        (request(files: [("../other/a", "x")]), .sourceOutsideContainer("../other/a")),
        (request(files: [("a", "../x")]), .destinationOutsideDocroot("../x")),
        // To people this “/” is another letter, to a disk it is not.
        (request(files: [("a", "../\u{301}x")]), .destinationOutsideDocroot("../\u{301}x")),
        (request(files: [("a", "x/../../y")]), .destinationOutsideDocroot("x/../../y")),
        (request(files: [("a", "")]), .destinationOutsideDocroot("")),
    ]

    @Test(arguments: refusals) func `a session that lacks something is refused and says what`(
        request: SessionRequest, refusal: QueueRefusal
    ) {
        #expect(outputs(of: request) == [.note(.refused(refusal))])
    }

    @Test func `an accepted session is handed to the store before anything else happens`() {
        let outputs = outputs(of: Self.request())
        guard case .note(.accepted(let session, 0, _)) = outputs.first,
            case .persist(_, .put(let record)) = outputs.last
        else {
            Issue.record("\(outputs)")
            return
        }
        #expect(outputs.count == 2)
        #expect(record.id == session && record.state == .waiting)
    }

    private func outputs(of request: SessionRequest) -> [EngineOutput] {
        var engine = TransferEngine()
        var outputs: [EngineOutput] = []
        _ = engine.handle(.restored([]), at: .start, into: &outputs)
        let deadline = engine.handle(.command(.enqueue(request)), at: .start, into: &outputs)
        #expect(deadline == nil, "a queue that was not started is passive")
        return outputs
    }

    static func request(
        host: String = "docroot", credentials: String = "app",
        files: [(String, String)] = [("a", "x")]
    ) -> SessionRequest {
        SessionRequest(
            account: Account(host: host, port: 80, credentials: CredentialHandle(credentials)),
            uploads: files.map { SessionRequest.File(source: $0.0, destination: $0.1) })
    }
}
