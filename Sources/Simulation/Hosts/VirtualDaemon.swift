import Content
import Device
import Protocols
import Quantities
import QueueStorage
import Recording
import RunLog
import TransferEngine

/// The transfer daemon of a virtual phone: a process beside those of the apps, with a store of its
/// own, that ends with the phone's power alone.
///
/// What it and an app say to each other takes a moment. What an app has sent arrives even if the
/// app dies meanwhile; what is on its way to an app that dies is lost.
final class VirtualDaemon {
    private var machine: TransferDaemon
    private var flight: VirtualFlight<TransferDaemon>?
    private var starts = 0
    private var recorder: DaemonRecorder
    /// `nil` while the phone is off, or as long as it cannot be opened.
    private var store: TaskStore?
    private var disk = VirtualDisk()
    private let phoneDisk: PhoneDisk
    private var medium: VirtualDiskMedium?
    private let phone: Int
    /// By their places on the phone.
    private let apps: [AppIdentity]
    private var making: TransferDaemon.Making
    private var streams = ProcessStreams()
    let downloads: DownloadedFiles
    private var lastConnection: UInt32
    /// How often the data of each app was cleared; the phone knows it.
    private var clearings: [UInt32]
    /// Changes on their way into the store, in the order they were asked for.
    private var changes: [PendingChange] = []
    private var requests: [Request] = []
    private(set) var news: [News] = []
    /// Apps that are to run in the background, until the phone takes them.
    private var wakes: [UInt16] = []
    private var deadline: Instant?
    /// When it tries to open its store again, if it could not; what happens until then waits.
    private var reopensAt: Instant?
    private var inputs: [DaemonInput] = []
    private var outputs: [DaemonOutput] = []

    private struct PendingChange {
        var due: Instant
        var ticket: PersistTicket
        var change: TaskChange
    }

    private struct Request {
        var due: Instant
        var app: UInt16
        var request: DaemonRequest
    }

    struct News {
        var due: Instant
        var app: UInt16
        var news: DaemonNews
    }

    /// How long a message is on its way.
    static let messageTime = TimeSpan.milliseconds(1)
    /// Of its processes that have ended; `nil`: nobody asks for them.
    private var cells: ReachedCells?

    /// How long the system lets a daemon be that could not start.
    private static let reopeningPause = TimeSpan.seconds(10)

    init(
        ofPhone phone: Int, resumes: ResumableUploadVersion?, apps: [InstalledApp],
        on phoneDisk: PhoneDisk, countsCells: Bool
    ) {
        cells = countsCells ? ReachedCells() : nil
        self.phone = phone
        self.apps = apps.map(\.identity)
        clearings = apps.map { _ in 0 }
        self.phoneDisk = phoneDisk
        downloads = DownloadedFiles(on: phoneDisk)
        // Connections of all daemons of a run have names of their own.
        lastConnection = UInt32(phone) * 1_000_000
        recorder = DaemonRecorder(apps: apps.map(\.numbers), ofPhone: phone)
        making = TransferDaemon.Making(
            identity: "phone-\(phone + 1)", connectionsBefore: lastConnection, resumes: resumes)
        machine = TransferDaemon(making)
    }

    // MARK: Its life

    func start(
        network: NetworkStatus?, hasCharger: Bool, in environment: inout ProcessEnvironment
    ) {
        cells = reachedCells
        making.connectionsBefore = lastConnection
        machine = TransferDaemon(making)
        if cells != nil { machine.countCells() }
        starts += 1
        flight = VirtualFlight(
            making, named: "daemon-\(phone + 1)-start-\(starts)", in: &environment)
        if let network { inputs.append(.network(network)) }
        if hasCharger { inputs.append(.charger(isConnected: true)) }
        openStore(in: &environment)
    }

    private func openStore(in environment: inout ProcessEnvironment) {
        let now = environment.network.now
        let medium = VirtualDiskMedium(disk, of: phoneDisk, isOfApp: false)
        var tasks: [TaskRecord] = []
        do throws(StoreError) {
            store = try TaskStore(at: TaskStore.name, on: .medium(medium), tasks: &tasks)
        } catch {
            let isCutOff = medium.isCutOff
            disk = medium.detach()
            if isCutOff { return }
            reopensAt = now + Self.reopeningPause
            recorder.recordFailedOpening(
                error.message, at: now, into: &environment.network.log)
            return
        }
        self.medium = medium
        reopensAt = nil
        let setAside = store?.setAside
        let delays = store?.delays ?? []
        recorder.recordOpening(
            tasks, delays: delays, after: setAside, at: now, into: &environment.network.log)
        if let setAside { inputs.insert(.storeWasSetAside(setAside), at: 0) }
        inputs.insert(.restored(tasks, delays: delays, clearings: clearings), at: 0)
        work(in: &environment)
    }

    /// Before a restart in good order: what has been said is heard, and what was to be kept is.
    func finishUp(in environment: inout ProcessEnvironment) {
        hearRequests(of: nil, at: nil)
        work(in: &environment)
        let left = changes
        changes = []
        for pending in left { commit(pending) }
        work(in: &environment)
    }

    /// Between two instructions; what had been said and not heard is lost.
    func end(in environment: inout ProcessEnvironment) {
        for handle in streams.handles {
            environment.streams.orphaned(handle)
            environment.network.transport.abandon(handle)
        }
        streams = ProcessStreams()
        changes = []
        requests = []
        news = []
        wakes = []
        inputs = []
        deadline = nil
        reopensAt = nil
        store = nil
        if let medium { disk = medium.detach() }
        medium = nil
    }

    /// Of its store, at random places, while the phone is off.
    func flipBits(
        _ count: UInt32, by chance: inout RandomStream, in environment: inout ProcessEnvironment
    ) {
        guard store == nil, let file = disk.file(named: TaskStore.name) else { return }
        let bits = disk.size(of: file).bytes * 8
        guard bits > 0 else { return }
        for _ in 0..<count { disk.flip(bit: chance.below(bits), of: file) }
        recorder.recordFlippedBits(
            count, at: environment.network.now, into: &environment.network.log)
    }

    func losePower(by chance: inout RandomStream) {
        let size = disk.size
        disk.losePower(random: &chance)
        downloads.losePower(random: &chance)
        phoneDisk.space.changed(from: size, to: disk.size)
    }

    /// Of all its processes so far.
    var reachedCells: ReachedCells? {
        guard var all = cells else { return nil }
        if let more = machine.cells { all += more }
        return all
    }

    // MARK: Its apps

    func app(
        _ place: Int, is stage: DaemonClientStage, in environment: inout ProcessEnvironment
    ) {
        // What the app had sent before is heard first.
        hearRequests(of: UInt16(place), at: nil)
        tell(.app(UInt16(place), stage), in: &environment)
        switch stage {
        case .dead, .thrownOut, .cleared: news.removeAll { $0.app == UInt16(place) }
        case .inFront, .behind, .suspended: break
        }
    }

    /// The app begins as on the first day.
    func clear(
        _ place: Int, as numbers: AppNumbers, in environment: inout ProcessEnvironment
    ) {
        app(place, is: .cleared, in: &environment)
        clearings[place] += 1
        recorder.renumber(UInt16(place), as: numbers)
    }

    func asked(_ request: DaemonRequest, by place: Int, at now: Instant) {
        requests.append(
            Request(due: now + Self.messageTime, app: UInt16(place), request: request))
    }

    func takeWakes() -> [Int] {
        defer { wakes.removeAll() }
        return wakes.map(Int.init)
    }

    /// The first that is due, to an app that can hear it.
    func takeNews(at now: Instant, hearing: (Int) -> Bool) -> News? {
        guard
            let place = news.firstIndex(where: { $0.due <= now && hearing(Int($0.app)) })
        else { return nil }
        return news.remove(at: place)
    }

    // MARK: What happens

    func tell(_ input: DaemonInput, in environment: inout ProcessEnvironment) {
        inputs.append(input)
        work(in: &environment)
    }

    func hear(_ event: NetworkEvent, in environment: inout ProcessEnvironment) {
        switch event {
        case .connected(let handle):
            guard let id = streams[handle] else { return }
            tell(.attempt(.connected(id)), in: &environment)
        case .readable(let handle):
            var segments: [Segment] = []
            environment.network.read(handle, into: &segments)
            guard let id = streams[handle], !segments.isEmpty else { return }
            tell(.attempt(.received(id, segments)), in: &environment)
        case .roomAvailable(let handle):
            guard let id = streams[handle] else { return }
            pump(id, in: &environment)
            work(in: &environment)
        case .peerFinished(let handle): disconnected(handle, .closedByPeer, in: &environment)
        case .ended(let handle, let end):
            disconnected(handle, Disconnection(end), in: &environment)
            environment.network.release(handle)
        case .accepted, .timer: preconditionFailure("\(event) is no news of a client's stream")
        }
    }

    func wake(in environment: inout ProcessEnvironment) {
        let now = environment.network.now
        while let pending = changes.first, pending.due <= now {
            changes.removeFirst()
            commit(pending)
            if medium?.isCutOff == true { return }
        }
        hearRequests(of: nil, at: now)
        if let reopensAt, reopensAt <= now { return openStore(in: &environment) }
        if let deadline, deadline <= now { inputs.append(.wake) }
        work(in: &environment)
    }

    func holds(_ handle: StreamHandle) -> Bool { streams[handle] != nil }

    /// What is on its way to an app that cannot hear it has no time.
    func nextDeadline(hearing: (Int) -> Bool) -> Instant? {
        let times = [
            deadline, reopensAt, changes.first?.due, requests.first?.due,
            news.first { hearing(Int($0.app)) }?.due,
        ]
        return times.compactMap(\.self).min()
    }

    // MARK: The machine's inputs and outputs

    /// Those of one app, whenever they are due, or those that are due now.
    private func hearRequests(of app: UInt16?, at now: Instant?) {
        let heard: (Request) -> Bool = { request in
            if let app { request.app == app } else { now.map { request.due <= $0 } ?? true }
        }
        for request in requests where heard(request) {
            inputs.append(.asked(by: request.app, request.request))
        }
        requests.removeAll(where: heard)
    }

    private func work(in environment: inout ProcessEnvironment) {
        // It is dead, and its phone will say so.
        if medium?.isCutOff == true { return inputs.removeAll() }
        guard store != nil else {
            // Of a phone that is off, it hears nothing.
            if reopensAt == nil { inputs.removeAll() }
            return
        }
        while !inputs.isEmpty {
            let input = inputs.removeFirst()
            let now = environment.network.now
            recorder.record(input, at: now, into: &environment.network.log)
            deadline = machine.handle(input, at: now, into: &outputs)
            let todo = outputs
            outputs.removeAll(keepingCapacity: true)
            flight?.record(input, giving: todo, wakingAt: deadline, in: &environment)
            for output in todo {
                recorder.record(output, at: now, into: &environment.network.log)
                carryOut(output, in: &environment)
            }
        }
    }

    private func carryOut(_ output: DaemonOutput, in environment: inout ProcessEnvironment) {
        let now = environment.network.now
        switch output {
        case .persist(let ticket, let change):
            changes.append(
                PendingChange(
                    due: now + VirtualApp.commitTime, ticket: ticket, change: change))
        case .attempt(let wanted): carryOut(wanted, in: &environment)
        case .tell(let app, let item):
            news.append(News(due: now + Self.messageTime, app: app, news: item))
        case .wakeApp(let app): wakes.append(app)
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
            inputs.append(.attempt(.inspected(transfer, inspection)))
        case .keep(let transfer, let path, let segments, let offset):
            let kept = downloads.keep(segments, in: path, at: offset, of: transfer)
            inputs.append(.attempt(.kept(transfer, kept)))
        case .note(let note):
            guard let transfer = note.completed, let content = downloads.content(of: transfer)
            else { break }
            recorder.record(
                content, by: transfer, at: environment.network.now,
                into: &environment.network.log)
        case .connect(let id, let account, let item):
            let app = app(of: TransferID(item.number))
            lastConnection = id.number
            streams.opened(
                id, environment.connect(to: account, as: id.name, of: app), of: app)
        case .write(let id, let pieces):
            streams.write(pieces, to: id)
            pump(id, in: &environment)
        case .close(let id): streams.close(id, in: &environment)
        case .examine, .place, .discard:
            preconditionFailure("an attempt of the daemon wants \(wanted)")
        }
    }

    private func app(of transfer: TransferID) -> AppIdentity {
        apps[Int(TaskID(transfer).app)]
    }

    private func commit(_ pending: PendingChange) {
        do throws(StoreError) {
            try store?.apply(pending.change)
            inputs.append(.persisted(pending.ticket))
        } catch {
            inputs.append(.persistFailed(pending.ticket))
        }
    }

    private func pump(_ id: ConnectionID, in environment: inout ProcessEnvironment) {
        guard let pumped = streams.pump(id, in: &environment) else { return }
        if let taken = pumped.taken { inputs.append(.attempt(.taken(id, taken))) }
        if pumped.isUnreadable { inputs.append(.attempt(.unreadable(id))) }
    }

    private func disconnected(
        _ handle: StreamHandle, _ why: Disconnection, in environment: inout ProcessEnvironment
    ) {
        guard let id = streams.ended(handle, in: &environment) else { return }
        tell(.attempt(.disconnected(id, why)), in: &environment)
    }
}
