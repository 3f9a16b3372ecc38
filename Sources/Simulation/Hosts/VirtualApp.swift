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
    private let identity: AppIdentity
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
        launch: UInt32, of identity: AppIdentity, _ app: AppNumbers, sessionsCounted: UInt64,
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
        self.identity = identity
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
        in environment: inout ProcessEnvironment
    ) {
        recorder.recordOpening(
            after: store.setAside, at: environment.network.now,
            into: &environment.network.log)
        flight = VirtualFlight(
            making, named: "app-\(identity.index + 1)-launch-\(launch)", in: &environment)
        if let network { inputs.append(.network(network)) }
        if inBackground { inputs.append(.enteredBackground) }
        work(in: &environment)
        app = script.didLaunch(
            launch, at: environment.network.now, with: faces, files: files)
        work(in: &environment)
    }

    mutating func tell(_ input: EngineInput, in environment: inout ProcessEnvironment) {
        inputs.append(input)
        work(in: &environment)
    }

    mutating func perform(
        _ command: AppPlan.Command, in environment: inout ProcessEnvironment
    ) {
        app?.perform(command)
        work(in: &environment)
    }

    /// Time in the background is given back when the process has nothing more to do: whoever asks
    /// for more in the callback of an end is not suspended in between.
    mutating func takeRequests() -> [ProcessRequest] {
        defer { requests.removeAll(keepingCapacity: true) }
        return requests.filter { !$0.endsTask } + requests.filter(\.endsTask)
    }

    mutating func connected(_ handle: StreamHandle, in environment: inout ProcessEnvironment) {
        tell(handle, in: &environment) { .connected($0) }
    }

    mutating func readable(_ handle: StreamHandle, in environment: inout ProcessEnvironment) {
        var segments: [Segment] = []
        environment.network.read(handle, into: &segments)
        guard !segments.isEmpty else { return }
        tell(handle, in: &environment) { .received($0, segments) }
    }

    mutating func roomAvailable(on handle: StreamHandle, in environment: inout ProcessEnvironment) {
        guard let id = streams[handle] else { return }
        pump(id, in: &environment)
        work(in: &environment)
    }

    mutating func disconnected(
        _ handle: StreamHandle, _ why: Disconnection, in environment: inout ProcessEnvironment
    ) {
        guard let id = streams.ended(handle, in: &environment) else { return }
        inputs.append(.attempt(.disconnected(id, why)))
        work(in: &environment)
    }

    mutating func wake(in environment: inout ProcessEnvironment) {
        let now = environment.network.now
        while let pending = changes.first, pending.due <= now {
            changes.removeFirst()
            commit(pending)
            // Nothing of what it still had to do is done.
            if medium.isCutOff { return }
        }
        if let deadline = engineDeadline, deadline <= now { inputs.append(.wake) }
        app?.wake(at: now)
        work(in: &environment)
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
        _ handle: StreamHandle, in environment: inout ProcessEnvironment,
        _ event: (ConnectionID) -> AttemptInput
    ) {
        guard let id = streams[handle] else { return }
        inputs.append(.attempt(event(id)))
        work(in: &environment)
    }

    /// Feeds the engine until it has nothing left to be told at this moment.
    private mutating func work(in environment: inout ProcessEnvironment) {
        // It is dead, and its phone will say so.
        if medium.isCutOff { return inputs.removeAll() }
        while true {
            inputs += mailbox.takeAll()
            guard !inputs.isEmpty else { return }
            let input = inputs.removeFirst()
            let now = environment.network.now
            recorder.record(input, at: now, into: &environment.network.log)
            engineDeadline = engine.handle(input, at: now, into: &outputs)
            let todo = outputs
            outputs.removeAll(keepingCapacity: true)
            flight?.record(input, giving: todo, wakingAt: engineDeadline, in: &environment)
            for output in todo {
                recorder.record(output, at: now, into: &environment.network.log)
                carryOut(output, in: &environment)
            }
        }
    }

    private mutating func carryOut(
        _ output: EngineOutput, in environment: inout ProcessEnvironment
    ) {
        switch output {
        case .persist(let ticket, let change):
            let due = environment.network.now + Self.commitTime
            changes.append(PendingChange(due: due, ticket: ticket, change: change))
        case .attempt(let wanted): carryOut(wanted, in: &environment)
        case .tell(.background(let callback)): deliver(callback, in: &environment)
        case .tell(let news): faces.deliver(news)
        case .askDaemon(let request): requests.append(.daemon(request))
        case .beginBackgroundTask(let task): requests.append(.beginTask(task))
        case .endBackgroundTask(let task): requests.append(.endTask(task))
        case .note: break
        }
    }

    private mutating func carryOut(
        _ wanted: AttemptOutput, in environment: inout ProcessEnvironment
    ) {
        switch wanted {
        case .inspect(let transfer, let path):
            let held = files.inspect(path)
            let inspection = held == .missing ? environment[filesOf: identity].inspect(path) : held
            inputs.append(.attempt(.inspected(transfer, inspection)))
        case .examine(let transfer, let path, let coverage):
            let held = files.examine(path)
            let examination =
                held == .missing ? environment[filesOf: identity].examine(path, coverage) : held
            inputs.append(.attempt(.examined(transfer, examination)))
        case .connect(let id, let account, _):
            let handle = environment.connect(
                to: account, as: ConnectionName(launch: launch, number: id.number),
                of: identity)
            streams.opened(id, handle, of: identity)
        case .write(let id, let pieces):
            streams.write(pieces, to: id)
            pump(id, in: &environment)
        case .close(let id): streams.close(id, in: &environment)
        case .keep(let transfer, let path, let segments, let offset):
            let kept = files.parts.keep(segments, in: path, at: offset, of: transfer)
            inputs.append(.attempt(.kept(transfer, kept)))
        case .place(let transfer, let part, let path):
            place(part, of: transfer, at: path, in: &environment)
        case .discard(let path): files.parts.discard(path)
        case .note: break
        }
    }

    private mutating func place(
        _ part: String, of transfer: TransferID, at path: String,
        in environment: inout ProcessEnvironment
    ) {
        let now = environment.network.now
        let (result, content) = files.place(part, at: path, at: now)
        if result == .placed {
            environment[filesOf: identity].give(path)
            environment.network.log.record(
                .file(.moved(recorder.name(transfer), to: path, content)),
                at: now, app: numbers.name)
        }
        inputs.append(.attempt(.placed(transfer, result)))
    }

    /// The temporary file of a download is there as long as the callback lasts (B3).
    private func deliver(
        _ callback: BackgroundCallback, in environment: inout ProcessEnvironment
    ) {
        if case .didFinishDownloading(let task, _, let location) = callback {
            files.offer(location, of: task)
        }
        faces.background.deliver(callback)
        files.withdraw()
        app?.callbackHasReturned()
        for deed in files.takeDeeds() {
            let fact = deed.fact(of: recorder.transfer(ofTask: deed.task))
            environment.network.log.record(
                .file(fact), at: environment.network.now, app: numbers.name)
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

    private mutating func pump(_ id: ConnectionID, in environment: inout ProcessEnvironment) {
        guard let pumped = streams.pump(id, in: &environment) else { return }
        if let taken = pumped.taken { inputs.append(.attempt(.taken(id, taken))) }
        if pumped.isUnreadable { inputs.append(.attempt(.unreadable(id))) }
    }
}
