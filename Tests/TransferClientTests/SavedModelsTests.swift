import Quantities
import Testing
import TransferClient
import TransferEngine

/// Accounts and sessions as an app works on them: each object is of one thread, and only what is
/// saved counts (A9, A10, A14).
@Suite struct SavedModelsTests {
    /// An engine whose store keeps everything at once, with a queue above it.
    private final class Bench {
        let mailbox = CommandMailbox(container: "/apps/1")
        let queue: TransferQueue
        let app = App()
        private(set) var kept: [SessionID: SessionRecord] = [:]
        private var engine = TransferEngine()

        init() {
            queue = TransferQueue(host: mailbox)
            queue.delegate = app
            tell(.restored([]))
        }

        func work() { for input in mailbox.takeAll() { tell(input) } }

        private func tell(_ input: EngineInput) {
            var inputs = [input]
            while !inputs.isEmpty {
                var outputs: [EngineOutput] = []
                _ = engine.handle(inputs.removeFirst(), at: .start, into: &outputs)
                for output in outputs {
                    switch output {
                    case .persist(let ticket, let change):
                        if case .put(let record) = change { kept[record.id] = record }
                        inputs.append(.persisted(ticket))
                    case .tell(.saved(let news)): queue.deliver(news)
                    case .tell(.session(let session, let callback)):
                        queue.deliver(callback, for: session)
                    case .tell(.refused(.queue(let refusal))): queue.deliver(refusal)
                    default: break
                    }
                }
            }
        }

        func account(_ name: String = "studio") -> TransferAccount {
            TransferAccount(
                host: "docroot", port: 80, credentials: CredentialHandle("app"), name: name,
                folder: "studio", in: queue)
        }
    }

    private final class App: TransferQueueDelegate {
        var heard: [String] = []
        func didSave(_ account: AccountID) { heard.append("account \(account.number) saved") }
        func didDelete(_ account: AccountID) { heard.append("account \(account.number) deleted") }
        func didSave(_ session: SessionID) { heard.append("session \(session.number) saved") }
        func didDelete(_ session: SessionID) { heard.append("session \(session.number) deleted") }
        func didRefuse(_ refusal: QueueRefusal) { heard.append(refusal.message) }
    }

    @Test func `an account has no number before it is saved, and one after that`() throws {
        let bench = Bench()
        let account = bench.account()
        account.save()
        #expect(account.id == nil)
        bench.work()
        #expect(account.id == AccountID(1))
        account.name = "other"
        account.save()
        bench.work()
        #expect(bench.queue.accounts.map(\.account.name) == ["other"])
        let again = try #require(bench.queue.account(AccountID(1)))
        #expect(again.name == "other" && again.folder == "studio" && again.host == "docroot")
        again.delete()
        bench.work()
        #expect(
            bench.app.heard == ["account 1 saved", "account 1 saved", "account 1 deleted"])
        #expect(bench.queue.account(AccountID(1)) == nil)
    }

    @Test func `a session saves its account with itself, be it saved or enqueued (A9)`() {
        let bench = Bench()
        let account = bench.account()
        let session = TransferSession(with: account, upload: true)
        session.addPath("a.mov", to: "a.mov")
        bench.queue.enqueue(session)
        let second = TransferSession(with: account, upload: false)
        second.addPath("b.mov", to: "b.mov")
        second.save()
        bench.work()
        #expect(account.id == AccountID(1))
        #expect(session.id == SessionID(1) && second.id == SessionID(2))
        #expect(bench.queue.sessions == [SessionID(1)])
        #expect(bench.queue.savedSessions.map(\.id) == [SessionID(2)])
        account.delete()
        bench.work()
        #expect(bench.app.heard.last?.hasPrefix("account 1 is that of session 1") == true)
    }

    @Test(arguments: [true, false])
    func `a session stores its paths relative to the container (S7)`(isUpload: Bool) throws {
        let bench = Bench()
        let session = TransferSession(with: bench.account(), upload: isUpload)
        session.addPath("/apps/1/a.mov", to: "/apps/1/a.mov")
        session.addPath("b.mov", to: "b.mov")
        bench.queue.enqueue(session)
        bench.work()
        // The other path would leave the docroot.
        #expect(bench.kept.isEmpty)
        session.paths.removeFirst()
        session.addPath(
            isUpload ? "/apps/1/a.mov" : "in/a.mov", to: isUpload ? "in/a.mov" : "/apps/1/a.mov")
        bench.queue.enqueue(session)
        bench.work()
        let stored = try #require(bench.kept.values.first?.transfers.last)
        #expect((isUpload ? stored.source : stored.destination) == "a.mov")
    }

    @Test func `a persistent session takes a path when it is in the queue (P2)`() {
        let bench = Bench()
        let session = TransferSession(with: bench.account(), upload: true)
        session.isPersistent = true
        session.addPathToPersistentSession(from: "/apps/1/a.mov", to: "in/a.mov")
        bench.work()
        #expect(bench.app.heard.last?.hasPrefix("the session is in no queue: enqueue it") == true)
        bench.queue.enqueue(session)
        bench.work()
        session.addPathToPersistentSession(from: "/apps/1/a.mov", to: "in/a.mov")
        bench.work()
        #expect(bench.app.heard.last?.hasPrefix("session 1 accepts no path now") == true)
    }

    @Test func `a refresh discards what was not saved (A14)`() {
        let bench = Bench()
        let account = bench.account()
        account.save()
        let session = TransferSession(with: account, upload: true)
        session.addPath("a.mov", to: "a.mov")
        session.save()
        bench.work()
        (account.name, account.host, account.port, account.folder) = ("x", "y", 1, "z")
        account.credentials = CredentialHandle("other")
        account.refresh()
        #expect(account.name == "studio" && account.host == "docroot" && account.port == 80)
        #expect(account.folder == "studio" && account.credentials == CredentialHandle("app"))
        session.paths = []
        session.addPath("b.mov", to: "b.mov")
        session.settings.overwrite = .never
        session.refresh()
        #expect(session.paths.map(\.source) == ["a.mov"])
        #expect(session.settings == TransferSettings())
    }

    @Test func `what is edited and saved is enqueued so, by its number from another thread (A14)`()
        throws
    {
        let bench = Bench()
        let session = TransferSession(with: bench.account(), upload: true)
        session.save()
        bench.work()
        let again = try #require(bench.queue.savedSession(SessionID(1)))
        #expect(again.isUpload && again.paths.isEmpty && again.id == SessionID(1))
        bench.queue.enqueue(SessionID(1))
        bench.work()
        #expect(bench.app.heard.last == QueueRefusal.noFiles.message)
        again.addPath("a.mov", to: "a.mov")
        again.save()
        bench.queue.enqueue(SessionID(1))
        bench.work()
        #expect(bench.queue.sessions == [SessionID(1)] && bench.queue.savedSessions.isEmpty)
    }

    @Test func `a session is enqueued as it is, in front of another if its app wants that`() {
        let bench = Bench()
        let account = bench.account()
        let sessions = (0..<3).map { _ in TransferSession(with: account, upload: true) }
        for session in sessions { session.addPath("a.mov", to: "a.mov") }
        sessions[0].save()
        bench.queue.enqueue(sessions[1])
        bench.queue.insert(sessions[2], at: 0)
        bench.work()
        sessions[0].addPath("b.mov", to: "b.mov")
        bench.queue.insert(sessions[0], at: 1)
        bench.work()
        #expect(bench.queue.sessions == [SessionID(3), SessionID(1), SessionID(2)])
        #expect(bench.app.heard.filter { !$0.hasSuffix("saved") }.isEmpty)
        let sources = bench.kept[SessionID(1)]?.transfers.map(\.source)
        #expect(sources == ["a.mov", "b.mov"])
        bench.queue.enqueue(sessions[1])
        bench.work()
        #expect(bench.app.heard.last == "session 2 is in the queue already: run it there")
    }

    @Test func `a session is deleted wherever it is (A10)`() {
        let bench = Bench()
        let account = bench.account()
        let (queued, saved) = (
            TransferSession(with: account, upload: true),
            TransferSession(with: account, upload: true)
        )
        queued.addPath("a.mov", to: "a.mov")
        bench.queue.enqueue(queued)
        saved.save()
        bench.work()
        queued.delete()
        saved.delete()
        bench.work()
        #expect(bench.queue.sessions.isEmpty && bench.queue.savedSessions.isEmpty)
        #expect(bench.app.heard.last == "session 2 deleted")
    }

    @Test func `queue methods may be called from any thread (A14)`() async {
        let bench = Bench()
        let queue = bench.queue
        let request = SessionRequest(
            account: Account(host: "docroot", port: 80, credentials: CredentialHandle("app")),
            uploads: [.init(source: "a", destination: "b")])
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    for _ in 0..<200 {
                        queue.enqueue(request)
                        _ = queue.sessions.count + queue.accounts.count
                    }
                }
            }
            // Meanwhile the host works, on its own thread.
            for _ in 0..<50 { bench.work() }
        }
        bench.work()
        #expect(queue.sessions.map(\.number) == Array(1...1_600))
        #expect(queue.accounts.count == 1)
    }
}
