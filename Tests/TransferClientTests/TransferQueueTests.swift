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

    @Test func `settings go to the session of its index (A15)`() {
        let host = Host()
        let settings = TransferSettings(overwrite: .never, resume: .none)
        TransferQueue(host: host).changeSettings(settings, ofSessionAt: 3)
        #expect(host.commands == [.change(settings, at: 3)])
    }

    @Test func `a path goes to the session of its index, and an app hears when one can (P2)`() {
        let host = Host()
        let queue = TransferQueue(host: host)
        let app = App()
        queue.delegate = app
        queue.deliver(.canAcceptPaths, for: SessionID(7))
        #expect(app.heard == ["7 can accept paths"])
        queue.addPathToPersistentSession(from: "a", to: "in/a", at: 2)
        #expect(
            host.commands == [
                .addPath(SessionRequest.File(source: "a", destination: "in/a"), at: 2)
            ])
    }

    @Test func `each callback calls its delegate method, with what it tells`() {
        let app = App()
        let queue = TransferQueue(host: Host())
        queue.delegate = app
        for callback in Self.activation { queue.deliver(callback, for: SessionID(7)) }
        #expect(
            app.heard == [
                "will activate 7", "did activate 7", "will start 7", "did start 7", "file a of 7",
                "a of 7: 5 B of 9 B", "end of a of 7", "will stop 7", "did stop 7",
                "will deactivate 7", "did deactivate 7: completed",
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

    @Test func `the queue does not keep its delegate alive`() {
        let queue = TransferQueue(host: Host())
        var app: App? = App()
        queue.delegate = app
        app = nil
        #expect(queue.delegate == nil)
    }

    static let activation: [SessionCallback] = [
        .willActivate, .didActivate, .willStartRunning, .didStartRunning, .didStartFile(name: "a"),
        .progress(name: "a", done: ByteCount(5), total: ByteCount(9)), .didStopFile(name: "a"),
        .willStopRunning, .didStopRunning, .willDeactivate, .didDeactivate(.completed),
    ]
}

private final class Host: TransferHost, @unchecked Sendable {
    private(set) var commands: [QueueCommand] = []
    func submit(_ command: Command) {
        if case .queue(let command) = command { commands.append(command) }
    }
}

/// An app that writes down what it hears.
private final class App: TransferQueueDelegate {
    private(set) var heard: [String] = []

    func storeWasSetAside(_ setAside: StoreSetAside) {
        heard.append("\(setAside.name) without \(setAside.lost.map(\.number))")
    }
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
