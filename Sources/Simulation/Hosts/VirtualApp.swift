import Content
import Quantities
import QueueStorage
import Recording
import RunLog
import RunPlan
import TransferClient
import TransferEngine

/// One launch of an app: the engine, its store and connections, and the app script.
///
/// A kill drops the whole struct. Only the disk and the bytes in the network stack survive.
struct VirtualApp: ~Copyable {
    private var process: VirtualProcess<TransferEngine, QueueStore>
    private let faces: TransferFaces
    private let fetchAnswers = FetchAnswers()
    /// The scripted app behind the faces.
    private var app: RunningApp?
    private let files: ContainerFiles
    private let mailbox: CommandMailbox
    private let identity: AppIdentity
    /// New numbers if the store had to be set aside, otherwise the previous ones.
    let numbers: AppNumbers
    /// Requests to the phone, until the phone takes them.
    private(set) var requests: [ProcessRequest] = []
    private var ownTasks = OwnBackgroundTasks(AppManners())

    init(
        _ making: TransferEngine.Making, launch: UInt32, of identity: AppIdentity,
        _ app: AppNumbers, on medium: VirtualDiskMedium, files: ContainerFiles, wallet: Wallet,
        seeing docroots: SeenDocroots, countsCells: Bool, in environment: inout ProcessEnvironment
    ) throws(StoreError) {
        var restored: [SessionRecord] = []
        let store = try QueueStore(at: QueueStore.name, on: .medium(medium), sessions: &restored)
        var numbers = app
        if let setAside = store.setAside {
            let before = environment.counted
            numbers.goOn(.init(after: setAside, keeping: restored, before: before))
        }
        if TransferEngine.mayHaveAbandonedParts(after: store.setAside, restored) {
            let abandoned = TransferEngine.abandonedParts(
                among: files.parts.all, besides: restored, store.entries)
            for path in abandoned { files.parts.discard(path) }
        }
        self.numbers = numbers
        self.identity = identity
        self.files = files
        // Each launch finds its container elsewhere, as after an update.
        mailbox = CommandMailbox(
            container: "/container-of-app-\(identity.index + 1)/launch-\(launch)", wallet: wallet)
        faces = TransferFaces(host: mailbox)
        let recorder = EngineRecorder(
            launch: launch, of: numbers, restored: restored, store.entries,
            accounts: store.accounts, seeing: docroots)
        process = VirtualProcess(
            MachinePump(making, recordedBy: recorder, countsCells: countsCells))
        process.pump.opened(
            restored, store.entries, accounts: store.accounts, after: store.setAside,
            at: environment.network.now, into: &environment.network.log)
        process.open(store, on: medium)
    }

    // MARK: What happens to the process

    /// Starts the script; `launch` counts from the latest time at which the app's data was empty.
    mutating func begin(
        _ script: AppScript, launch: UInt32, inBackground: Bool, network: NetworkStatus?,
        in environment: inout ProcessEnvironment
    ) {
        process.recordFlight(
            as: "app-\(identity.index + 1)-launch-\(launch)", in: &environment)
        ownTasks = OwnBackgroundTasks(script.plan.manners)
        for (handle, state) in mailbox.wallet.states {
            process.pump.tell(.credential(handle, .known(state)))
        }
        if let network { process.pump.tell(.network(network)) }
        if inBackground { process.pump.tell(.enteredBackground) }
        work(in: &environment)
        app = script.didLaunch(
            launch, at: environment.network.now, with: faces, files: files)
        work(in: &environment)
        recordLists(in: &environment)
    }

    /// Records which parts of downloads there are.
    mutating func recordParts(in environment: inout ProcessEnvironment) {
        let parts = files.parts.all
        guard !parts.isEmpty, !process.isCutOff else { return }
        process.pump.recorder.record(
            .file(.parts(parts)), at: environment.network.now, into: &environment.network.log)
    }

    /// Records what the app's lists show now.
    mutating func recordLists(in environment: inout ProcessEnvironment) {
        guard let app, !process.isCutOff else { return }
        for shown in app.shown {
            process.pump.recorder.record(
                .shown(shown), at: environment.network.now, into: &environment.network.log)
        }
    }

    mutating func tell(_ input: EngineInput, in environment: inout ProcessEnvironment) {
        process.pump.tell(input)
        work(in: &environment)
    }

    /// The expiry handler of a task runs. The engine knows only its own tasks.
    mutating func expire(_ task: UInt32, in environment: inout ProcessEnvironment) {
        ask(ownTasks.expires(task))
        guard !OwnBackgroundTasks.owns(task) else { return }
        tell(.backgroundTimeExpires(BackgroundTaskID(task)), in: &environment)
    }

    mutating func fetch(in environment: inout ProcessEnvironment) {
        faces.background.performFetch { [fetchAnswers] in fetchAnswers.add($0) }
        work(in: &environment)
    }

    mutating func perform(
        _ command: AppPlan.Command, in environment: inout ProcessEnvironment
    ) {
        app?.perform(command)
        work(in: &environment)
        recordLists(in: &environment)
    }

    /// Returns the requests, with ends of background tasks last. Otherwise an app that asks for
    /// more time while a task ends would be suspended in between.
    mutating func takeRequests() -> [ProcessRequest] {
        defer { requests.removeAll(keepingCapacity: true) }
        return requests.filter { !$0.endsTask } + requests.filter(\.endsTask)
    }

    /// Stops what only the process itself does for its connections, or goes on with it.
    func standStill(_ stands: Bool, in environment: inout ProcessEnvironment) {
        process.standStill(stands, in: &environment)
    }

    mutating func hear(_ event: NetworkEvent, in environment: inout ProcessEnvironment) {
        if case .readable(let handle) = event, let id = process.id(of: handle),
            mailbox.wallet.readsToken(on: id)
        {
            readToken(handle, id, in: &environment)
        } else {
            process.hear(event, in: &environment)
        }
        work(in: &environment)
    }

    private mutating func readToken(
        _ handle: StreamHandle, _ id: ConnectionID, in environment: inout ProcessEnvironment
    ) {
        var segments: [Segment] = []
        environment.network.read(handle, into: &segments)
        guard let (credential, news) = mailbox.wallet.receive(segments, on: id) else { return }
        process.pump.tell(.credential(credential, news))
    }

    mutating func wake(in environment: inout ProcessEnvironment) {
        let now = environment.network.now
        guard process.commit(dueAt: now) else { return }
        process.pump.wake(at: now)
        app?.wake(at: now)
        work(in: &environment)
    }

    /// Ends the process. Bytes already in the network stack still leave the phone.
    mutating func end(in environment: inout ProcessEnvironment) {
        process.abandonStreams(in: &environment)
    }

    func holds(_ handle: StreamHandle) -> Bool { process.holds(handle) }

    func loseConnections(in environment: inout ProcessEnvironment) {
        process.loseConnections(in: &environment)
    }

    var cells: ReachedCells? { process.pump.cells }

    var nextDeadline: Instant? {
        guard let due = process.nextDeadline else { return app?.nextDeadline }
        return min(app?.nextDeadline ?? due, due)
    }

    // MARK: What the engine wants

    /// Takes turns until the engine has no inputs left.
    private mutating func work(in environment: inout ProcessEnvironment) {
        for command in mailbox.takeAll() { process.pump.tell(command) }
        while let outputs = process.turn(in: &environment) {
            for output in outputs {
                process.record(output, in: &environment)
                carryOut(output, in: &environment)
            }
            for command in mailbox.takeAll() { process.pump.tell(command) }
        }
        requests += fetchAnswers.takeAll().map { .endFetch($0) }
    }

    private mutating func carryOut(
        _ output: EngineOutput, in environment: inout ProcessEnvironment
    ) {
        switch output {
        case .persist(let ticket, let change):
            process.persist(change, as: ticket, at: environment.network.now)
        case .attempt(let wanted): carryOut(wanted, in: &environment)
        case .tell(.background(let callback)): deliver(callback, in: &environment)
        case .tell(let news): faces.deliver(news)
        case .askDaemon(let request): requests.append(.daemon(request))
        case .beginBackgroundTask(let task):
            requests.append(.beginTask(task))
            ask(ownTasks.began(task.number))
        case .endBackgroundTask(let task):
            requests.append(.endTask(task))
            ask(ownTasks.ended(task.number))
        case .note: break
        }
    }

    private mutating func ask(_ deed: OwnBackgroundTasks.Deed?) {
        switch deed {
        case .begin(let task): requests.append(.beginTask(BackgroundTaskID(task)))
        case .end(let task): requests.append(.endTask(BackgroundTaskID(task)))
        case nil: break
        }
    }

    private mutating func carryOut(
        _ wanted: AttemptOutput, in environment: inout ProcessEnvironment
    ) {
        switch wanted {
        case .inspect(let transfer, let path):
            let held = files.inspect(path)
            let inspection =
                held == .missing ? environment[filesOf: identity].inspect(path) : held
            process.pump.tell(.inspected(transfer, inspection))
        case .examine(let transfer, let path, let coverage):
            let held = files.examine(path)
            let examination =
                held == .missing ? environment[filesOf: identity].examine(path, coverage) : held
            process.pump.tell(.examined(transfer, examination))
        case .connect(let id, let account, _):
            process.connect(id, to: account, of: identity, in: &environment)
        case .connectPaced(let id, let route, _):
            process.connect(id, by: route, of: identity, in: &environment)
        case .connectChannel(let id, let other, _):
            process.connect(id, beside: other, of: identity, in: &environment)
        case .pace(let id, let rate): process.pace(id, by: rate, in: &environment)
        case .readToken(let id, let handle): mailbox.wallet.awaitsToken(on: id, for: handle)
        case .forget(let use, _): mailbox.wallet.forget(use)
        case .write(let id, let pieces):
            process.write(mailbox.wallet.filled(pieces), to: id, in: &environment)
        case .close(let id): process.close(id, in: &environment)
        case .abort(let id): process.abort(id, in: &environment)
        case .keep(let transfer, let path, let segments, let offset):
            let kept = files.parts.keep(segments, in: path, at: offset, of: transfer)
            process.pump.tell(.kept(transfer, kept))
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
                .file(.moved(process.pump.recorder.name(transfer), to: path, content)),
                at: now, app: numbers.name)
        }
        process.pump.tell(.placed(transfer, result))
    }

    /// Delivers a callback. A download's temporary file exists until the callback returns (B3).
    private func deliver(
        _ callback: BackgroundCallback, in environment: inout ProcessEnvironment
    ) {
        if case .didFinishDownloading(let task, _, _, _, let location) = callback {
            files.offer(location, of: task)
        }
        faces.background.deliver(callback)
        files.withdraw()
        app?.callbackHasReturned()
        for deed in files.takeDeeds() {
            let fact = deed.fact(of: process.pump.recorder.transfer(ofTask: deed.task))
            environment.network.log.record(
                .file(fact), at: environment.network.now, app: numbers.name)
        }
    }
}
