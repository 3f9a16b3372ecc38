import Synchronization
import Testing
import TransferClient
import TransferEngine

/// An app that waits for the answers of its queue (A26).
@Suite struct QueueRequestTests {
    private static let request = SessionRequest(
        account: Account(host: "docroot", port: 80, credentials: CredentialHandle("app")),
        uploads: [.init(source: "a", destination: "in/a")])

    @Test func `a session's number is the answer`() async throws {
        let host = AnsweringHost(.session(SessionID(7)))
        #expect(try await host.queue.enqueue(Self.request) == SessionID(7))
        #expect(try await host.queue.insert(Self.request, at: 0) == SessionID(7))
        #expect(try await host.queue.save(Self.request) == SessionID(7))
        #expect(try await host.queue.enqueue(SessionID(7)) == SessionID(7))
        #expect(
            host.commands == [
                .enqueue(Self.request), .insert(Self.request, at: 0), .save(Self.request),
                .enqueueSaved(SessionID(7), at: nil),
            ])
    }

    @Test func `each request has a number of its own`() async throws {
        let host = AnsweringHost(.done)
        try await host.queue.start()
        let runWithoutWaiting = { host.queue.run(SessionID(7)) }
        runWithoutWaiting()
        try await host.queue.cancel(SessionID(7))
        #expect(host.requests.count == 3)
        #expect(Set(host.requests).count == 3)
    }

    @Test func `a refusal is thrown, with its reason`() async {
        let host = AnsweringHost(.refused(.noSuchSession(SessionID(7))))
        await #expect(throws: QueueRefusal.noSuchSession(SessionID(7))) {
            try await host.queue.run(SessionID(7))
        }
        await #expect(throws: QueueRefusal.noSuchSession(SessionID(7))) {
            try await host.queue.enqueue(Self.request)
        }
    }

    @Test func `who waits when the host ends is refused, and so is who asks later`() async {
        let host = AnsweringHost(nil)
        let (queue, id) = (host.queue, SessionID(7))
        async let waits: QueueRefusal? = refusal { try await queue.run(id) }
        while host.requests.isEmpty { await Task.yield() }
        queue.hostHasEnded()
        #expect(await waits == .hostHasEnded)
        #expect(await refusal { try await queue.run(id) } == .hostHasEnded)
        #expect(host.requests.count == 1)
    }

    private func refusal(_ ask: @Sendable () async throws -> Void) async -> QueueRefusal? {
        do {
            try await ask()
            return nil
        } catch { return error as? QueueRefusal }
    }

    @Test func `an account's number is the answer`() async throws {
        let host = AnsweringHost(.account(AccountID(3)))
        let account = QueueAccount(
            Account(host: "docroot", port: 80, credentials: CredentialHandle("app")), name: "home")
        #expect(try await host.queue.save(account) == AccountID(3))
    }

    @Test func `the verbs ask for what they say`() async throws {
        let host = AnsweringHost(.done)
        let (queue, id) = (host.queue, SessionID(7))
        let settings = TransferSettings(overwrite: .never, resume: .none)
        try await queue.stop()
        try await queue.run(id)
        try await queue.stop(id)
        try await queue.pause(id)
        try await queue.resume(id)
        try await queue.remove(id)
        try await queue.move(id, to: 2)
        try await queue.change(id, to: settings)
        try await queue.addPath(from: "/apps/1/a", to: "in/a", toPersistent: id)
        #expect(
            host.commands == [
                .stop, .session(.run, id), .session(.stop, id), .session(.pause, id),
                .session(.resume, id), .session(.remove, id), .move(id, to: 2),
                .change(settings, of: id),
                .addPath(.init(source: "a", destination: "in/a"), to: id),
            ])
    }

    /// Compiles only if the queue can be used from the main actor.
    @Test @MainActor func `an app on the main actor waits there`() async throws {
        let screen = Screen(AnsweringHost(.session(SessionID(7))))
        await screen.add(Self.request)
        #expect(screen.rows == [SessionID(7)])
    }
}

@MainActor private final class Screen {
    private let host: AnsweringHost
    private(set) var rows: [SessionID] = []

    init(_ host: AnsweringHost) { self.host = host }

    func add(_ request: SessionRequest) async {
        do { rows.append(try await host.queue.enqueue(request)) } catch { rows = [] }
    }
}

/// A host that answers every request at once, in the same way, or none.
private final class AnsweringHost: Sendable {
    let queue: TransferQueue
    private let door: Door

    init(_ answer: QueueAnswer?) {
        door = Door(answer)
        queue = TransferQueue(host: door)
        let queue = queue
        door.open { queue.deliver($0, to: $1) }
    }

    var commands: [QueueCommand] { door.asked.withLock { $0.map(\.command) } }
    var requests: [RequestID] { door.asked.withLock { $0.map(\.request) } }

    private final class Door: CommandDoor {
        let container = "/apps/1"
        let asked = Mutex<[(command: QueueCommand, request: RequestID)]>([])
        private let answer: QueueAnswer?
        private let tell = Mutex<(@Sendable (QueueAnswer, RequestID) -> Void)?>(nil)

        init(_ answer: QueueAnswer?) { self.answer = answer }

        func open(_ tell: @escaping @Sendable (QueueAnswer, RequestID) -> Void) {
            self.tell.withLock { $0 = tell }
        }

        func submit(_ command: Command) {
            guard case .queue(let command, let request?) = command else { return }
            asked.withLock { $0.append((command, request)) }
            if let answer { tell.withLock { $0 }?(answer, request) }
        }

        func keep(_ secret: Secret, as handle: CredentialHandle) {}
    }
}
