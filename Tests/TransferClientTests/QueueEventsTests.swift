import Synchronization
import Testing
import TransferClient
import TransferEngine

/// The events of the queue as a sequence, for apps that would rather read than be called (A12).
@Suite struct QueueEventsTests {
    private static let told: [QueueEvent] = [
        .didStart, .session(SessionID(1), .row(.inserted(at: 0))),
        .session(SessionID(1), .willActivate), .didRefuse(.noSuchIndex(3, count: 1)), .didStop,
    ]

    private static func tell(_ queue: TransferQueue) {
        queue.deliver(.running)
        queue.deliver(.row(.inserted(at: 0)), for: SessionID(1))
        queue.deliver(.willActivate, for: SessionID(1))
        queue.deliver(.noSuchIndex(3, count: 1))
        queue.deliver(.stopped)
    }

    @Test func `each reader has all events from its beginning on, in order`() async {
        let queue = TransferQueue(host: Mailbox())
        let first = queue.events()
        Self.tell(queue)
        let second = queue.events()
        Self.tell(queue)
        #expect(await first.prefix(10).all() == Self.told + Self.told)
        #expect(await second.prefix(5).all() == Self.told)
    }

    @Test func `whoever reads may be on the main actor`() async {
        let queue = TransferQueue(host: Mailbox())
        let screen = Screen()
        let events = queue.events()
        let reader = Task { await screen.show(events, until: .didStop) }
        Self.tell(queue)
        await reader.value
        #expect(await screen.shown == Self.told)
    }

    @Test func `a reader that ends, and a queue that is gone, end a sequence`() async {
        var queue: TransferQueue? = TransferQueue(host: Mailbox())
        let rest = queue?.events()
        let cancelled = queue?.events()
        let reader = Task { await cancelled?.all() }
        reader.cancel()
        #expect(await reader.value == [])
        queue?.deliver(.running)
        queue = nil
        #expect(await rest?.all() == [.didStart])
    }

    @Test func `a reader can keep the newest event only`() async {
        let queue = TransferQueue(host: Mailbox())
        let newest = queue.events(bufferingPolicy: .bufferingNewest(1))
        Self.tell(queue)
        #expect(await newest.prefix(1).all() == [.didStop])
    }

    @Test func `a store that was set aside is told to the first who reads, and that is enough`()
        async
    {
        let setAside = StoreSetAside(
            name: "q.damaged-1", reason: "a flipped bit", lost: [SessionID(2)],
            lastTransfer: TransferID(2))
        let mailbox = Mailbox()
        let queue = TransferQueue(host: mailbox)
        queue.deliver(setAside)
        #expect(mailbox.commands.isEmpty, "nobody has heard it")
        #expect(await queue.events().prefix(1).all() == [.storeWasSetAside(setAside)])
        #expect(mailbox.commands == [.queue(.heardOfSetAside, RequestID(1))])
    }
}

@MainActor
private final class Screen {
    private(set) var shown: [QueueEvent] = []

    func show(_ events: AsyncStream<QueueEvent>, until last: QueueEvent) async {
        for await event in events {
            shown.append(event)
            if event == last { return }
        }
    }
}

extension AsyncSequence where Failure == Never {
    fileprivate func all() async -> [Element] {
        var all: [Element] = []
        for await element in self { all.append(element) }
        return all
    }
}

private final class Mailbox: CommandDoor {
    private let submitted = Mutex<[Command]>([])
    let container = "/apps/1"

    var commands: [Command] { submitted.withLock { $0 } }

    func submit(_ command: Command) { submitted.withLock { $0.append(command) } }
    func keep(_ secret: Secret, as handle: CredentialHandle) {}
}
