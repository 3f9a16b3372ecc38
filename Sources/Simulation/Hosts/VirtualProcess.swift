import Content
import Device
import Quantities
import QueueStorage
import Recording
import TransferEngine

/// A process on a virtual phone: its machine, its store and its connections.
///
/// The host feeds it events, takes its turns, and carries out the outputs by the verbs here or by
/// its own means.
struct VirtualProcess<Machine: FlightMachine, Store: MachineStore & ~Copyable>: ~Copyable {
    var pump: MachinePump<Machine>
    /// Number of the process's flight recording, if there is one.
    private var flight: Int?
    /// The process's store; `nil` while there is no process or the store cannot be opened.
    private(set) var store: Store?
    private var medium: VirtualDiskMedium?
    /// Changes on their way into the store, in order.
    private var changes: [PendingChange] = []
    private var streams = ProcessStreams()

    private struct PendingChange {
        var due: Instant
        var ticket: PersistTicket
        var change: Store.Change
    }

    /// Time that a commit takes. A kill in the meantime undoes the change.
    private static var commitTime: TimeSpan { .milliseconds(1) }

    init(_ pump: MachinePump<Machine>) { self.pump = pump }

    // MARK: Its life

    mutating func recordFlight(as name: String, in environment: inout ProcessEnvironment) {
        guard environment.flights != nil else { return }
        let beginning = pump.recordFlight(from: environment.network.now)
        flight = environment.flights?.begin(name, beginning)
    }

    mutating func open(_ store: consuming Store, on medium: VirtualDiskMedium) {
        self.store = consume store
        self.medium = medium
    }

    /// Whether the process died in the middle of a store change. The phone will report it.
    var isCutOff: Bool { medium?.isCutOff == true }

    /// Abandons all streams: only bytes already in the network stack still leave.
    mutating func abandonStreams(in environment: inout ProcessEnvironment) {
        for handle in streams.handles {
            environment.streams.orphaned(handle)
            environment.network.transport.abandon(handle)
        }
        streams = ProcessStreams()
    }

    /// Ends the process between two instructions. Returns its disk.
    mutating func close() -> VirtualDisk? {
        pump.stop()
        changes = []
        store = nil
        defer { medium = nil }
        return medium?.detach()
    }

    // MARK: What happens

    func holds(_ handle: StreamHandle) -> Bool { streams[handle] != nil }

    func id(of handle: StreamHandle) -> ConnectionID? { streams[handle] }

    func loseConnections(in environment: inout ProcessEnvironment) {
        for handle in streams.handles { environment.network.transport.lose(handle) }
    }

    /// Stops what only the process itself does for its connections, or goes on with it: the system
    /// knows nothing of the paced transport.
    func standStill(_ stands: Bool, in environment: inout ProcessEnvironment) {
        for handle in streams.handles where handle.isPaced {
            environment.network.transport.standStill(handle, stands)
        }
    }

    mutating func hear(_ event: NetworkEvent, in environment: inout ProcessEnvironment) {
        switch event {
        case .connected(let handle):
            if let id = streams[handle] { pump.tell(.connected(id)) }
        case .readable(let handle):
            var segments: [Segment] = []
            environment.network.read(handle, into: &segments)
            guard let id = streams[handle], !segments.isEmpty else { return }
            pump.tell(.received(id, segments))
        case .roomAvailable(let handle):
            if let id = streams[handle] { move(id, in: &environment) }
        case .peerFinished(let handle): disconnected(handle, .closedByPeer, in: &environment)
        case .ended(let handle, let end):
            disconnected(handle, Disconnection(end), in: &environment)
        case .accepted, .timer: preconditionFailure("\(event) is no news of a client's stream")
        }
    }

    private mutating func disconnected(
        _ handle: StreamHandle, _ why: Disconnection, in environment: inout ProcessEnvironment
    ) {
        guard let id = streams.ended(handle, in: &environment) else { return }
        pump.tell(.disconnected(id, why))
    }

    var nextDeadline: Instant? {
        guard let due = changes.first?.due else { return pump.deadline }
        return min(pump.deadline ?? due, due)
    }

    /// Commits the changes that are due; returns false if the process died during one.
    mutating func commit(dueAt now: Instant) -> Bool {
        while let pending = changes.first, pending.due <= now {
            changes.removeFirst()
            commit(pending)
            if isCutOff { return false }
        }
        return true
    }

    mutating func commitAll() {
        let left = changes
        changes = []
        for pending in left { commit(pending) }
    }

    private mutating func commit(_ pending: PendingChange) {
        do throws(StoreError) {
            try store?.apply(pending.change)
            pump.tell(.persisted(pending.ticket))
        } catch {
            pump.tell(.persistFailed(pending.ticket, reason: error.message))
        }
    }

    // MARK: What the machine wants

    /// Feeds all inputs to the machine; returns `nil` if there are none. Inputs wait while the
    /// store is closed, and for ever if time stands still.
    mutating func turn(in environment: inout ProcessEnvironment) -> [Machine.Output]? {
        if isCutOff { pump.forgetInputs() }
        guard store != nil, !environment.isEndless,
            let outputs = pump.turn(at: environment.network.now, into: &environment.network.log)
        else { return nil }
        environment.countTurn()
        if let flight { environment.flights?.add(pump.takeFlight(), to: flight) }
        return outputs
    }

    mutating func record(_ output: Machine.Output, in environment: inout ProcessEnvironment) {
        pump.record(output, into: &environment.network.log)
    }

    mutating func persist(_ change: Store.Change, as ticket: PersistTicket, at now: Instant) {
        changes.append(
            PendingChange(due: now + Self.commitTime, ticket: ticket, change: change))
    }

    mutating func connect(
        _ id: ConnectionID, to account: Account, of app: AppIdentity, isBackground: Bool = false,
        in environment: inout ProcessEnvironment
    ) {
        let name = pump.recorder.name(id)
        let handle = environment.connect(
            to: account, as: name, of: app, isBackground: isBackground)
        streams.opened(id, handle, of: app)
    }

    mutating func connect(
        _ id: ConnectionID, by route: PacedRoute, of app: AppIdentity,
        in environment: inout ProcessEnvironment
    ) {
        let name = pump.recorder.name(id)
        streams.opened(id, environment.connect(by: route, as: name, of: app), of: app)
    }

    mutating func connect(
        _ id: ConnectionID, beside other: ConnectionID, of app: AppIdentity,
        in environment: inout ProcessEnvironment
    ) {
        let name = pump.recorder.name(id)
        guard let first = streams[other],
            let handle = environment.connect(beside: first, as: name, of: app)
        else { return pump.tell(.disconnected(id, .reset)) }
        streams.opened(id, handle, of: app)
    }

    mutating func pace(
        _ id: ConnectionID, by rate: RateWish, in environment: inout ProcessEnvironment
    ) {
        streams.pace(id, by: rate, in: &environment)
    }

    mutating func write(
        _ pieces: [OutgoingPiece], to id: ConnectionID, in environment: inout ProcessEnvironment
    ) {
        streams.write(pieces, to: id)
        move(id, in: &environment)
    }

    mutating func close(_ id: ConnectionID, in environment: inout ProcessEnvironment) {
        streams.close(id, in: &environment)
    }

    mutating func abort(_ id: ConnectionID, in environment: inout ProcessEnvironment) {
        streams.abort(id, in: &environment)
    }

    /// Moves as many bytes as the stack has room for.
    private mutating func move(_ id: ConnectionID, in environment: inout ProcessEnvironment) {
        guard let moved = streams.pump(id, in: &environment) else { return }
        if let taken = moved.taken { pump.tell(.taken(id, taken)) }
        if let found = moved.unreadable { pump.tell(.unreadable(id, found: found)) }
    }
}
