import Quantities
import Testing
import TransferClient
import TransferEngine

/// The queue's API from the app's side (behaviour A12, A14).
@Suite struct TransferQueueTests {
    @Test func `what the app asks reaches the host, in order`() {
        let host = Host()
        let queue = TransferQueue(host: host)
        let request = SessionRequest(
            account: Account(host: "docroot", port: 80, credentials: CredentialHandle("app")),
            uploads: [SessionRequest.File(source: "a", destination: "b")])
        queue.enqueue(request)
        queue.start()
        #expect(host.commands == [.enqueue(request), .start])
    }

    @Test func `a row means the session that the app has been told of, whatever moves meanwhile`() {
        let host = Host()
        let queue = TransferQueue(host: host)
        let settings = TransferSettings(overwrite: .never, resume: .none)
        queue.deliver([5, 7, 9].map { Self.standing($0) })
        queue.moveSession(from: 2, to: 0)
        queue.runSession(at: 2)
        queue.changeSettings(settings, ofSessionAt: 1)
        #expect(
            host.commands == [
                .move(SessionID(9), to: 0), .session(.run, SessionID(9)),
                .change(settings, of: SessionID(7)),
            ])
        queue.deliver(.row(.moved(from: 2, to: 0)), for: SessionID(9))
        queue.cancelSession(at: 2)
        #expect(host.commands.last == .session(.cancel, SessionID(7)))
        queue.pauseSession(at: 3)
        #expect(host.commands.last == .refuse(.noSuchIndex(3, count: 3)))
    }

    @Test func `a path goes to its session, and an app hears when one can (P2)`() {
        let host = Host()
        let queue = TransferQueue(host: host)
        let app = App()
        queue.delegate = app
        queue.deliver(.canAcceptPaths, for: SessionID(7))
        #expect(app.heard == ["7 can accept paths"])
        queue.addPath(from: "a", to: "in/a", toPersistent: SessionID(7))
        #expect(
            host.commands == [
                .addPath(
                    SessionRequest.File(source: "a", destination: "in/a"), to: SessionID(7))
            ])
    }

    @Test(arguments: [
        ("/apps/1/Documents/a", "in/a", "Documents/a", "in/a"),
        ("in/a", "/apps/1/films/a", "in/a", "films/a"),
        // The engine refuses what lies elsewhere, and what is no path below the docroot.
        ("/apps/10/a", "in/a", "/apps/10/a", "in/a"),
        ("/apps/1/a", "/apps/1/in/a", "a", "/apps/1/in/a"),
    ])
    func `a path in the container may be absolute, and is passed on relative to it (P2, S7)`(
        source: String, destination: String, passedSource: String, passedDestination: String
    ) {
        let host = Host()
        let queue = TransferQueue(host: host)
        queue.addPath(from: source, to: destination, toPersistent: SessionID(7))
        let passed = SessionRequest.File(source: passedSource, destination: passedDestination)
        #expect(host.commands == [.addPath(passed, to: SessionID(7))])
    }

    @Test func `each callback calls its delegate method, with what it tells`() {
        let app = App()
        let queue = TransferQueue(host: Host())
        queue.delegate = app
        for callback in Self.activation { queue.deliver(callback, for: SessionID(7)) }
        #expect(
            app.heard == [
                "will activate 7", "did activate 7", "will start 7", "did start 7", "file a of 7",
                "a of 7: 5 B of 9 B", "7: 7 B of 20 B", "end of a of 7", "will stop 7",
                "did stop 7", "will deactivate 7", "did deactivate 7: completed",
            ])
    }

    @Test func `without a delegate nothing fires, and nothing breaks`() {
        let queue = TransferQueue(host: Host())
        for callback in Self.activation { queue.deliver(callback, for: SessionID(7)) }
    }

    @Test func `every delegate method is optional`() {
        final class Indifferent: TransferQueueDelegate {}
        let indifferent = Indifferent()
        let queue = TransferQueue(host: Host())
        queue.delegate = indifferent
        for callback in Self.activation { queue.deliver(callback, for: SessionID(7)) }
    }

    @Test func `a store that was set aside is told once, as soon as somebody listens`() {
        let setAside = StoreSetAside(
            name: "q.damaged-1", reason: "a flipped bit", lost: [SessionID(2)],
            lastTransfer: TransferID(2))
        let host = Host()
        let queue = TransferQueue(host: host)
        queue.deliver(setAside)
        #expect(host.commands.isEmpty, "nobody has heard it")
        let app = App()
        queue.delegate = app
        queue.delegate = app
        #expect(app.heard == ["q.damaged-1 without [2]"])
        #expect(host.commands == [.heardOfSetAside])
        queue.deliver(setAside)
        #expect(app.heard.count == 2)
    }

    private static func standing(_ number: UInt64, _ state: SessionState = .waiting)
        -> SessionStanding
    {
        SessionStanding(
            SessionRecord(
                id: SessionID(number),
                account: Account(host: "docroot", port: 80, credentials: CredentialHandle("app")),
                state: state, failures: 0, transfers: []))
    }

    @Test func `how each session stands is known in the order of the rows (A25)`() {
        let queue = TransferQueue(host: Host())
        queue.deliver([5, 7].map { Self.standing($0) })
        queue.deliver(Self.standing(7, .running))
        #expect(queue.standings.map(\.id.number) == [5, 7])
        #expect(queue.standing(of: SessionID(7))?.state == .running)
        queue.deliver(Self.standing(9))
        queue.deliver(.row(.inserted(at: 0)), for: SessionID(9))
        #expect(queue.standings.map(\.id.number) == [9, 5, 7])
        queue.deliver(.row(.removed(at: 1)), for: SessionID(5))
        #expect(queue.standings.map(\.id.number) == [9, 7])
        #expect(queue.standing(of: SessionID(5)) == nil)
    }

    @Test func `the mode of the queue is seen, and told (A22)`() {
        let queue = TransferQueue(host: Host())
        let app = App()
        queue.delegate = app
        queue.start()
        #expect(queue.mode == .stopped, "it has not been told yet")
        queue.deliver(.running)
        #expect(queue.mode == .running)
        queue.deliver(.stopped)
        #expect(queue.mode == .stopped)
        #expect(app.heard == ["the queue runs", "the queue stands"])
    }

    @Test func `the queue does not keep its delegate alive`() {
        let queue = TransferQueue(host: Host())
        var app: App? = App()
        queue.delegate = app
        app = nil
        #expect(queue.delegate == nil)
    }

    static let activation: [SessionCallback] = [
        .willActivate, .didActivate, .willStartRunning, .didStartRunning, .didStartFile(name: "a"),
        .progress(
            name: "a", done: ByteCount(5), total: ByteCount(9),
            ofSession: SessionProgress(done: ByteCount(7), total: ByteCount(20))),
        .didStopFile(name: "a"),
        .willStopRunning, .didStopRunning, .willDeactivate, .didDeactivate(.completed),
    ]
}

private final class Host: CommandDoor, @unchecked Sendable {
    let container = "/apps/1"
    private(set) var commands: [QueueCommand] = []
    func keep(_: Secret, as _: CredentialHandle) {}
    func submit(_ command: Command) {
        if case .queue(let command, _) = command { commands.append(command) }
    }
}

/// An app that writes down what it hears.
private final class App: TransferQueueDelegate {
    private(set) var heard: [String] = []

    func storeWasSetAside(_ setAside: StoreSetAside) {
        heard.append("\(setAside.name) without \(setAside.lost.map(\.number))")
    }
    func queueDidStart() { heard.append("the queue runs") }
    func queueDidStop() { heard.append("the queue stands") }
    func willActivate(_ session: SessionID) { heard.append("will activate \(session.number)") }
    func didActivate(_ session: SessionID) { heard.append("did activate \(session.number)") }
    func willStartRunning(_ session: SessionID) { heard.append("will start \(session.number)") }
    func didStartRunning(_ session: SessionID) { heard.append("did start \(session.number)") }
    func canAcceptPaths(_ session: SessionID) { heard.append("\(session.number) can accept paths") }
    func didStartTransferringFile(_ name: String, of session: SessionID) {
        heard.append("file \(name) of \(session.number)")
    }
    func didProgress(_ session: SessionID, file: String, done: ByteCount, total: ByteCount) {
        heard.append("\(file) of \(session.number): \(done) of \(total)")
    }
    func didProgress(_ session: SessionID, _ progress: SessionProgress) {
        heard.append(
            "\(session.number): \(progress.done) of \(progress.total.map(\.description) ?? "?")")
    }
    func didStopTransferringFile(_ name: String, of session: SessionID) {
        heard.append("end of \(name) of \(session.number)")
    }
    func willStopRunning(_ session: SessionID) { heard.append("will stop \(session.number)") }
    func didStopRunning(_ session: SessionID) { heard.append("did stop \(session.number)") }
    func willDeactivate(_ session: SessionID) { heard.append("will deactivate \(session.number)") }
    func didDeactivate(_ session: SessionID, with result: SessionResult) {
        heard.append("did deactivate \(session.number): \(result)")
    }
}
