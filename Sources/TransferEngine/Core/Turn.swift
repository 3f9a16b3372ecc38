import Protocols
import Quantities

/// One input on its way through the parts of a machine: the process, the moment, and the outputs so
/// far.
///
/// The engine is compiled file by file, and its two machines take a turn for each packet: the
/// attributes say for which of them a function is optimised here.
struct ProcessTurn<Process: TurningProcess>: Sendable {
    var process: Process
    private(set) var now = Instant(nanoseconds: 0)
    private var outputs: [Process.Output] = []
    /// The number of outputs of earlier turns.
    private var earlier = 0
    /// Outputs of lanes. They come before everything that is wanted later.
    var wanted: [AttemptOutput] = []

    init(in process: Process) { self.process = process }

    /// Begins a turn with the caller's outputs, whose buffer is reused.
    @specialized(where Process == ProcessState)
    @specialized(where Process == DaemonProcess)
    mutating func begin(at now: Instant, with outputs: inout [Process.Output]) {
        self.now = now
        swap(&self.outputs, &outputs)
        earlier = self.outputs.count
    }

    /// Gives the outputs back to the caller.
    @specialized(where Process == ProcessState)
    @specialized(where Process == DaemonProcess)
    mutating func end(with outputs: inout [Process.Output]) {
        flush()
        swap(&self.outputs, &outputs)
    }

    @specialized(where Process == ProcessState)
    @specialized(where Process == DaemonProcess)
    mutating func want(_ output: Process.Output) {
        flush()
        outputs.append(output)
    }

    /// Puts something before all that this turn has wanted so far.
    @specialized(where Process == ProcessState)
    @specialized(where Process == DaemonProcess)
    mutating func wantFirst(_ first: [Process.Output]) {
        outputs.insert(contentsOf: first, at: earlier)
    }

    /// Appends the outputs of lanes to the others.
    @specialized(where Process == ProcessState)
    @specialized(where Process == DaemonProcess)
    mutating func flush() {
        guard !wanted.isEmpty else { return }
        for output in wanted { outputs.append(Process.output(output)) }
        wanted.removeAll(keepingCapacity: true)
    }

    /// Takes back the outputs of lanes, for a caller that has to say something first.
    @specialized(where Process == ProcessState)
    @specialized(where Process == DaemonProcess)
    mutating func takeWanted() -> [AttemptOutput] {
        defer { wanted = [] }
        return wanted
    }

    /// Hands a change to the store; returns the ticket for the store's answer.
    @discardableResult
    mutating func persist(_ change: Process.Change) -> PersistTicket {
        let ticket = process.store.ask(change)
        want(Process.output(ticket, change))
        return ticket
    }

    /// Retries what the store lacks, if it is time.
    @specialized(where Process == ProcessState)
    @specialized(where Process == DaemonProcess)
    mutating func persistAgain() {
        guard process.store.deadline != nil else { return }
        for (ticket, change) in process.store.askAgain(at: now) {
            want(Process.output(ticket, change))
        }
    }

    /// Closes a lane's connection. What is still on its way is dropped: it must not arrive after
    /// the transfer has gone on elsewhere (S8).
    mutating func close(_ lane: Lane) {
        if lane.isAtRest { close(lane.connection) } else { abort(lane.connection) }
    }

    /// Drops a connection with all that is on its way.
    mutating func abort(_ connection: ConnectionID) {
        process.connections.forget(connection)
        wanted.append(.abort(connection))
    }

    /// Closes a connection, and ignores what happens to it from now on.
    mutating func close(_ connection: ConnectionID) {
        process.connections.forget(connection)
        wanted.append(.close(connection))
    }
}

/// State that the parts of a machine share.
protocol TurningProcess: Sendable {
    associatedtype Output: Sendable
    associatedtype Change: ChangeOfOne
    var store: StoreLedger<Change> { get set }
    var connections: ConnectionTable { get set }

    static func output(_ wanted: AttemptOutput) -> Output
    static func output(_ ticket: PersistTicket, _ change: Change) -> Output
}

/// The turn of an app's engine.
typealias Turn = ProcessTurn<ProcessState>

extension ProcessState: TurningProcess {
    static func output(_ wanted: AttemptOutput) -> EngineOutput {
        if case .note(let note) = wanted { .note(note) } else { .attempt(wanted) }
    }

    static func output(_ ticket: PersistTicket, _ change: StoreChange) -> EngineOutput {
        .persist(ticket, change)
    }
}

extension ProcessTurn<ProcessState> {
    mutating func tell(_ news: News) { want(.tell(news)) }

    mutating func note(_ fact: Fact) { want(.note(Note(fact))) }

    /// Opens a stream of the paced transport that the item owns.
    mutating func connect(
        to grant: PacedGrant, of account: Account, _ rate: RateWish, askedOn control: Lane,
        for item: ItemName
    ) -> ConnectionID {
        let connection = process.connections.next(for: item)
        let route = PacedRoute(
            account: account, session: grant.session, port: grant.port,
            hasChannels: grant.hasChannels, rate: rate,
            control: control.connection, credential: control.lastUse,
            client: nonce(of: control.connection), server: grant.nonce)
        wanted.append(.connectPaced(connection, route, by: item))
        return connection
    }

    /// Opens another channel of the session of the paced transport to which a connection belongs.
    mutating func connect(beside connection: ConnectionID, for item: ItemName) -> ConnectionID {
        let channel = process.connections.next(for: item)
        wanted.append(.connectChannel(channel, beside: connection, by: item))
        return channel
    }

    /// The nonce of the session that is asked for on a connection.
    func nonce(of connection: ConnectionID) -> PacedNonce {
        PacedNonce(identity: process.identity, count: UInt64(connection.number))
    }

    /// Opens a connection that the item owns.
    mutating func connect(to account: Account, for item: ItemName) -> ConnectionID {
        let connection = process.connections.next(for: item)
        wanted.append(.connect(connection, to: account, by: item))
        return connection
    }
}
