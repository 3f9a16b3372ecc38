import Content
import Quantities
import QueueStorage
import Recording
import RunLog
import RunPlan
import TransferClient
import TransferEngine

/// One launch of the app: the engine, its store, its connections, and the app script above them.
///
/// A kill drops the whole struct; what survives is the disk and what the network stack had taken.
struct VirtualApp: ~Copyable {
    private let making: TransferEngine.Making
    private var engine: TransferEngine
    private var flight: VirtualFlight<TransferEngine>?
    private let medium: VirtualDiskMedium
    private var store: QueueStore
    private var recorder: EngineRecorder
    private let faces: TransferFaces
    /// The app above the faces, which do not hold it.
    private var app: RunningApp?
    private let files: ContainerFiles
    private let mailbox = CommandMailbox()
    private var streams = ProcessStreams()
    /// Changes on their way into the store, in the order they were asked for.
    private var changes: [PendingChange] = []
    private var engineDeadline: Instant?
    private var inputs: [EngineInput] = []
    private var outputs: [EngineOutput] = []
    private let launch: UInt32
    /// Others than at the last launch if the store was set aside.
    let numbers: AppNumbers
    /// What the engine asks of the phone, until the phone takes it.
    private(set) var requests: [ProcessRequest] = []

    private struct PendingChange {
        var due: Instant
        var ticket: PersistTicket
        var change: StoreChange
    }

    /// How long the store takes for a change. A kill in this gap finds the change undone.
    static let commitTime = TimeSpan.milliseconds(1)

    init(
        launch: UInt32, of app: AppNumbers, sessionsCounted: UInt64,
        on medium: VirtualDiskMedium, asksForBackgroundTime: Bool, platform: Platform,
        files: ContainerFiles, countsCells: Bool
    ) throws(StoreError) {
        making = TransferEngine.Making(
            asksForBackgroundTime: asksForBackgroundTime, identity: UInt64(launch),
            platform: platform)
        engine = TransferEngine(making)
        if countsCells { engine.countCells() }
        var restored: [SessionRecord] = []
        self.launch = launch
        self.files = files
        self.medium = medium
        store = try QueueStore(at: QueueStore.name, on: .medium(medium), sessions: &restored)
        var numbers = app
        if let setAside = store.setAside {
            numbers.goOn(.init(after: setAside, keeping: restored, before: sessionsCounted))
        }
        self.numbers = numbers
        recorder = EngineRecorder(
            launch: launch, of: numbers, restored: restored, store.entries,
            accounts: store.accounts)
        faces = TransferFaces(host: mailbox)
        inputs.append(.restored(restored, accounts: store.accounts))
        if let setAside = store.setAside { inputs.append(.storeWasSetAside(setAside)) }
        if !store.entries.isEmpty { inputs.append(.heldEntries(store.entries)) }
    }

    // MARK: What happens to the process

    /// `launch` counts from the first on which the app found nothing of its own.
    mutating func begin(
        _ script: AppScript, launch: UInt32, inBackground: Bool, network: NetworkStatus?,
        in surroundings: inout AppSurroundings
    ) {
        recorder.recordOpening(
            after: store.setAside, at: surroundings.network.now,
            into: &surroundings.network.log)
        flight = VirtualFlight(
            making, named: "app-\(surroundings.turn + 1)-launch-\(launch)", in: &surroundings)
        if let network { inputs.append(.network(network)) }
        if inBackground { inputs.append(.enteredBackground) }
        work(in: &surroundings)
        app = script.didLaunch(
            launch, at: surroundings.network.now, with: faces, files: files)
        work(in: &surroundings)
    }

    mutating func tell(_ input: EngineInput, in surroundings: inout AppSurroundings) {
        inputs.append(input)
        work(in: &surroundings)
    }

    mutating func perform(
        _ command: AppPlan.Command, in surroundings: inout AppSurroundings
    ) {
        app?.perform(command)
        work(in: &surroundings)
    }

    /// Time in the background is given back when the process has nothing more to do: whoever asks
    /// for more in the callback of an end is not suspended in between.
    mutating func takeRequests() -> [ProcessRequest] {
        defer { requests.removeAll(keepingCapacity: true) }
        return requests.filter { !$0.endsTask } + requests.filter(\.endsTask)
    }

    mutating func connected(_ handle: StreamHandle, in surroundings: inout AppSurroundings) {
        tell(handle, in: &surroundings) { .connected($0) }
    }

    mutating func readable(_ handle: StreamHandle, in surroundings: inout AppSurroundings) {
        var segments: [Segment] = []
        surroundings.network.read(handle, into: &segments)
        guard !segments.isEmpty else { return }
        tell(handle, in: &surroundings) { .received($0, segments) }
    }

    mutating func roomAvailable(on handle: StreamHandle, in surroundings: inout AppSurroundings) {
        guard let id = streams[handle] else { return }
        pump(id, in: &surroundings)
        work(in: &surroundings)
    }

    mutating func disconnected(
        _ handle: StreamHandle, _ why: Disconnection, in surroundings: inout AppSurroundings
    ) {
        guard let id = streams.ended(handle, in: &surroundings) else { return }
        inputs.append(.attempt(.disconnected(id, why)))
        work(in: &surroundings)
    }

    mutating func wake(in surroundings: inout AppSurroundings) {
        let now = surroundings.network.now
        while let pending = changes.first, pending.due <= now {
            changes.removeFirst()
            commit(pending)
            // Nothing of what it still had to do is done.
            if medium.isCutOff { return }
        }
        if let deadline = engineDeadline, deadline <= now { inputs.append(.wake) }
        app?.wake(at: now)
        work(in: &surroundings)
    }

    func holds(_ handle: StreamHandle) -> Bool { streams[handle] != nil }

    var cells: ReachedCells? { engine.cells }

    /// The streams that the process leaves behind, in the order they were opened.
    var openStreams: [StreamHandle] { streams.handles }

    var nextDeadline: Instant? {
        var next = app?.nextDeadline
        if let due = changes.first?.due { next = min(next ?? due, due) }
        if let engineDeadline { next = min(next ?? engineDeadline, engineDeadline) }
        return next
    }

    // MARK: The engine's inputs and outputs

    private mutating func tell(
        _ handle: StreamHandle, in surroundings: inout AppSurroundings,
        _ event: (ConnectionID) -> AttemptInput
    ) {
        guard let id = streams[handle] else { return }
        inputs.append(.attempt(event(id)))
        work(in: &surroundings)
    }

    /// Feeds the engine until it has nothing left to be told at this moment.
    private mutating func work(in surroundings: inout AppSurroundings) {
        // It is dead, and its phone will say so.
        if medium.isCutOff { return inputs.removeAll() }
        while true {
            inputs += mailbox.takeAll()
            guard !inputs.isEmpty else { return }
            let input = inputs.removeFirst()
            let now = surroundings.network.now
            recorder.record(input, at: now, into: &surroundings.network.log)
            engineDeadline = engine.handle(input, at: now, into: &outputs)
            let todo = outputs
            outputs.removeAll(keepingCapacity: true)
            flight?.record(input, giving: todo, wakingAt: engineDeadline, in: &surroundings)
            for output in todo {
                recorder.record(output, at: now, into: &surroundings.network.log)
                carryOut(output, in: &surroundings)
            }
        }
    }

    private mutating func carryOut(
        _ output: EngineOutput, in surroundings: inout AppSurroundings
    ) {
        switch output {
        case .persist(let ticket, let change):
            let due = surroundings.network.now + Self.commitTime
            changes.append(PendingChange(due: due, ticket: ticket, change: change))
        case .attempt(let wanted): carryOut(wanted, in: &surroundings)
        case .tell(.background(let callback)): deliver(callback, in: &surroundings)
        case .tell(let news): faces.deliver(news)
        case .askDaemon(let request): requests.append(.daemon(request))
        case .beginBackgroundTask(let task): requests.append(.beginTask(task))
        case .endBackgroundTask(let task): requests.append(.endTask(task))
        case .note: break
        }
    }

    private mutating func carryOut(
        _ wanted: AttemptOutput, in surroundings: inout AppSurroundings
    ) {
        switch wanted {
        case .inspect(let transfer, let path):
            let held = files.inspect(path)
            let inspection = held == .missing ? surroundings.container.inspect(path) : held
            inputs.append(.attempt(.inspected(transfer, inspection)))
        case .examine(let transfer, let path, let coverage):
            let held = files.examine(path)
            let examination =
                held == .missing ? surroundings.container.examine(path, coverage) : held
            inputs.append(.attempt(.examined(transfer, examination)))
        case .connect(let id, let account, _):
            let handle = surroundings.connect(
                to: account, as: ConnectionName(launch: launch, number: id.number))
            streams.opened(id, handle)
        case .write(let id, let pieces):
            streams.write(pieces, to: id)
            pump(id, in: &surroundings)
        case .close(let id): streams.close(id, in: &surroundings)
        case .keep(let transfer, let path, let segments, let offset):
            let kept = files.parts.keep(segments, in: path, at: offset, of: transfer)
            inputs.append(.attempt(.kept(transfer, kept)))
        case .place(let transfer, let part, let path):
            place(part, of: transfer, at: path, in: &surroundings)
        case .discard(let path): files.parts.discard(path)
        case .note: break
        }
    }

    private mutating func place(
        _ part: String, of transfer: TransferID, at path: String,
        in surroundings: inout AppSurroundings
    ) {
        let now = surroundings.network.now
        let (result, content) = files.place(part, at: path, at: now)
        if result == .placed {
            surroundings.container.give(path)
            surroundings.network.log.record(
                .file(.moved(recorder.name(transfer), to: path, content)),
                at: now, app: numbers.name)
        }
        inputs.append(.attempt(.placed(transfer, result)))
    }

    /// The temporary file of a download is there as long as the callback lasts (B3).
    private func deliver(
        _ callback: BackgroundCallback, in surroundings: inout AppSurroundings
    ) {
        if case .didFinishDownloading(let task, _, let location) = callback {
            files.offer(location, of: task)
        }
        faces.background.deliver(callback)
        files.withdraw()
        app?.callbackHasReturned()
        for deed in files.takeDeeds() {
            let fact = deed.fact(of: recorder.transfer(ofTask: deed.task))
            surroundings.network.log.record(
                .file(fact), at: surroundings.network.now, app: numbers.name)
        }
    }

    private mutating func commit(_ pending: PendingChange) {
        do throws(StoreError) {
            try store.apply(pending.change)
            inputs.append(.persisted(pending.ticket))
        } catch {
            inputs.append(.persistFailed(pending.ticket, reason: error.message))
        }
    }

    private mutating func pump(_ id: ConnectionID, in surroundings: inout AppSurroundings) {
        guard let pumped = streams.pump(id, in: &surroundings) else { return }
        if let taken = pumped.taken { inputs.append(.attempt(.taken(id, taken))) }
        if pumped.isUnreadable { inputs.append(.attempt(.unreadable(id))) }
    }
}

/// What an app process finds around it: its files, and the way out.
struct AppSurroundings: ~Copyable {
    var network: SecuredNetwork
    private var containers: [VirtualContainer]
    /// Which app's turn it is, counted through the run.
    var turn = 0
    /// On which phone each app is.
    private let phones: [Int]
    /// What each phone has where it has no choice.
    private let firstInterfaces: [Int]
    /// How many items of all apps have their names already.
    var counted: ItemCounts
    /// Every stream that an app has opened, under the name that the log knows.
    var streams = OpenStreams()
    /// Of all apps of the run.
    var launches: UInt32 = 0
    /// The interface of each phone's new connections, where there is a choice or was one.
    var routes: [Int?]
    /// Where recorders write, if the run has any.
    var flights: VirtualFlights?

    init(
        network: consuming SecuredNetwork, containers: [VirtualContainer], phones: [Int],
        firstInterfaces: [Int], counted: ItemCounts
    ) {
        self.network = network
        self.containers = containers
        self.phones = phones
        self.firstInterfaces = firstInterfaces
        routes = firstInterfaces.map { _ in nil }
        self.counted = counted
    }

    /// The files of the app whose turn it is.
    var container: VirtualContainer {
        get { containers[turn] }
        _modify { yield &containers[turn] }
    }

    /// Somebody changes a file behind the back of the app that has one of this path.
    mutating func apply(_ change: FileChange) {
        guard let owner = containers.firstIndex(where: { $0.has(change.path) }) else {
            preconditionFailure("no app has \(change.path)")
        }
        turn = owner
        containers[owner].apply(change, at: network.now, of: app, into: &network.log)
    }

    /// Whose events those of the app are whose turn it is.
    var app: UInt16? { RunNames.number(ofPlace: turn) }

    /// Lets it be the turn of an app of a phone, by its place there.
    mutating func turn(toApp place: UInt16, onPhone phone: Int) {
        guard let first = phones.firstIndex(of: phone) else {
            preconditionFailure("phone \(phone) has no app")
        }
        turn = first + Int(place)
    }

    mutating func connect(to account: Account, as name: ConnectionName) -> StreamHandle {
        let route = routes[phones[turn]]
        let handle = network.connect(
            to: account.port, over: route ?? firstInterfaces[phones[turn]], as: name, of: app)
        if let route {
            network.log.record(
                .connection(.bound(name, interface: UInt16(route))), at: network.now, app: app)
        }
        streams.opened(handle, as: name, of: app)
        return handle
    }
}
