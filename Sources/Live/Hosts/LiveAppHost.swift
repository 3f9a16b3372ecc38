import CLinux
import Content
import Glibc
import LinkModels
import Quantities
import QueueStorage
import Recording
import RunLog
package import RunPlan
import TransferClient
import TransferEngine

/// The app's process: the engine and the queue on a real store, real files and real sockets.
///
/// It lives until it is killed, or until its parent lets go of its lifeline.
package final class LiveAppHost {
    private let orders: AppOrders
    private let clock: RunClock
    /// Whose events its own are.
    private let name: UInt16?
    private let script: AppScript
    /// Contents that can be recognised.
    private let versions: [FileVersion]
    private let pipe: EventPipe
    private var loop: EventLoop
    private var engine: TransferEngine
    private let flight: LiveFlight<TransferEngine>?
    private var store: QueueStore
    /// Time in the background is given back when there is nothing more to do: whoever asks for more
    /// in the callback of an end is not suspended in between.
    private var endedTasks: [BackgroundTaskID] = []
    private let disk: SharedDisk?
    private var recorder: EngineRecorder
    private var log = RunLogSink()
    private var sockets: ProcessSockets
    private var inbox: [EngineInput] = []
    private let mailbox = CommandMailbox()
    private var lifeline: Lifeline
    private var engineDeadline: Instant?
    /// How many messages of its phone it has heard.
    private var heard: UInt64 = 0
    private var saidToHaveHeard: UInt64?

    /// The app above the engine, as long as the process lives.
    private final class Program {
        let faces: TransferFaces
        /// The app above the faces, which do not hold it; it is there from its launch on.
        var app: RunningApp?
        let files: AppFolder
        var parts: PartFolder

        init(on host: LiveAppHost) {
            faces = TransferFaces(host: host.mailbox)
            files = AppFolder(
                at: host.orders.container, on: host.disk, recognising: host.versions)
            parts = PartFolder(
                in: host.orders.container, on: host.disk, recognising: host.versions)
        }
    }

    /// Opens what the app finds at its launch.
    package init(_ orders: AppOrders, plan: RunPlan, lines: ProcessLines = .standard) throws {
        self.orders = orders
        clock = RunClock(startNanoseconds: orders.startNanoseconds)
        let entry = AppRoll(plan).entries[orders.app]
        name = RunNames.number(ofPlace: orders.app)
        script = AppScript(entry.plan.sessions, entry.plan.app, server: orders.server)
        versions = plan.fileVersions
        let making = TransferEngine.Making(
            asksForBackgroundTime: plan.phones[entry.device].plan.asksForBackgroundTime,
            identity: UInt64(orders.launch), platform: plan.phones[entry.device].plan.platform)
        engine = TransferEngine(making)
        let now = clock.now
        flight = try orders.flight.map { try LiveFlight(making, to: $0, at: now) }
        lifeline = Lifeline(lines.lifeline)
        pipe = EventPipe(to: lines.events)
        disk = try orders.disk.map(SharedDisk.init(at:))
        loop = try EventLoop()
        try loop.watch(lines.lifeline, as: .init(kind: .lifeline), for: .readable)
        var records: [SessionRecord] = []
        store = try QueueStore(
            at: QueueStore.name, on: .folder(orders.container, on: disk), sessions: &records)
        var numbers = AppNumbers(
            name: name, before: orders.before, later: orders.later)
        if let setAside = store.setAside {
            let later = AppNumbers.Later(
                after: setAside, keeping: records, before: orders.sessionsCounted)
            numbers.goOn(later)
            try pipe.ask(
                .countsOn(
                    sessionsKept: UInt32(later.sessionsKept),
                    transfersKept: UInt32(later.transfersKept)))
        }
        recorder = EngineRecorder(
            launch: orders.launch, of: numbers, restored: records, store.entries,
            accounts: store.accounts)
        sockets = ProcessSockets(orders.network, readingFrom: disk, at: clock.now)
        recorder.recordOpening(after: store.setAside, at: clock.now, into: &log)
        inbox.append(.restored(records, accounts: store.accounts))
        if let setAside = store.setAside { inbox.append(.storeWasSetAside(setAside)) }
        if !store.entries.isEmpty { inbox.append(.heldEntries(store.entries)) }
        if let status = orders.network.status { inbox.append(.network(status)) }
        if orders.isInBackground { inbox.append(.enteredBackground) }
    }

    /// Lives; returns when the lifeline ends.
    package func run() throws {
        let program = Program(on: self)
        try drain(for: program)
        program.app = script.didLaunch(
            orders.ownLaunch, at: clock.now, with: program.faces, files: program.files)
        try drain(for: program)
        try sayWhatItHasHeard(program)
        while true {
            let deadlines = [
                engineDeadline, sockets.deadline(at: clock.now), program.app?.nextDeadline,
            ]
            for ready in try loop.wait(until: deadlines.compactMap(\.self).min(), by: clock) {
                switch ready.source.kind {
                case .lifeline: guard try hearPhone(for: program) else { return }
                case .processConnection:
                    try sockets.serve(ready, on: loop)
                    try hearSockets()
                case .listener, .serverConnection, .appEvents, .appErrors, .daemonEvents,
                    .daemonErrors, .capture, .interruption, .disk, .statusListener,
                    .statusVisitor, .portal, .portalVisitor:
                    break
                }
            }
            try sockets.moveWhatMay(by: clock, on: loop)
            try hearSockets()
            if let due = engineDeadline, due <= clock.now { inbox.append(.wake) }
            program.app?.wake(at: clock.now)
            try drain(for: program)
            try sayWhatItHasHeard(program)
        }
    }

    /// Whether somebody still holds the lifeline.
    private func hearPhone(for program: Program) throws -> Bool {
        guard let lines = lifeline.hear() else { return false }
        for line in lines {
            heard += 1
            switch PhoneMessage(line: line) {
            case .enteredBackground: inbox.append(.enteredBackground)
            case .enteredForeground: inbox.append(.enteredForeground)
            case .backgroundTimeExpires(let task):
                inbox.append(.backgroundTimeExpires(BackgroundTaskID(task)))
            case .network(let order):
                try sockets.obey(order, on: loop)
                try hearSockets()
            case .asks(let command): program.app?.perform(command)
            case .daemon(let news): inbox.append(.daemon(news))
            }
        }
        return true
    }

    /// And has done what follows from it: an app may take its time.
    private func sayWhatItHasHeard(_ program: Program) throws {
        guard saidToHaveHeard != heard, program.app?.nextDeadline == nil else { return }
        saidToHaveHeard = heard
        try pipe.ask(.hasHeard(heard))
    }

    private func hearSockets() throws {
        for news in sockets.takeNews() {
            switch news {
            case .bound(let id, let interface):
                let fact = ConnectionFact.bound(recorder.name(id), interface: interface)
                log.record(.connection(fact), at: clock.now, app: name)
            case .connected(let id, let own):
                if let own { try pipe.ask(.connected(id.number, from: own)) }
                inbox.append(.attempt(.connected(id)))
            case .received(let id, let segments): inbox.append(.attempt(.received(id, segments)))
            case .taken(let id, let count): inbox.append(.attempt(.taken(id, count)))
            case .unreadable(let id): inbox.append(.attempt(.unreadable(id)))
            case .ended(let id, let why, let transmitted):
                recorder.record(
                    end: why, of: id, transmitted: transmitted, at: clock.now, into: &log)
            case .abandoned(let id): try pipe.ask(.abandoned(id.number))
            case .disconnected(let id, let why): inbox.append(.attempt(.disconnected(id, why)))
            case .network(let status): inbox.append(.network(status))
            }
        }
    }

    // MARK: The engine

    /// What a turn decides is told before it is done: the parent never sees an act unannounced.
    private func drain(for program: Program) throws {
        while true {
            inbox += mailbox.takeAll()
            guard !inbox.isEmpty else { break }
            let input = inbox.removeFirst()
            let now = clock.now
            var outputs: [EngineOutput] = []
            recorder.record(input, at: now, into: &log)
            engineDeadline = engine.handle(input, at: now, into: &outputs)
            try flight?.record(input, giving: outputs, wakingAt: engineDeadline, at: now)
            for output in outputs { recorder.record(output, at: now, into: &log) }
            try pipe.drain(&log)
            for output in outputs { try carryOut(output, for: program) }
        }
        try pipe.drain(&log)
        for task in endedTasks { try pipe.ask(.endTask(task.number)) }
        endedTasks = []
    }

    private func carryOut(_ output: EngineOutput, for program: Program) throws {
        switch output {
        case .persist(let ticket, let change):
            do throws(StoreError) {
                try store.apply(change)
                inbox.append(.persisted(ticket))
            } catch {
                inbox.append(.persistFailed(ticket, reason: error.message))
            }
        case .attempt(let wanted): try carryOut(wanted, for: program)
        case .tell(.background(let callback)): deliver(callback, to: program)
        case .tell(let news): program.faces.deliver(news)
        case .beginBackgroundTask(let task): try pipe.ask(.beginTask(task.number))
        case .endBackgroundTask(let task): endedTasks.append(task)
        case .askDaemon(let request): try pipe.ask(.daemon(request))
        case .note: break
        }
    }

    private func carryOut(_ wanted: AttemptOutput, for program: Program) throws {
        switch wanted {
        case .inspect(let transfer, let path):
            let place = orders.container + "/" + path
            inbox.append(.attempt(.inspected(transfer, SourceInspection(ofFileAt: place))))
        case .examine(let transfer, let path, let coverage):
            let place = orders.container + "/" + path
            let examination = SourceExamination(ofFileAt: place, coverage, on: disk)
            inbox.append(.attempt(.examined(transfer, examination)))
        case .connect(let id, let account, _):
            try sockets.connect(id, to: account, from: orders.container, on: loop)
            try hearSockets()
        case .write(let id, let pieces): sockets.write(pieces, to: id)
        case .close(let id):
            sockets.close(id, on: loop)
            try hearSockets()
        case .keep(let transfer, let path, let segments, let offset):
            let kept = program.parts.keep(segments, in: path, at: offset, of: transfer)
            inbox.append(.attempt(.kept(transfer, kept)))
        case .place(let transfer, let part, let path):
            place(part, of: transfer, at: path, for: program)
        case .discard(let path): program.parts.discard(path)
        case .note: break
        }
    }

    private func place(
        _ part: String, of transfer: TransferID, at path: String, for program: Program
    ) {
        let (result, content) = program.parts.place(part, at: path)
        if result == .placed {
            let name = recorder.name(transfer)
            log.record(.file(.moved(name, to: path, content)), at: clock.now, app: self.name)
        }
        inbox.append(.attempt(.placed(transfer, result)))
    }

    /// The temporary file of a download is there as long as the callback lasts (B3).
    private func deliver(_ callback: BackgroundCallback, to program: Program) {
        var callback = callback
        if case .didFinishDownloading(let task, let session, let location) = callback {
            callback = .didFinishDownloading(
                task: task, session: session,
                location: program.files.offer(location, of: task))
        }
        program.faces.background.deliver(callback)
        program.files.withdraw()
        program.app?.callbackHasReturned()
        for deed in program.files.takeDeeds() {
            let fact = deed.fact(of: recorder.transfer(ofTask: deed.task))
            log.record(.file(fact), at: clock.now, app: name)
        }
    }
}
