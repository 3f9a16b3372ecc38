import CLinux
import Content
import Glibc
import Quantities
import QueueStorage
import Recording
import RunLog
package import RunPlan
import TransferEngine

/// The process of a phone's transfer daemon: the machine on a real store, real files and real
/// sockets. It outlives the apps, and ends with the power of the phone.
///
/// It lives until it is killed, or until its parent lets go of its lifeline.
package final class LiveDaemonHost {
    private let clock: RunClock
    private let folder: String
    private let pipe: EventPipe
    private var lifeline: Lifeline
    private var loop: EventLoop
    private var machine: TransferDaemon
    private let flight: LiveFlight<TransferDaemon>?
    private var recorder: DaemonRecorder
    /// `nil` as long as it cannot be opened.
    private var store: TaskStore?
    private let disk: SharedDisk?
    private var log = RunLogSink()
    private var sockets: ProcessSockets
    private var downloads: DownloadFolder
    /// Those of the apps, by their places on the phone.
    private let containers: [HeldFolder]
    private var apps: [DaemonOrders.App]
    /// Of each app, the launch that hears what it is told.
    private var launches: [UInt16: UInt32] = [:]
    private var inbox: [DaemonInput] = []
    private var outputs: [DaemonOutput] = []
    private var deadline: Instant?
    /// When it tries to open its store again, if it could not; what happens until then waits.
    private var reopensAt: Instant?
    /// How many messages it has heard.
    private var heard: UInt64 = 0
    /// After how many it has said that it rests.
    private var restedAfter: UInt64?

    /// How long the system lets a daemon be that could not start.
    private static let reopeningPause = TimeSpan.seconds(10)

    /// Opens what it has left at its last end.
    package init(
        _ orders: DaemonOrders, plan: RunPlan, lines: ProcessLines = .standard
    ) throws {
        clock = RunClock(startNanoseconds: orders.startNanoseconds)
        folder = orders.folder
        pipe = EventPipe(to: lines.events)
        lifeline = Lifeline(lines.lifeline)
        disk = try orders.disk.map(SharedDisk.init(at:))
        loop = try EventLoop()
        try loop.watch(lines.lifeline, as: .init(kind: .lifeline), for: .readable)
        apps = orders.apps
        containers = try orders.apps.map { try HeldFolder($0.container) }
        recorder = DaemonRecorder(apps: orders.apps.map(\.numbers), ofPhone: orders.phone)
        let making = TransferDaemon.Making(
            identity: "phone-\(orders.phone + 1)", connectionsBefore: orders.lastConnection,
            resumes: plan.phones[orders.phone].plan.resumableUploads)
        machine = TransferDaemon(making)
        let now = clock.now
        flight = try orders.flight.map { try LiveFlight(making, to: $0, at: now) }
        sockets = ProcessSockets(orders.network, readingFrom: disk, at: clock.now)
        downloads = DownloadFolder(
            in: orders.folder, on: disk, recognising: plan.fileVersions)
        if let status = orders.network.status { inbox.append(.network(status)) }
        if orders.hasCharger { inbox.append(.charger(isConnected: true)) }
        openStore()
    }

    /// Lives; returns when the lifeline ends.
    package func run() throws {
        try work()
        while true {
            try rest()
            let deadlines = [deadline, reopensAt, sockets.deadline(at: clock.now)]
            for ready in try loop.wait(until: deadlines.compactMap(\.self).min(), by: clock) {
                switch ready.source.kind {
                case .lifeline: guard try hearParent() else { return }
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
            let now = clock.now
            if let reopensAt, reopensAt <= now { openStore() }
            if let deadline, deadline <= now { inbox.append(.wake) }
            try work()
        }
    }

    private func openStore() {
        var tasks: [TaskRecord] = []
        do throws(StoreError) {
            store = try TaskStore(
                at: TaskStore.name, on: .folder(folder, on: disk), tasks: &tasks)
        } catch {
            reopensAt = clock.now + Self.reopeningPause
            recorder.recordFailedOpening(error.message, at: clock.now, into: &log)
            return
        }
        reopensAt = nil
        let setAside = store?.setAside
        let delays = store?.delays ?? []
        recorder.recordOpening(
            tasks, delays: delays, after: setAside, at: clock.now, into: &log)
        if let setAside { inbox.insert(.storeWasSetAside(setAside), at: 0) }
        inbox.insert(
            .restored(tasks, delays: delays, clearings: apps.map(\.clearings)), at: 0)
    }

    /// Says so once nothing is under way that it does not have to hear of first.
    private func rest() throws {
        guard inbox.isEmpty, sockets.isEmpty, deadline == nil, reopensAt == nil,
            restedAfter != heard
        else { return }
        restedAfter = heard
        try pipe.say(.rests(after: heard))
    }

    // MARK: What it hears

    /// Whether somebody still holds the lifeline.
    private func hearParent() throws -> Bool {
        guard let lines = lifeline.hear() else { return false }
        for line in lines {
            heard += 1
            switch DaemonMessage(line: line) {
            case .asked(let app, let request): inbox.append(.asked(by: app, request))
            case .app(let app, let stage, let launch):
                launches[app] = launch
                inbox.append(.app(app, stage))
            case .renumber(let app, let tasksBefore):
                // What was said of its tasks before has the names that they had.
                try work()
                apps[Int(app)].tasksBefore = tasksBefore
                apps[Int(app)].clearings += 1
                recorder.renumber(app, as: apps[Int(app)].numbers)
            case .network(let order):
                try sockets.obey(order, on: loop)
                try hearSockets()
            case .charger(let isConnected): inbox.append(.charger(isConnected: isConnected))
            }
        }
        return true
    }

    private func hearSockets() throws {
        for news in sockets.takeNews() {
            switch news {
            case .bound(let id, let interface):
                recorder.record(id, boundTo: interface, at: clock.now, into: &log)
            case .connected(let id, let own):
                if let own { try pipe.say(.connected(id.number, from: own)) }
                inbox.append(.attempt(.connected(id)))
            case .received(let id, let segments): inbox.append(.attempt(.received(id, segments)))
            case .taken(let id, let count): inbox.append(.attempt(.taken(id, count)))
            case .unreadable(let id): inbox.append(.attempt(.unreadable(id)))
            case .ended(let id, let why, let transmitted):
                recorder.record(
                    end: why, of: id, transmitted: transmitted, at: clock.now, into: &log)
            case .abandoned(let id): try pipe.say(.abandoned(id.number))
            case .disconnected(let id, let why): inbox.append(.attempt(.disconnected(id, why)))
            case .network(let status): inbox.append(.network(status))
            }
        }
    }

    // MARK: The machine

    /// What it decides is told before it is done: the parent never sees an act unannounced.
    private func work() throws {
        while store != nil, !inbox.isEmpty {
            let input = inbox.removeFirst()
            let now = clock.now
            recorder.record(input, at: now, into: &log)
            deadline = machine.handle(input, at: now, into: &outputs)
            try flight?.record(input, giving: outputs, wakingAt: deadline, at: now)
            let todo = outputs
            outputs.removeAll(keepingCapacity: true)
            for output in todo {
                recorder.record(output, at: now, into: &log)
                try pipe.drain(&log)
                try carryOut(output)
            }
        }
        try pipe.drain(&log)
    }

    private func carryOut(_ output: DaemonOutput) throws {
        switch output {
        case .persist(let ticket, let change):
            do throws(StoreError) {
                try store?.apply(change)
                inbox.append(.persisted(ticket))
            } catch {
                inbox.append(.persistFailed(ticket))
            }
        case .attempt(let wanted): try carryOut(wanted)
        case .tell(let app, let news):
            let launch = launches[app] ?? 0
            try pipe.say(.tells(app, launch: launch, placed(news)))
        case .wakeApp(let app): try pipe.say(.wakes(app))
        case .discard(let path): downloads.discard(path)
        case .hasWoken, .note: break
        }
    }

    /// The app finds its file under the name that this machine knows.
    private func placed(_ news: DaemonNews) -> DaemonNews {
        guard case .downloaded(let task, let session, let path) = news else { return news }
        return .downloaded(task, session: session, path: downloads.place(of: path))
    }

    private func carryOut(_ wanted: AttemptOutput) throws {
        switch wanted {
        case .inspect(let transfer, let path):
            let place =
                DownloadFolder.holds(path)
                ? downloads.place(of: path) : container(of: transfer) + "/" + path
            inbox.append(.attempt(.inspected(transfer, SourceInspection(ofFileAt: place))))
        case .keep(let transfer, let path, let segments, let offset):
            let kept = downloads.keep(segments, in: path, at: offset, of: transfer)
            inbox.append(.attempt(.kept(transfer, kept)))
        case .note(let note):
            guard let transfer = note.completed, let content = try downloads.content(of: transfer)
            else { break }
            recorder.record(content, by: transfer, at: clock.now, into: &log)
        case .connect(let id, let account, let item):
            let folder = container(of: TransferID(item.number))
            try sockets.connect(id, to: account, from: folder, on: loop)
            try hearSockets()
        case .write(let id, let pieces): sockets.write(pieces, to: id)
        case .close(let id):
            sockets.close(id, on: loop)
            try hearSockets()
        case .examine, .place, .discard:
            preconditionFailure("an attempt of the daemon wants \(wanted)")
        }
    }

    private func container(of transfer: TransferID) -> String {
        containers[Int(TaskID(transfer).app)].path
    }
}
