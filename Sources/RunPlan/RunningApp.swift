package import Quantities
import RunLog
import TransferClient
import TransferEngine

/// The app of a plan while its process lives: its objects, and its reactions to commands and
/// callbacks. Numbers are those of the plan.
package final class RunningApp {
    let script: AppScript
    let launch: UInt32
    let faces: TransferFaces
    /// Queue sessions that this launch has made, by number.
    var madeSessions: [Int: TransferSession] = [:]
    /// Accounts that this launch has made or looked up, by name.
    var accounts: [String: TransferAccount] = [:]
    /// Changed settings, by the session's number.
    private var settings: [Int: TransferSettings] = [:]
    private var operations: [Int: UploadOperation] = [:]
    /// Resumable transfers that this launch has made, by number.
    var madeTransfers: [Int: ResumableTransfer] = [:]
    /// Background sessions by identifier.
    var sessions: [String: BackgroundSession] = [:]
    /// The delegate of background sessions that were refused, because they were made twice.
    let stranger = Stranger()
    /// Hears for the app; `nil` while it does not listen. The earlier ones live on.
    private(set) var listener: AppListener?
    private var listeners: [AppListener] = []
    /// The app's further observers of upload operations, which hear from the launch to its end.
    let counters: [OperationCounter]
    /// Completion handlers not yet called, by the session's identifier.
    var handlers: [String: () -> Void] = [:]
    /// What is needed to continue the downloads of tasks, by their numbers.
    var resumeData: [UInt64: ResumeData] = [:]
    /// The requests of tasks that have ended in this launch.
    var ended: [TaskRequest?] = []
    let files: (any AppFiles)?
    /// When the app makes its background sessions; `nil` afterwards.
    package private(set) var nextDeadline: Instant?
    /// Actions for the time after the current callback.
    var afterCallback: [() -> Void] = []

    init(
        _ script: AppScript, launch: UInt32, _ faces: TransferFaces, _ files: (any AppFiles)?
    ) {
        self.script = script
        self.launch = launch
        self.faces = faces
        self.files = files
        counters = (1..<script.plan.manners.observersOfOperations).map { _ in OperationCounter() }
    }

    /// Sets the delegates and observers, and makes the background sessions now or later.
    func hearFromNowOn(at now: Instant) {
        listen(true)
        for counter in counters { faces.operations.addObserver(counter) }
        begin(.operations)
        begin(.bucket)
        nextDeadline = now + script.plan.manners.sessionsAreLateBy
        wake(at: now)
    }

    package func wake(at now: Instant) {
        guard let nextDeadline, nextDeadline <= now else { return }
        self.nextDeadline = nil
        makeSessions()
    }

    /// Sets a new listener, or takes the one there is away. An earlier one hears nothing more, even
    /// if an interface still knows it.
    private func listen(_ hears: Bool) {
        listener?.isDeaf = true
        if let listener { faces.operations.removeObserver(listener) }
        listener = hears ? AppListener(for: self) : nil
        if let listener {
            listeners.append(listener)
            faces.operations.addObserver(listener)
        }
        faces.queue.delegate = listener
        faces.background.delegate = listener
    }

    /// Called after each callback of a background session.
    package func callbackHasReturned() {
        let deeds = afterCallback
        afterCallback = []
        for deed in deeds { deed() }
    }

    /// Carries out a command of the user or of a rule. Sessions that are not in the queue have no
    /// index, so commands about them have no effect.
    package func perform(_ command: AppPlan.Command) {
        switch command {
        case .start: faces.queue.start()
        case .stop: faces.queue.stop()
        case .doNotStart: break
        case .item(let step, let item): perform(step, item)
        case .save(let number): session(number)?.save()
        case .deleteAccount(let name): account(named: name)?.delete()
        case .move(let number, let index):
            if let from = self.index(of: number) { faces.queue.moveSession(from: from, to: index) }
        case .insert(let number, let index):
            if let session = session(number) { faces.queue.insert(session, at: index) }
        case .change(let number, let change): self.change(number, change)
        case .shorten(let number): shorten(number)
        case .listen(let hears): listen(hears)
        case .demarcate(let isOn): faces.queue.backgroundTaskDemarcationEnabled = isOn
        case .signIn(let account, let password): signIn(to: account, with: password)
        case .addPath(let number, let path): addPath(path, toSession: number)
        case .emptyLists: faces.operations.flush()
        case .invalidate(let identifier, true): sessions[identifier]?.invalidateAndCancel()
        case .invalidate(let identifier, false): sessions[identifier]?.finishTasksAndInvalidate()
        }
    }

    private func perform(_ step: ItemStep, _ item: ItemName) {
        let number = Int(item.number)
        switch item.facade {
        case .queue: perform(step, onSession: number)
        case .operations: perform(step, onOperation: number)
        case .background: perform(step, onTask: number)
        case .bucket: perform(step, onTransfer: number)
        }
    }

    /// Does what this launch should do with the façade's items.
    func begin(_ facade: Facade) {
        for command in script.plan.steps(facade, onLaunch: launch) { perform(command) }
    }

    func hears(_ occasion: AppPlan.Occasion) {
        for command in script.plan.commands(on: occasion) { perform(command) }
    }

    // MARK: The queue

    private func perform(_ step: ItemStep, onSession number: Int) {
        if step == .begin { return enqueue(number) }
        guard let index = index(of: number) else {
            if step == .remove { session(number)?.delete() }
            return
        }
        switch step {
        case .run: faces.queue.runSession(at: index)
        case .cancel: faces.queue.cancelSession(at: index)
        case .stop: faces.queue.stopSession(at: index)
        case .pause: faces.queue.pauseSession(at: index)
        case .resume: faces.queue.resumeSession(at: index)
        case .remove: faces.queue.removeSession(at: index)
        case .begin, .suspend, .retry, .terminate, .beginUnlessListed, .putOff:
            step.isNone(of: .queue)
        }
    }

    private func enqueue(_ number: Int) {
        let planned = script.sessions[number - 1]
        if script.plan.notEnqueued[number] != nil {
            if let session = session(number) { faces.queue.enqueue(session) }
        } else if planned.account != nil {
            faces.queue.enqueue(newSession(number))
        } else {
            faces.queue.enqueue(request(for: planned))
        }
    }

    private func request(for session: PlannedSession) -> SessionRequest {
        let files = session.isPersistent ? [] : session.paths
        return SessionRequest(
            of: .like(QueueAccount(script.account)),
            files.map { SessionRequest.File(source: $0.source, destination: $0.destination) },
            isDownload: session.isDownload, limits: session.limits,
            isPersistent: session.isPersistent, settings: session.settings)
    }

    private func shorten(_ number: Int) {
        guard let session = session(number), !session.paths.isEmpty else { return }
        session.paths.removeLast()
    }

    /// Changes settings, and remembers them, like an app that shows settings.
    /// Settings of a session that is only saved change with its next save.
    private func change(_ number: Int, _ change: SettingsChange) {
        guard let index = index(of: number) else {
            if let session = session(number) { change.apply(to: &session.settings) }
            return
        }
        var settings = settings[number] ?? script.sessions[number - 1].settings
        change.apply(to: &settings)
        self.settings[number] = settings
        faces.queue.changeSettings(settings, ofSessionAt: index)
    }

    /// Adds one of the session's paths, or all of them. As the app knows its files by absolute
    /// paths, it names them so.
    private func addPath(_ number: Int?, toSession session: Int) {
        guard index(of: session) != nil else { return }
        let planned = script.sessions[session - 1]
        for path in number.map({ [planned.paths[$0 - 1]] }) ?? planned.paths {
            faces.queue.addPath(
                from: planned.isDownload ? path.source : absolute(path.source),
                to: planned.isDownload ? absolute(path.destination) : path.destination,
                toPersistent: SessionID(UInt64(session)))
        }
    }

    private func absolute(_ path: String) -> String {
        "\(faces.queue.container)/\(path)"
    }

    private func index(of number: Int) -> Int? {
        faces.queue.sessions.firstIndex(of: SessionID(UInt64(number)))
    }

    // MARK: Upload operations

    private func perform(_ step: ItemStep, onOperation number: Int) {
        switch step {
        case .begin: add(number)
        case .cancel: operations[number]?.task.cancel()
        case .retry:
            if let operation = operations[number] { faces.operations.retry(operation) }
        case .run, .stop, .pause, .resume, .remove, .suspend, .terminate, .beginUnlessListed,
            .putOff:
            step.isNone(of: .operations)
        }
    }

    /// An app adds an operation once, whatever its rules hear again.
    private func add(_ number: Int) {
        guard operations[number] == nil else { return }
        let planned = script.plan.operations[number - 1]
        operations[number] = faces.operations.upload(
            UInt64(number), fromFile: planned.source, to: script.account,
            path: planned.destination, refreshesToken: planned.refreshesToken)
    }
}
