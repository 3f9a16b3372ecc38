package import Quantities
import RunLog
import TransferClient
package import TransferEngine

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
    private var sessions: [String: BackgroundSession] = [:]
    /// The delegate of background sessions that were refused, because they were made twice.
    private let stranger = Stranger()
    /// Hears for the app; `nil` while it does not listen. The earlier ones live on.
    private(set) var listener: AppListener?
    private var listeners: [AppListener] = []
    /// Completion handlers not yet called, by the session's identifier.
    private var handlers: [String: () -> Void] = [:]
    private let files: (any AppFiles)?
    /// When the app makes its background sessions; `nil` afterwards.
    package private(set) var nextDeadline: Instant?
    /// Actions for the time after the current callback.
    private var putOff: [() -> Void] = []

    init(
        _ script: AppScript, launch: UInt32, _ faces: TransferFaces, _ files: (any AppFiles)?
    ) {
        self.script = script
        self.launch = launch
        self.faces = faces
        self.files = files
    }

    /// Sets the delegates and observers, and makes the background sessions now or later.
    func hearFromNowOn(at now: Instant) {
        listen(true)
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
        listener = hears ? AppListener(for: self) : nil
        if let listener { listeners.append(listener) }
        faces.queue.delegate = listener
        faces.operations.observer = listener
        faces.background.delegate = listener
    }

    /// Called after each callback of a background session.
    package func callbackHasReturned() {
        let deeds = putOff
        putOff = []
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
        case .signIn(let account, let password): signIn(to: account, with: password)
        case .addPath(let number, let path): addPath(path, toSession: number)
        case .emptyLists: faces.operations.flush()
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
    private func begin(_ facade: Facade) {
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
        case .begin, .suspend, .retry, .terminate: step.isNone(of: .queue)
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
        case .run, .stop, .pause, .resume, .remove, .suspend, .terminate:
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

    // MARK: Background sessions

    private func makeSessions() {
        for planned in script.plan.tasks where sessions[planned.session] == nil {
            sessions[planned.session] = faces.background.session(
                withIdentifier: planned.session, delegate: self)
            guard script.plan.manners.makesSessionsTwice else { continue }
            _ = faces.background.session(withIdentifier: planned.session, delegate: stranger)
        }
        begin(.background)
    }

    private func perform(_ step: ItemStep, onTask number: Int) {
        switch step {
        case .begin: make(number)
        case .resume: task(number)?.resume()
        case .suspend: task(number)?.suspend()
        case .cancel: task(number)?.cancel()
        case .run, .stop, .pause, .remove, .retry, .terminate: step.isNone(of: .background)
        }
    }

    private func make(_ number: Int) {
        let planned = script.plan.tasks[number - 1]
        guard let session = sessions[planned.session] else { return }
        let task =
            switch planned.transfer {
            case .upload(let source, let destination, let isResumable):
                session.uploadTask(
                    UInt64(number), to: script.account, path: destination, fromFile: source,
                    isResumable: isResumable, limits: planned.limits,
                    isDiscretionary: planned.isDiscretionary)
            case .data(let size, let destination):
                session.uploadTask(
                    UInt64(number), to: script.account, path: destination,
                    from: [UInt8](repeating: 0, count: Int(size.bytes)))
            case .download(let object):
                session.downloadTask(
                    UInt64(number), from: script.account, path: object, limits: planned.limits,
                    isDiscretionary: planned.isDiscretionary)
            }
        if planned.isResumed { task.resume() }
    }

    /// Keeps a downloaded file, whose temporary file exists until the callback returns (B3). The
    /// log tells of failures, so the app need not.
    private func keep(_ location: String, as keeping: AppManners.Keeping) {
        switch keeping.way {
        case .moved: try? files?.move(location, to: keeping.path)
        case .copied: try? files?.copy(location, to: keeping.path)
        case .movedTooLate:
            putOff.append { [files] in try? files?.move(location, to: keeping.path) }
        }
    }

    private func task(_ number: Int) -> BackgroundTask? {
        sessions[script.plan.tasks[number - 1].session]?.task(UInt64(number))
    }
}

extension RunningApp: BackgroundSessionDelegate {
    package func task(_ task: UInt64, didFinishDownloadingTo location: String) {
        for keeping in script.plan.manners.keepings where keeping.task == task {
            keep(location, as: keeping)
        }
        hears(.downloaded(ItemName(task, of: .background)))
    }

    package func task(_ task: UInt64, didCompleteWith outcome: TaskOutcome) {
        let name = ItemName(task, of: .background)
        switch outcome {
        case .answered: hears(.completed(name))
        case .failed: hears(.failed(name))
        }
    }

    /// Clears the handler first, and then calls it (B4).
    package func didFinishEvents(forBackgroundSession identifier: String) {
        guard let handler = handlers.removeValue(forKey: identifier) else { return }
        for _ in 0..<script.plan.manners.handlerCalls { handler() }
    }
}

extension RunningApp {
    func runsInBackground(for identifier: String, completionHandler: @escaping () -> Void) {
        handlers[identifier] = completionHandler
        hears(.woken)
    }
}
