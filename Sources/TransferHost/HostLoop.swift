import Content
import Dispatch
import Foundation
import Glibc
import Quantities
import QueueStorage
import TransferClient
import TransferEngine

/// The thread of a host: it takes what has happened to the engine, and carries out what the engine
/// wants. Once it runs, only its thread uses it.
final class HostLoop: @unchecked Sendable {
    let faces: TransferFaces
    private let door: HostDoor
    private let callbacks: DispatchQueue
    private let parts: PartFolder
    private var keychain: Keychain?
    /// `nil` once the host has ended.
    private var store: QueueStore?
    private var engine = TransferEngine(identity: UInt64.random(in: 1...UInt64.max))
    private var inbox: [EngineInput] = []
    private var outputs: [EngineOutput] = []
    private var deadline: Instant?
    private var connections: [ConnectionID: Connection] = [:]
    /// Streams of the paced transport that nobody uses any more, but whose peers have yet to hear
    /// something.
    private var leaving: [PacedClient] = []
    /// Connections whose server's address is being looked up.
    private var resolving: [ConnectionID: Account] = [:]
    /// Of all connections with TLS.
    private let security: SecureContext
    private let clock: MachineClock

    private final class Connection {
        var at: HostConnection
        init(_ connection: consuming HostConnection) { at = connection }
    }

    /// Opens the store, and tells the queue what it holds.
    init(
        _ door: HostDoor, _ keychain: Keychain?, by clock: MachineClock,
        securedBy security: SecureContext, callingOn callbacks: DispatchQueue
    ) throws(StoreError) {
        self.security = security
        self.door = door
        self.keychain = keychain
        self.clock = clock
        self.callbacks = callbacks
        faces = TransferFaces(host: door)
        parts = PartFolder(in: door.container + "/")
        var sessions: [SessionRecord] = []
        let store = try QueueStore(
            at: QueueStore.name, on: .directory(door.container), sessions: &sessions)
        parts.discardAbandoned(after: store.setAside, sessions, store.entries)
        inbox.append(.restored(sessions, accounts: store.accounts))
        if let setAside = store.setAside { inbox.append(.storeWasSetAside(setAside)) }
        if !store.entries.isEmpty { inbox.append(.heldEntries(store.entries)) }
        for (handle, state) in door.wallet.states {
            inbox.append(.credential(handle, .known(state)))
        }
        self.store = consume store
        // Nobody listens yet: the app's first look at its queue shows how all stand.
        work { faces.deliver($0) }
    }

    /// Runs until the door is closed.
    func run() {
        while !door.isClosed {
            wait()
            for (id, addresses) in door.takeResolved() {
                guard let account = resolving.removeValue(forKey: id) else { continue }
                connect(id, to: account, at: addresses)
            }
            inbox += door.takeInputs()
            if let due = deadline, due <= clock.now { inbox.append(.wake) }
            var news: [News] = []
            work { news.append($0) }
            // A disk that is full now takes it later.
            try? keychain?.write()
            tell(news)
        }
        // any order: all are reset
        for connection in connections.values { reset(connection) }
        connections = [:]
        store = nil
        callbacks.async { [faces] in faces.hostHasEnded() }
    }

    // MARK: What happens

    /// Waits for a bell, a connection or the deadline, and serves the connections.
    private func wait() {
        var ready = [door.wanted]
        var first = deadline
        for stream in leaving {
            if let wanted = stream.wanted { ready.append(wanted) }
            first.advance(to: stream.datagramDeadline)
        }
        var parts: [(ConnectionID, Range<Int>)] = []
        for (id, connection) in connections.sorted(by: { $0.key.number < $1.key.number }) {
            let begin = ready.count
            ready += connection.at.wanted
            parts.append((id, begin..<ready.count))
            first.advance(to: connection.at.deadline)
        }
        guard clock.poll(&ready, until: first) else { return }
        if ready[0].revents != 0 { door.silence() }
        for (id, part) in parts { serve(id, ready[part]) }
        for stream in leaving { stream.move(by: clock) }
        leaving.removeAll(where: \.isGone)
    }

    /// Serves a connection if something of it is ready, or its time has come.
    private func serve(_ id: ConnectionID, _ ready: ArraySlice<pollfd>) {
        guard let connection = connections[id] else { return }
        let now = clock.now
        let isDue = connection.at.deadline.map { $0 <= now } ?? false
        guard isDue || ready.contains(where: { $0.revents != 0 }) else { return }
        for news in connection.at.serve(ready, by: clock, filesBelow: door.container) {
            switch news {
            case .happened(.received(_, let segments)) where readsToken(segments, on: id): break
            case .happened(let event): inbox.append(.attempt(event))
            case .over(let why): lose(id, why)
            }
        }
    }

    /// Takes an answer that brings a token.
    private func readsToken(_ segments: [Segment], on id: ConnectionID) -> Bool {
        guard door.wallet.readsToken(on: id) else { return false }
        if let (handle, news) = door.wallet.receive(segments, on: id) {
            inbox.append(.credential(handle, news))
        }
        return true
    }

    private func lose(_ id: ConnectionID, _ why: Disconnection) {
        end(id)
        inbox.append(.attempt(.disconnected(id, why)))
    }

    /// Calls the delegates and readers.
    private func tell(_ news: [News]) {
        guard !news.isEmpty else { return }
        callbacks.async { [faces] in for piece in news { faces.deliver(piece) } }
    }

    // MARK: What the engine wants

    private func work(_ hear: (News) -> Void) {
        while !inbox.isEmpty {
            let inputs = inbox
            inbox = []
            for input in inputs {
                deadline = engine.handle(input, at: clock.now, into: &outputs)
                let wanted = outputs
                outputs.removeAll(keepingCapacity: true)
                for output in wanted { carryOut(output, hear) }
            }
        }
    }

    private func carryOut(_ output: EngineOutput, _ hear: (News) -> Void) {
        switch output {
        case .persist(let ticket, let change): persist(change, as: ticket)
        case .tell(let news): hear(news)
        case .attempt(let wanted): carryOut(wanted)
        // Nothing suspends this process, and no daemon works for it.
        case .beginBackgroundTask, .endBackgroundTask, .askDaemon, .note: break
        }
    }

    private func persist(_ change: StoreChange, as ticket: PersistTicket) {
        do throws(StoreError) {
            try store?.apply(change)
            inbox.append(.persisted(ticket))
        } catch {
            inbox.append(.persistFailed(ticket, reason: error.message))
        }
    }

    private func carryOut(_ wanted: AttemptOutput) {
        switch wanted {
        case .inspect(let transfer, let path):
            let found = SourceInspection(ofFileAt: parts.place(of: path))
            inbox.append(.attempt(.inspected(transfer, found)))
        case .examine(let transfer, let path, let coverage):
            let found = SourceExamination(ofFileAt: parts.place(of: path), coverage)
            inbox.append(.attempt(.examined(transfer, found)))
        case .connect(let id, let account, _): connect(id, to: account)
        case .connectPaced(let id, let route, _): connect(id, by: route)
        case .connectChannel(let id, let other, _): connect(id, beside: other)
        case .pace(let id, let rate): connections[id]?.at.paced?.pace(rate)
        case .readToken(let id, let handle): door.wallet.awaitsToken(on: id, for: handle)
        case .forget(let use, _): door.wallet.forget(use)
        case .write(let id, let pieces): connections[id]?.at.write(door.wallet.filled(pieces))
        case .close(let id): end(id)
        case .abort(let id):
            if let connection = connections[id] { reset(connection) }
            end(id)
        case .keep(let transfer, let path, let segments, let offset):
            let kept = parts.keep(segments, in: path, at: offset)
            inbox.append(.attempt(.kept(transfer, kept)))
        case .place(let transfer, let part, let path):
            let result = parts.placeDurably(part, at: path)
            inbox.append(.attempt(.placed(transfer, result)))
        case .discard(let path): parts.discard(path)
        case .note: break
        }
    }

    private func connect(_ id: ConnectionID, to account: Account) {
        if let address = InternetAddress(account.host, port: account.port) {
            connect(id, to: account, at: [address])
        } else {
            resolving[id] = account
            door.resolve(account.host, port: account.port, for: id)
        }
    }

    private func connect(_ id: ConnectionID, to account: Account, at addresses: [InternetAddress]) {
        guard !addresses.isEmpty else { return lose(id, .notFound) }
        let security = account.usesTLS ? TCPStream.Security(security, to: account.host) : nil
        connections[id] = Connection(HostConnection(id, to: addresses, securedBy: security))
        serve(id, [])
    }

    /// Opens a stream to the address of the server that has opened the session.
    private func connect(_ id: ConnectionID, by route: PacedRoute) {
        guard let server = connections[route.control]?.at.server,
            let authorization = door.wallet.authorization(of: route.credential),
            let stream = try? PacedClient(
                route, to: server, authorization: authorization, at: clock.now)
        else { return lose(id, .refused) }
        connections[id] = Connection(HostConnection(id, by: stream))
        serve(id, [])
    }

    private func connect(_ id: ConnectionID, beside other: ConnectionID) {
        guard let channel = connections[other]?.at.paced?.openChannel() else {
            return lose(id, .reset)
        }
        connections[id] = Connection(HostConnection(id, by: channel))
        serve(id, [])
    }

    private func reset(_ connection: Connection) {
        connection.at.resetWhenClosed(at: clock.now)
        connection.at.paced?.move(by: clock)
    }

    /// Closes a connection after everything that was written to it, unless it is reset.
    private func end(_ id: ConnectionID) {
        resolving[id] = nil
        guard let connection = connections.removeValue(forKey: id) else { return }
        guard let stream = connection.at.paced else { return }
        stream.close()
        stream.move(by: clock)
        if !stream.isGone { leaving.append(stream) }
    }
}
