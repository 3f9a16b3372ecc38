import Content
import Facts
import Quantities
import QueueStorage
import Recording
import RunLog
import TransferEngine
import TransferHost

/// A process on a live phone: its machine, its store, its sockets, and its lines to its parent.
///
/// The host waits, serves what is ready and calls `goOn`. Then it takes turns, announces their
/// outputs, and carries these out by the verbs of this type or by its own.
struct LiveProcess<
    Machine: FlightMachine, Store: MachineStore & ~Copyable, Word: ProcessWord
>: ~Copyable {
    let clock: MachineClock
    var pump: MachinePump<Machine>
    /// `nil` while it cannot be opened.
    private var store: Store?
    /// Events that the parent does not know yet.
    private var log = RunLogSink()
    private let flight: FlightFile?
    private let pipe: EventPipe
    private var lifeline: Lifeline
    private var loop: EventLoop
    private var sockets: ProcessSockets
    private let security: ServerSecurity?
    /// Reads what comes on some connections in the machine's place, and returns what to tell it;
    /// `nil` if the machine reads it.
    var readsInstead: ((ConnectionID, [Segment]) -> [Machine.Input]?)?
    /// The number of messages heard.
    private(set) var heard: UInt64 = 0

    init(
        _ pump: consuming MachinePump<Machine>, _ orders: some PhoneProcessOrders,
        readingFrom disk: SharedDisk?, by clock: MachineClock, lines: ProcessLines
    ) throws {
        let trust = try orders.security.map { try SecureContext.client(trusting: $0.certificate) }
        let flight = try orders.flight.map(FlightFile.init(at:))
        try flight?.append(pump.recordFlight(from: clock.now))
        let loop = try EventLoop()
        try loop.watch(lines.lifeline, as: .init(kind: .lifeline), for: .readable)
        self.clock = clock
        self.flight = flight
        self.loop = consume loop
        self.pump = pump
        pipe = EventPipe(to: lines.events)
        lifeline = Lifeline(lines.lifeline)
        security = orders.security
        sockets = ProcessSockets(
            orders.network, readingFrom: disk,
            securedBy: trust, at: clock.now)
    }

    // MARK: What happens

    /// Waits until something is ready, or until the earliest deadline of this type or its host.
    mutating func wait(until deadlines: Instant?...) throws -> [EventLoop.Ready] {
        let all = deadlines + [pump.deadline, sockets.deadline(at: clock.now)]
        return try loop.wait(until: all.compactMap(\.self).min(), by: clock)
    }

    /// Serves what is ready. Returns the lines of the parent; `nil` once the parent has closed the
    /// lifeline.
    mutating func serve(_ ready: EventLoop.Ready) throws -> [[UInt8]]? {
        switch ready.source.kind {
        case .lifeline:
            let lines = lifeline.hear()
            heard += UInt64(lines?.count ?? 0)
            return lines
        case .processConnection:
            try sockets.serve(ready, on: loop)
            try hearSockets()
        default: break
        }
        return []
    }

    /// Sends and receives what the network allows, and wakes the machine if it is time.
    mutating func goOn() throws {
        try sockets.moveWhatMay(by: clock, on: loop)
        try hearSockets()
        pump.wake(at: clock.now)
    }

    mutating func obey(_ order: NetworkOrder) throws {
        try sockets.obey(order, on: loop)
        try hearSockets()
    }

    private mutating func hearSockets() throws {
        for news in sockets.takeNews() {
            switch news {
            case .bound(let id, let interface):
                pump.recorder.record(id, boundTo: interface, at: clock.now, into: &log)
            case .securing(let id):
                pump.recorder.record(
                    id, securedWith: security?.words ?? "TLS", at: clock.now, into: &log)
            case .connected(let id, let own):
                if let own { try say(.connected(id.number, from: own)) }
                pump.tell(.connected(id))
            case .received(let id, let segments):
                let instead = readsInstead?(id, segments)
                for input in instead ?? [.attempt(.received(id, segments))] { pump.tell(input) }
            case .taken(let id, let count): pump.tell(.taken(id, count))
            case .unreadable(let id, let found): pump.tell(.unreadable(id, found: found))
            case .ended(let id, let why, let transmitted):
                pump.recorder.record(
                    end: why, of: id, transmitted: transmitted, at: clock.now, into: &log)
            case .abandoned(let id, let own): try say(.abandoned(id.number, from: own))
            case .disconnected(let id, let why): pump.tell(.disconnected(id, why))
            case .network(let status): pump.tell(.network(status))
            }
        }
    }

    /// Whether the machine waits for nothing but messages.
    var isIdle: Bool { pump.isIdle && sockets.isEmpty }

    // MARK: What it says

    func say(_ word: Word) throws { try pipe.say(word) }

    mutating func record(_ fact: Fact, of app: UInt16?) {
        log.record(fact, at: clock.now, app: app)
    }

    mutating func drainLog() throws { try pipe.drain(&log) }

    /// Tells the parent what the latest turn wants, so that every act is announced.
    mutating func announce(_ outputs: some Sequence<Machine.Output>) throws {
        for output in outputs { pump.record(output, into: &log) }
        try drainLog()
    }

    // MARK: What the machine wants

    /// Lets the machine handle its next input; `nil` if there is none. Inputs wait while the store
    /// is not open.
    mutating func turn() throws -> [Machine.Output]? {
        guard store != nil, let outputs = pump.turn(at: clock.now, into: &log) else { return nil }
        try flight?.append(pump.takeFlight())
        return outputs
    }

    mutating func persist(_ change: Store.Change, as ticket: PersistTicket) {
        do throws(StoreError) {
            try store?.apply(change)
            pump.tell(.persisted(ticket))
        } catch {
            pump.tell(.persistFailed(ticket, reason: error.message))
        }
    }

    /// Connects. Files that are sent are read from below a folder.
    mutating func connect(
        _ id: ConnectionID, to account: Account, from folder: String
    ) throws {
        try sockets.connect(id, to: account, from: folder, on: loop)
        try hearSockets()
    }

    /// Opens a stream of the paced transport; without the secret of the session that fails.
    mutating func connect(
        _ id: ConnectionID, by route: PacedRoute, authorization: String?, from folder: String
    ) throws {
        sockets.connect(
            id, by: route, authorization: authorization, from: folder, at: clock.now)
        try hearSockets()
    }

    /// Opens another channel of the session to which a connection belongs.
    mutating func connect(
        _ id: ConnectionID, beside other: ConnectionID, from folder: String
    ) throws {
        sockets.connect(id, beside: other, from: folder)
        try hearSockets()
    }

    func pace(_ id: ConnectionID, _ rate: RateWish) { sockets.pace(id, rate) }

    func write(_ pieces: [OutgoingPiece], to id: ConnectionID) { sockets.write(pieces, to: id) }

    mutating func close(_ id: ConnectionID) throws {
        sockets.close(id, on: loop)
        try hearSockets()
    }

    mutating func abort(_ id: ConnectionID) throws {
        sockets.abort(id, at: clock.now, on: loop)
        try hearSockets()
    }
}

extension LiveProcess<TransferEngine, QueueStore, AppRequest> {
    mutating func open(_ store: consuming QueueStore, holding sessions: [SessionRecord]) {
        pump.opened(
            sessions, store.entries, accounts: store.accounts, after: store.setAside,
            at: clock.now, into: &log)
        self.store = consume store
    }

    /// Records what the lists of the app's interfaces show.
    mutating func record(_ shown: ShownFact) {
        pump.recorder.record(.shown(shown), at: clock.now, into: &log)
    }
}

extension LiveProcess<TransferDaemon, TaskStore, DaemonWord> {
    mutating func open(
        _ store: consuming TaskStore, holding tasks: [TaskRecord], clearings: [UInt32]
    ) {
        pump.opened(
            tasks, delays: store.delays, clearings: clearings, after: store.setAside,
            at: clock.now, into: &log)
        self.store = consume store
    }

    mutating func recordFailedOpening(_ reason: String) {
        pump.recorder.recordFailedOpening(reason, at: clock.now, into: &log)
    }

    /// Records what a download has brought.
    mutating func record(_ content: [ContentRange], by transfer: TransferID) {
        pump.recorder.record(content, by: transfer, at: clock.now, into: &log)
    }
}
