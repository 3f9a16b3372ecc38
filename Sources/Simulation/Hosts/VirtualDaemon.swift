import Content
import Device
import Protocols
import Quantities
import QueueStorage
import Recording
import RunLog
import TransferClient
import TransferEngine

/// The transfer daemon of a virtual phone: a process with its own store. It ends only when the
/// phone loses power or restarts.
///
/// Messages between the daemon and an app take a moment. Messages from an app arrive even if the
/// app dies; messages to a dead app are lost.
final class VirtualDaemon {
    /// The daemon's process, replaced at each start.
    private var process: VirtualProcess<TransferDaemon, TaskStore>
    private var starts = 0
    private var disk = VirtualDisk()
    private let phoneDisk: PhoneDisk
    private let phone: Int
    /// Apps of the phone, in order of their places.
    private let apps: [AppIdentity]
    /// Keychains of the apps.
    private let wallets: [Wallet]
    private var making: TransferDaemon.Making
    let downloads: DownloadedFiles
    private var lastConnection: UInt32
    /// The app whose credentials are sent on a connection.
    private var owners: [ConnectionID: UInt16] = [:]
    /// Number of times that each app's data was cleared; the phone remembers it.
    private var clearings: [UInt32]
    private var requests: [Message<DaemonRequest>] = []
    private(set) var news: [Message<DaemonNews>] = []
    /// Apps to launch in the background, until the phone takes them.
    private var wakes: [UInt16] = []
    /// Time of the next attempt to open the store, after a failure. Inputs wait until then.
    private var reopensAt: Instant?

    /// A message on its way from or to an app.
    struct Message<Content> {
        var due: Instant
        var app: UInt16
        var content: Content
    }

    static let messageTime = TimeSpan.milliseconds(1)
    /// Cells reached by processes that have ended; `nil` if nobody counts them.
    private var cells: ReachedCells?

    init(
        ofPhone phone: Int, resumes: ResumableUploadVersion?, apps: [InstalledApp],
        on phoneDisk: PhoneDisk, countsCells: Bool
    ) {
        cells = countsCells ? ReachedCells() : nil
        self.phone = phone
        self.apps = apps.map(\.identity)
        wallets = apps.map(\.wallet)
        clearings = apps.map { _ in 0 }
        self.phoneDisk = phoneDisk
        downloads = DownloadedFiles(on: phoneDisk)
        // Connection numbers are unique among all daemons of a run.
        lastConnection = UInt32(phone) * 1_000_000
        making = TransferDaemon.Making(
            identity: "phone-\(phone + 1)", connectionsBefore: lastConnection, resumes: resumes)
        let recorder = DaemonRecorder(
            apps: apps.map(\.numbers), ofPhone: phone, seeing: apps.map(\.docroots))
        process = VirtualProcess(MachinePump(making, recordedBy: recorder))
    }

    // MARK: Its life

    func start(
        network: NetworkStatus?, hasCharger: Bool, in environment: inout ProcessEnvironment
    ) {
        cells = reachedCells
        making.connectionsBefore = lastConnection
        process = VirtualProcess(
            MachinePump(
                making, recordedBy: process.pump.recorder, countsCells: cells != nil))
        starts += 1
        process.recordFlight(as: "daemon-\(phone + 1)-start-\(starts)", in: &environment)
        for (app, wallet) in wallets.enumerated() {
            for (handle, state) in wallet.states {
                process.pump.tell(.asked(by: UInt16(app), .credential(handle, state)))
            }
        }
        if let network { process.pump.tell(.network(network)) }
        if hasCharger { process.pump.tell(.charger(isConnected: true)) }
        openStore(in: &environment)
    }

    private func openStore(in environment: inout ProcessEnvironment) {
        let now = environment.network.now
        let medium = VirtualDiskMedium(disk, of: phoneDisk, isOfApp: false)
        var tasks: [TaskRecord] = []
        do throws(StoreError) {
            let store = try TaskStore(at: TaskStore.name, on: .medium(medium), tasks: &tasks)
            reopensAt = nil
            if store.setAside != nil {
                let abandoned = TransferDaemon.abandonedDownloads(
                    among: downloads.all, besides: tasks)
                for path in abandoned { downloads.discard(path) }
            }
            process.pump.opened(
                tasks, delays: store.delays, clearings: clearings, after: store.setAside,
                at: now, into: &environment.network.log)
            process.open(store, on: medium)
        } catch {
            let isCutOff = medium.isCutOff
            disk = medium.detach()
            if isCutOff { return }
            reopensAt = now + MachinePump.reopeningPause
            process.pump.recorder.recordFailedOpening(
                error.message, at: now, into: &environment.network.log)
            return
        }
        work(in: &environment)
    }

    /// Handles all messages and commits all changes, before an orderly restart.
    func finishUp(in environment: inout ProcessEnvironment) {
        hearRequests(of: nil, at: nil)
        work(in: &environment)
        process.commitAll()
        work(in: &environment)
    }

    /// Ends the process between two instructions. Undelivered messages are lost.
    func end(in environment: inout ProcessEnvironment) {
        process.abandonStreams(in: &environment)
        requests = []
        news = []
        wakes = []
        reopensAt = nil
        if let left = process.close() { disk = left }
    }

    /// Flips random bits of the store while the phone is off.
    func flipBits(
        _ count: UInt32, by chance: inout RandomStream, in environment: inout ProcessEnvironment
    ) {
        guard process.store == nil, let file = disk.file(named: TaskStore.name) else { return }
        let bits = disk.size(of: file).bytes * 8
        guard bits > 0 else { return }
        for _ in 0..<count { disk.flip(bit: chance.below(bits), of: file) }
        process.pump.recorder.recordFlippedBits(
            count, at: environment.network.now, into: &environment.network.log)
    }

    func losePower(by chance: inout RandomStream) {
        let size = disk.size
        disk.losePower(random: &chance)
        downloads.losePower(random: &chance)
        phoneDisk.space.changed(from: size, to: disk.size)
    }

    /// Cells reached by all processes so far.
    var reachedCells: ReachedCells? {
        guard var all = cells else { return nil }
        if let more = process.pump.cells { all += more }
        return all
    }

    // MARK: Its apps

    func app(
        _ place: Int, is stage: DaemonClientStage, in environment: inout ProcessEnvironment
    ) {
        // Messages sent before the change come first.
        hearRequests(of: UInt16(place), at: nil)
        tell(.app(UInt16(place), stage), in: &environment)
    }

    /// Loses the messages to an app's process that ends with this input, which may have waited for
    /// the store.
    private func loseNews(by input: DaemonInput) {
        switch input {
        case .app(let app, .dead), .app(let app, .thrownOut), .app(let app, .cleared):
            news.removeAll { $0.app == app }
        default: break
        }
    }

    func clear(
        _ place: Int, as numbers: AppNumbers, in environment: inout ProcessEnvironment
    ) {
        app(place, is: .cleared, in: &environment)
        clearings[place] += 1
        process.pump.recorder.renumber(UInt16(place), as: numbers)
    }

    func asked(_ request: DaemonRequest, by place: Int, at now: Instant) {
        requests.append(
            Message(due: now + Self.messageTime, app: UInt16(place), content: request))
    }

    func takeWakes() -> [Int] {
        defer { wakes.removeAll() }
        return wakes.map(Int.init)
    }

    /// Returns the first due message to an app that can hear it.
    func takeNews(at now: Instant, hearing: (Int) -> Bool) -> Message<DaemonNews>? {
        guard
            let place = news.firstIndex(where: { $0.due <= now && hearing(Int($0.app)) })
        else { return nil }
        return news.remove(at: place)
    }

    // MARK: What happens

    func tell(_ input: DaemonInput, in environment: inout ProcessEnvironment) {
        process.pump.tell(input)
        work(in: &environment)
    }

    func hear(_ event: NetworkEvent, in environment: inout ProcessEnvironment) {
        process.hear(event, in: &environment)
        work(in: &environment)
        if case .ended(let handle, _) = event { environment.network.release(handle) }
    }

    func wake(in environment: inout ProcessEnvironment) {
        let now = environment.network.now
        guard process.commit(dueAt: now) else { return }
        hearRequests(of: nil, at: now)
        if let reopensAt, reopensAt <= now { return openStore(in: &environment) }
        process.pump.wake(at: now)
        work(in: &environment)
    }

    func holds(_ handle: StreamHandle) -> Bool { process.holds(handle) }

    func loseConnections(in environment: inout ProcessEnvironment) {
        process.loseConnections(in: &environment)
    }

    /// Next wake-up. A message to an app that cannot hear it sets no timer.
    func nextDeadline(hearing: (Int) -> Bool) -> Instant? {
        let times = [
            process.nextDeadline, reopensAt, requests.first?.due,
            news.first { hearing(Int($0.app)) }?.due,
        ]
        return times.compactMap(\.self).min()
    }

    // MARK: The machine's inputs and outputs

    /// Hears all requests of one app, or the requests of all apps that are due; without a time, all
    /// are.
    private func hearRequests(of app: UInt16?, at now: Instant?) {
        let heard: (Message<DaemonRequest>) -> Bool = { request in
            if let app { request.app == app } else { now.map { request.due <= $0 } ?? true }
        }
        for request in requests where heard(request) {
            process.pump.tell(.asked(by: request.app, request.content))
        }
        requests.removeAll(where: heard)
    }

    private func work(in environment: inout ProcessEnvironment) {
        // Inputs to a phone that is off are lost. A daemon that waits for its store keeps them.
        if process.store == nil, reopensAt == nil { process.pump.forgetInputs() }
        while let input = process.pump.next, let outputs = process.turn(in: &environment) {
            loseNews(by: input)
            for output in outputs {
                process.record(output, in: &environment)
                carryOut(output, in: &environment)
            }
        }
    }

    private func carryOut(_ output: DaemonOutput, in environment: inout ProcessEnvironment) {
        let now = environment.network.now
        switch output {
        case .persist(let ticket, let change): process.persist(change, as: ticket, at: now)
        case .attempt(let wanted): carryOut(wanted, in: &environment)
        case .tell(let app, let item):
            news.append(Message(due: now + Self.messageTime, app: app, content: item))
        case .wakeApp(let app): wakes.append(app)
        case .sync(let path): downloads.sync(path)
        case .discard(let path): downloads.discard(path)
        case .hasWoken, .note: break
        }
    }

    private func carryOut(_ wanted: AttemptOutput, in environment: inout ProcessEnvironment) {
        switch wanted {
        case .inspect(let transfer, let path):
            let inspection =
                DownloadedFiles.holds(path)
                ? downloads.inspect(path) : environment[filesOf: app(of: transfer)].inspect(path)
            process.pump.tell(.inspected(transfer, inspection))
        case .keep(let transfer, let path, let segments, let offset):
            let kept = downloads.keep(segments, in: path, at: offset, of: transfer)
            process.pump.tell(.kept(transfer, kept))
        case .note(let note):
            guard let transfer = note.completed, let content = downloads.content(of: transfer)
            else { break }
            process.pump.recorder.record(
                content, by: transfer, at: environment.network.now,
                into: &environment.network.log)
        case .connectPaced, .connectChannel, .pace:
            preconditionFailure("tasks know nothing of the paced transport")
        case .connect(let id, let account, let item?):
            lastConnection = id.number
            let app = app(of: TransferID(item.number))
            owners[id] = TaskID(TransferID(item.number)).app
            process.connect(id, to: account, of: app, isBackground: true, in: &environment)
        case .write(let id, let pieces):
            let wallet = wallets[Int(owners[id] ?? 0)]
            process.write(wallet.filled(pieces), to: id, in: &environment)
        case .close(let id):
            owners[id] = nil
            process.close(id, in: &environment)
        case .abort(let id):
            owners[id] = nil
            process.abort(id, in: &environment)
        case .forget(let use, let id):
            if let app = id.flatMap({ owners[$0] }) { wallets[Int(app)].forget(use) }
        case .examine, .place, .discard, .connect, .readToken:
            preconditionFailure("an attempt of the daemon wants \(wanted)")
        }
    }

    private func app(of transfer: TransferID) -> AppIdentity {
        apps[Int(TaskID(transfer).app)]
    }
}
