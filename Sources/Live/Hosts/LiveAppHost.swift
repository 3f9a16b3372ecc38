import CLinux
import Content
import Device
import DocrootServer
import Glibc
import LinkModels
import Quantities
import QueueStorage
import Recording
import RunLog
package import RunPlan
import TransferClient
import TransferEngine
import TransferHost

/// The app's process: the engine and the queue on a real store, real files and real sockets. It
/// lives until it is killed, or until its parent closes its lifeline.
package final class LiveAppHost {
    private let orders: AppOrders
    /// App number for the log; `nil` for the first app.
    private let name: UInt16?
    private let script: AppScript
    private let versions: KnownVersions
    private var process: LiveProcess<TransferEngine, QueueStore, AppRequest>
    /// Background tasks that are given back once nothing is left to do: an app that begins a new
    /// task in the callback of an end must not be suspended in between.
    private var endedTasks: [BackgroundTaskID] = []
    private var ownTasks: OwnBackgroundTasks
    private let fetchAnswers = FetchAnswers()
    private let disk: SharedDisk?
    private let mailbox: CommandMailbox
    private var keychain: Keychain
    private var saidToHaveHeard: UInt64?

    /// The app above the engine.
    private final class Program {
        let faces: TransferFaces
        /// `nil` before the launch. The faces do not retain the app.
        var app: RunningApp?
        let files: AppFolder
        var parts: DownloadFolder

        init(on host: LiveAppHost) {
            faces = TransferFaces(host: host.mailbox)
            files = AppFolder(
                at: host.orders.container, on: host.disk, recognising: host.versions)
            parts = DownloadFolder(
                in: host.orders.container + "/", on: host.disk, recognising: host.versions)
        }
    }

    /// Opens the app's store.
    package init(_ orders: AppOrders, plan: RunPlan, lines: ProcessLines = .standard) throws {
        self.orders = orders
        keychain = try Keychain(at: orders.keychain)
        mailbox = CommandMailbox(container: orders.container, wallet: keychain.wallet)
        let entry = AppRoll(plan).entries[orders.app]
        name = RunNames.number(ofPlace: orders.app)
        script = AppScript(
            entry.plan.sessions, entry.plan.app,
            server: orders.server(plannedPort: plan.usualPort), users: plan.server.accounts)
        ownTasks = OwnBackgroundTasks(entry.plan.app.manners)
        versions = KnownVersions(plan)
        disk = try orders.disk.map(SharedDisk.init(at:))
        var records: [SessionRecord] = []
        let store = try QueueStore(
            at: QueueStore.name, on: .folder(orders.container, on: disk), sessions: &records)
        PartFolder(in: orders.container + "/")
            .discardAbandoned(after: store.setAside, records, store.entries)
        var numbers = AppNumbers(name: name, before: orders.before, later: orders.later)
        let later = store.setAside.map {
            AppNumbers.Later(after: $0, keeping: records, before: orders.counted)
        }
        if let later { numbers.goOn(later) }
        let device = plan.phones[entry.device].plan
        let making = TransferEngine.Making(
            asksForBackgroundTime: device.asksForBackgroundTime,
            tellsOfPaths: device.tellsOfPaths,
            identity: UInt64(orders.launch), platform: device.platform)
        let recorder = EngineRecorder(
            launch: orders.launch, of: numbers, restored: records, store.entries,
            accounts: store.accounts, seeing: SeenDocroots(script.docroots))
        process = try LiveProcess(
            MachinePump(making, recordedBy: recorder), orders, readingFrom: disk,
            by: MachineClock(startNanoseconds: orders.startNanoseconds), lines: lines)
        if let later {
            try process.say(
                .countsOn(
                    sessionsKept: UInt32(later.sessionsKept),
                    transfersKept: UInt32(later.transfersKept)))
        }
        process.open(store, holding: records)
        let wallet = keychain.wallet
        for (handle, state) in wallet.states {
            process.pump.tell(.credential(handle, .known(state)))
        }
        process.readsInstead = { connection, segments in
            guard wallet.readsToken(on: connection) else { return nil }
            guard let (handle, news) = wallet.receive(segments, on: connection) else { return [] }
            return [.credential(handle, news)]
        }
        if let status = orders.network.status { process.pump.tell(.network(status)) }
        if orders.isInBackground { process.pump.tell(.enteredBackground) }
    }

    /// Runs until the lifeline ends.
    package func run() throws {
        let program = Program(on: self)
        try work(for: program)
        program.app = script.didLaunch(
            orders.ownLaunch, at: process.clock.now, with: program.faces, files: program.files)
        try work(for: program)
        try recordLists(of: program)
        try sayWhatItHasHeard(program)
        while true {
            for ready in try process.wait(until: program.app?.nextDeadline) {
                guard let lines = try process.serve(ready) else { return }
                for line in lines { try hear(PhoneMessage(line: line), for: program) }
            }
            try process.goOn()
            program.app?.wake(at: process.clock.now)
            try work(for: program)
            try sayWhatItHasHeard(program)
        }
    }

    /// Records what the app's lists show now.
    private func recordLists(of program: Program) throws {
        for shown in program.app?.shown ?? [] { process.record(shown) }
        try process.drainLog()
    }

    private func hear(_ message: PhoneMessage, for program: Program) throws {
        switch message {
        case .enteredBackground: process.pump.tell(.enteredBackground)
        case .enteredForeground:
            process.pump.tell(.enteredForeground)
            try work(for: program)
            try recordLists(of: program)
        case .backgroundTimeExpires(let task):
            try ask(ownTasks.expires(task))
            guard !OwnBackgroundTasks.owns(task) else { break }
            process.pump.tell(.backgroundTimeExpires(BackgroundTaskID(task)))
        case .fetch:
            program.faces.background.performFetch { [fetchAnswers] in fetchAnswers.add($0) }
            try work(for: program)
        case .network(let order): try process.obey(order)
        case .asks(let command):
            program.app?.perform(command)
            try work(for: program)
            try recordLists(of: program)
        case .daemon(let news): process.pump.tell(.daemon(news))
        }
    }

    /// Tells the parent how many messages the app has acted on.
    private func sayWhatItHasHeard(_ program: Program) throws {
        guard saidToHaveHeard != process.heard, program.app?.nextDeadline == nil else { return }
        saidToHaveHeard = process.heard
        try process.say(.hasHeard(process.heard))
    }

    // MARK: What the engine wants

    private func work(for program: Program) throws {
        for command in mailbox.takeAll() { process.pump.tell(command) }
        try keychain.write()
        while let outputs = try process.turn() {
            try process.announce(outputs)
            for output in outputs { try carryOut(output, for: program) }
            for command in mailbox.takeAll() { process.pump.tell(command) }
            try keychain.write()
        }
        try process.drainLog()
        for result in fetchAnswers.takeAll() { try process.say(.endFetch(result)) }
        for task in endedTasks { try process.say(.endTask(task.number)) }
        endedTasks = []
    }

    private func carryOut(_ output: EngineOutput, for program: Program) throws {
        switch output {
        case .persist(let ticket, let change): process.persist(change, as: ticket)
        case .attempt(let wanted): try carryOut(wanted, for: program)
        case .tell(.background(let callback)): deliver(callback, to: program)
        case .tell(let news): program.faces.deliver(news)
        case .beginBackgroundTask(let task):
            try process.say(.beginTask(task.number))
            try ask(ownTasks.began(task.number))
        case .endBackgroundTask(let task):
            endedTasks.append(task)
            try ask(ownTasks.ended(task.number))
        case .askDaemon(let request): try process.say(.daemon(request))
        case .note: break
        }
    }

    private func ask(_ deed: OwnBackgroundTasks.Deed?) throws {
        switch deed {
        case .begin(let task): try process.say(.beginTask(task))
        case .end(let task): endedTasks.append(BackgroundTaskID(task))
        case nil: break
        }
    }

    private func carryOut(_ wanted: AttemptOutput, for program: Program) throws {
        switch wanted {
        case .inspect(let transfer, let path):
            let place = orders.container + "/" + path
            process.pump.tell(.inspected(transfer, SourceInspection(ofFileAt: place)))
        case .examine(let transfer, let path, let coverage):
            let place = orders.container + "/" + path
            let examination = SourceExamination(
                ofFileAt: place, coverage, mayRead: disk.permits(.read))
            process.pump.tell(.examined(transfer, examination))
        case .connect(let id, let account, _):
            try process.connect(id, to: account, from: orders.container)
        case .connectPaced(let id, let route, _):
            try process.connect(
                id, by: route,
                authorization: mailbox.wallet.authorization(of: route.credential),
                from: orders.container)
        case .connectChannel(let id, let other, _):
            try process.connect(id, beside: other, from: orders.container)
        case .pace(let id, let rate): process.pace(id, rate)
        case .readToken(let id, let handle): mailbox.wallet.awaitsToken(on: id, for: handle)
        case .forget(let use, _): mailbox.wallet.forget(use)
        case .write(let id, let pieces): process.write(mailbox.wallet.filled(pieces), to: id)
        case .close(let id): try process.close(id)
        case .abort(let id): try process.abort(id)
        case .keep(let transfer, let path, let segments, let offset):
            let kept = program.parts.keep(segments, in: path, at: offset, of: transfer)
            process.pump.tell(.kept(transfer, kept))
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
            let name = process.pump.recorder.name(transfer)
            process.record(.file(.moved(name, to: path, content)), of: self.name)
        }
        process.pump.tell(.placed(transfer, result))
    }

    /// Delivers a callback. A download's temporary file exists while the callback runs (B3).
    private func deliver(_ callback: BackgroundCallback, to program: Program) {
        var callback = callback
        if case .didFinishDownloading(
            let task, let session, let request, let response, let location) = callback
        {
            callback = .didFinishDownloading(
                task: task, session: session, request, response,
                location: program.files.offer(location, of: task))
        }
        program.faces.background.deliver(callback)
        program.files.withdraw()
        program.app?.callbackHasReturned()
        for deed in program.files.takeDeeds() {
            let fact = deed.fact(of: process.pump.recorder.transfer(ofTask: deed.task))
            process.record(.file(fact), of: name)
        }
    }
}
