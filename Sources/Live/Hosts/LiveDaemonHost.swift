import CLinux
import Content
import DocrootServer
import Glibc
import Quantities
import QueueStorage
import Recording
import RunLog
package import RunPlan
import TransferClient
import TransferEngine
import TransferHost

/// The process of a phone's transfer daemon: the machine on a real store, real files and real
/// sockets. It outlives the apps, and ends with the phone's power, or when its parent closes its
/// lifeline.
package final class LiveDaemonHost {
    private var process: LiveProcess<TransferDaemon, TaskStore, DaemonWord>
    private let folder: String
    private let disk: SharedDisk?
    private var downloads: DownloadFolder
    /// The apps' containers, by their places on the phone.
    private let containers: [OpenFile]
    private var apps: [DaemonOrders.App]
    /// Keychains of the apps, in the order of the apps.
    private var keychains: [Keychain]
    /// The app whose credentials are sent on a connection.
    private var owners: [ConnectionID: UInt16] = [:]
    /// The launch of each app that hears the daemon's news.
    private var launches: [UInt16: UInt32] = [:]
    /// The launches of which the machine has yet to hear the stages, in order.
    private var comingLaunches: [UInt32] = []
    /// When it tries again to open its store; everything waits until then.
    private var reopensAt: Instant?
    /// How many messages it had heard when it last said that it rests.
    private var restedAfter: UInt64?

    /// Opens the daemon's store.
    package init(
        _ orders: DaemonOrders, plan: RunPlan, lines: ProcessLines = .standard
    ) throws {
        folder = orders.folder
        disk = try orders.disk.map(SharedDisk.init(at:))
        apps = orders.apps
        keychains = try orders.apps.map { try Keychain(at: $0.keychain) }
        containers = try orders.apps.map {
            OpenFile(try Descriptor(opening: $0.container, O_RDONLY | O_DIRECTORY))
        }
        downloads = DownloadFolder(
            in: orders.folder, on: disk, recognising: KnownVersions(plan))
        let making = TransferDaemon.Making(
            identity: "phone-\(orders.phone + 1)", connectionsBefore: orders.lastConnection,
            resumes: plan.phones[orders.phone].plan.resumableUploads)
        let recorder = DaemonRecorder(
            apps: orders.apps.map(\.numbers), ofPhone: orders.phone,
            seeing: AppRoll(plan).entries.filter { $0.device == orders.phone }.map {
                SeenDocroots($0.plan.app.docroots(among: plan.server.accounts))
            })
        process = try LiveProcess(
            MachinePump(making, recordedBy: recorder), orders, readingFrom: disk,
            by: MachineClock(startNanoseconds: orders.startNanoseconds), lines: lines)
        for (app, keychain) in keychains.enumerated() {
            for (handle, state) in keychain.wallet.states {
                process.pump.tell(.asked(by: UInt16(app), .credential(handle, state)))
            }
        }
        if let status = orders.network.status { process.pump.tell(.network(status)) }
        if orders.hasCharger { process.pump.tell(.charger(isConnected: true)) }
        openStore()
    }

    /// Runs until the lifeline ends.
    package func run() throws {
        try work()
        while true {
            try rest()
            for ready in try process.wait(until: reopensAt) {
                guard let lines = try process.serve(ready) else { return }
                for line in lines { try hear(DaemonMessage(line: line)) }
            }
            try process.goOn()
            if let reopensAt, reopensAt <= process.clock.now { openStore() }
            try work()
        }
    }

    private func openStore() {
        var tasks: [TaskRecord] = []
        do throws(StoreError) {
            let store = try TaskStore(
                at: TaskStore.name, on: .folder(folder, on: disk), tasks: &tasks)
            reopensAt = nil
            if store.setAside != nil {
                let all = downloads.paths(in: TransferDaemon.downloadsFolder)
                let abandoned = TransferDaemon.abandonedDownloads(among: all, besides: tasks)
                for path in abandoned { downloads.discard(path) }
            }
            process.open(store, holding: tasks, clearings: apps.map(\.clearings))
        } catch {
            reopensAt = process.clock.now + MachinePump.reopeningPause
            process.recordFailedOpening(error.message)
        }
    }

    /// Tells the parent that the daemon is idle until it hears something.
    private func rest() throws {
        let heard = process.heard
        guard process.isIdle, reopensAt == nil, restedAfter != heard else { return }
        restedAfter = heard
        try process.say(.rests(after: heard))
    }

    private func hear(_ message: DaemonMessage) throws {
        switch message {
        case .asked(let app, let request):
            // The app has written its secret before it told of it.
            if case .credential = request { try keychains[Int(app)].read() }
            process.pump.tell(.asked(by: app, request))
        case .app(let app, let stage, let launch):
            comingLaunches.append(launch)
            process.pump.tell(.app(app, stage))
        case .renumber(let app, let tasksBefore):
            // Earlier events keep the old numbers of its tasks.
            try work()
            apps[Int(app)].tasksBefore = tasksBefore
            apps[Int(app)].clearings += 1
            process.pump.recorder.renumber(app, as: apps[Int(app)].numbers)
        case .network(let order): try process.obey(order)
        case .charger(let isConnected): process.pump.tell(.charger(isConnected: isConnected))
        }
    }

    // MARK: What the machine wants

    private func work() throws {
        while let input = process.pump.next, let outputs = try process.turn() {
            if case .app(let app, _) = input { launches[app] = comingLaunches.removeFirst() }
            for output in outputs {
                try process.announce(CollectionOfOne(output))
                try carryOut(output)
            }
        }
        try process.drainLog()
    }

    private func carryOut(_ output: DaemonOutput) throws {
        switch output {
        case .persist(let ticket, let change): process.persist(change, as: ticket)
        case .attempt(let wanted): try carryOut(wanted)
        case .tell(let app, let news):
            let launch = launches[app] ?? 0
            try process.say(.tells(app, launch: launch, placed(news)))
        case .wakeApp(let app): try process.say(.wakes(app))
        case .sync(let path): try downloads.sync(path)
        case .discard(let path): downloads.discard(path)
        case .hasWoken, .note: break
        }
    }

    /// Turns the path of a download into its place on this machine.
    private func placed(_ news: DaemonNews) -> DaemonNews {
        guard case .downloaded(let task, let session, let request, let response, let path) = news
        else { return news }
        return .downloaded(
            task, session: session, request, response, path: downloads.place(of: path))
    }

    private func carryOut(_ wanted: AttemptOutput) throws {
        switch wanted {
        case .inspect(let transfer, let path):
            let place =
                DownloadFolder.holds(path)
                ? downloads.place(of: path) : container(of: transfer) + "/" + path
            process.pump.tell(.inspected(transfer, SourceInspection(ofFileAt: place)))
        case .keep(let transfer, let path, let segments, let offset):
            let kept = downloads.keep(segments, in: path, at: offset, of: transfer)
            process.pump.tell(.kept(transfer, kept))
        case .note(let note):
            guard let transfer = note.completed, let content = try downloads.content(of: transfer)
            else { break }
            process.record(content, by: transfer)
        case .connectPaced, .connectChannel, .pace:
            preconditionFailure("tasks know nothing of the paced transport")
        case .connect(let id, let account, let item?):
            owners[id] = TaskID(TransferID(item.number)).app
            let folder = container(of: TransferID(item.number))
            try process.connect(id, to: account, from: folder)
        case .write(let id, let pieces):
            let wallet = keychains[Int(owners[id] ?? 0)].wallet
            process.write(wallet.filled(pieces), to: id)
        case .close(let id):
            owners[id] = nil
            try process.close(id)
        case .abort(let id):
            owners[id] = nil
            try process.abort(id)
        case .forget(let use, let id):
            guard let app = id.flatMap({ owners[$0] }) else { break }
            try keychains[Int(app)].read()
            keychains[Int(app)].wallet.forget(use)
            try keychains[Int(app)].write()
        case .examine, .place, .discard, .connect, .readToken:
            preconditionFailure("an attempt of the daemon wants \(wanted)")
        }
    }

    private func container(of transfer: TransferID) -> String {
        // An open folder is found even after it was moved.
        "/proc/self/fd/\(containers[Int(TaskID(transfer).app)].descriptor.number)"
    }
}
