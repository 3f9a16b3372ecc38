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
package import TransferEngine

/// The app's process: the engine and the queue on a real store, real files and real sockets.
///
/// It lives until it is killed, or until its parent lets go of its lifeline.
package final class LiveAppHost: TransferHost {
    let orders: AppOrders
    let clock: RunClock
    /// Whose events its own are.
    let name: UInt16?
    private let script: AppScript
    let pipe: EventPipe
    var loop: EventLoop
    private var engine: TransferEngine
    private var store: QueueStore
    var recorder: EngineRecorder
    var log = RunLogSink()
    var network: AppNetwork
    var connections: [UInt32: AppConnection] = [:]
    /// Those that are over here, and whose peers must not hear of it.
    var abandoned: [AppConnection] = []
    var inbox: [EngineInput] = []
    private let lifeline: Int32
    private var messages = LineBuffer()
    private var engineDeadline: Instant?

    /// The parent's ends of these two are its means of listening and of holding on.
    package struct Lines {
        /// Events go out here, one a line.
        package var events: Int32
        /// The phone tells here what becomes of the app; when it ends, the process does.
        package var lifeline: Int32

        package static let standard = Lines(events: STDOUT_FILENO, lifeline: STDIN_FILENO)

        init(events: Int32, lifeline: Int32) {
            self.events = events
            self.lifeline = lifeline
        }
    }

    /// Opens what the app finds at its launch.
    package init(_ orders: AppOrders, plan: RunPlan, lines: Lines = .standard) throws {
        self.orders = orders
        clock = RunClock(startNanoseconds: orders.startNanoseconds)
        let entry = AppRoll(plan).entries[orders.app]
        name = orders.app == 0 ? nil : UInt16(orders.app + 1)
        script = AppScript(entry.plan.sessions, entry.plan.app, server: orders.server)
        engine = TransferEngine(
            asksForBackgroundTime: plan.phones[entry.device].plan.asksForBackgroundTime)
        lifeline = lines.lifeline
        pipe = EventPipe(to: lines.events)
        FileLimit.isNoSignal()
        if let limit = orders.fileLimit { FileLimit.set(limit) }
        loop = try EventLoop()
        try loop.watch(lines.lifeline, as: .init(kind: .lifeline), for: .readable)
        var records: [SessionRecord] = []
        store = try QueueStore(
            at: QueueStore.name, on: .directory(orders.container), sessions: &records)
        var numbers = AppNumbers(
            name: name, sessionsBefore: orders.sessionsBefore,
            transfersBefore: orders.sessionsBefore, later: orders.later)
        if let setAside = store.setAside {
            let later = AppNumbers.Later(
                after: setAside, keeping: records, before: orders.sessionsCounted)
            numbers.goOn(later)
            try pipe.ask(
                .countsOn(
                    sessionsKept: UInt32(later.sessionsKept),
                    transfersKept: UInt32(later.transfersKept)))
        }
        recorder = EngineRecorder(launch: orders.launch, of: numbers, restored: records)
        network = AppNetwork(orders.network, at: clock.now)
        recorder.recordOpening(after: store.setAside, at: clock.now, into: &log)
        inbox.append(.restored(records))
        if let setAside = store.setAside { inbox.append(.storeWasSetAside(setAside)) }
        if let status = orders.network.status { inbox.append(.network(status)) }
        if orders.isInBackground { inbox.append(.enteredBackground) }
    }

    package func submit(_ command: QueueCommand) { inbox.append(.command(command)) }

    package func submit(_ command: BackgroundCommand) { inbox.append(.background(command)) }

    /// Lives; returns when the lifeline ends.
    package func run() throws {
        let queue = TransferQueue(host: self)
        try drain(for: queue)
        let delegate = script.didLaunch(orders.ownLaunch, with: queue)
        defer { withExtendedLifetime(delegate) {} }
        try drain(for: queue)
        while true {
            let deadlines = [engineDeadline, sendingDeadline].compactMap { $0 }
            for ready in try loop.wait(until: deadlines.min(), by: clock) {
                switch ready.source.kind {
                case .lifeline: guard try hearPhone(for: queue) else { return }
                case .appConnection: try serve(ready)
                case .listener, .serverConnection, .appEvents, .appErrors, .capture,
                    .interruption, .disk, .statusListener, .statusVisitor, .portal,
                    .portalVisitor:
                    break
                }
            }
            try sendWhatMay()
            if let due = engineDeadline, due <= clock.now { inbox.append(.wake) }
            try drain(for: queue)
        }
    }

    /// Whether somebody still holds the lifeline.
    private func hearPhone(for queue: TransferQueue) throws -> Bool {
        var chunk = [UInt8](repeating: 0, count: 4096)
        let count = retryingInterrupted { read(lifeline, &chunk, chunk.count) }
        guard count > 0 else { return false }
        messages.append(chunk[..<count])
        for line in messages.takeLines() {
            switch PhoneMessage(line: line) {
            case .enteredBackground: inbox.append(.enteredBackground)
            case .enteredForeground: inbox.append(.enteredForeground)
            case .backgroundTimeExpires(let task):
                inbox.append(.backgroundTimeExpires(BackgroundTaskID(task)))
            case .network(let order): try obey(order)
            case .asks(let command): script.perform(command, with: queue)
            }
        }
        return true
    }

    // MARK: The engine

    /// What a turn decides is told before it is done: the parent never sees an act unannounced.
    private func drain(for queue: TransferQueue) throws {
        while !inbox.isEmpty {
            let input = inbox.removeFirst()
            let now = clock.now
            var outputs: [EngineOutput] = []
            recorder.record(input, at: now, into: &log)
            engineDeadline = engine.handle(input, at: now, into: &outputs)
            for output in outputs { recorder.record(output, at: now, into: &log) }
            try pipe.drain(&log)
            for output in outputs { try carryOut(output, for: queue) }
        }
        try pipe.drain(&log)
    }

    private func carryOut(_ output: EngineOutput, for queue: TransferQueue) throws {
        switch output {
        case .persist(let ticket, let change):
            do throws(StoreError) {
                try store.apply(change)
                inbox.append(.persisted(ticket))
            } catch {
                inbox.append(.persistFailed(ticket, reason: error.message))
            }
        case .inspect(let transfer, let path):
            inbox.append(.inspected(transfer, inspection(of: path)))
        case .connect(let id, let account, _): try connect(id, to: account)
        case .write(let id, let pieces): connections[id.number]?.write(pieces)
        case .close(let id):
            if let connection = connections[id.number] { try close(connection) }
        case .queueHolds(let sessions): queue.deliver(sessions)
        case .callback(let session, let callback): queue.deliver(callback, for: session)
        case .storeWasSetAside(let setAside): queue.deliver(setAside)
        case .beginBackgroundTask(let task): try pipe.ask(.beginTask(task.number))
        case .endBackgroundTask(let task): try pipe.ask(.endTask(task.number))
        case .note(.refused(let refusal)): queue.deliver(refusal)
        // No daemon is hosted here; the run says so.
        case .backgroundCallback, .askDaemon, .keep, .note: break
        }
    }

    private func inspection(of path: String) -> SourceInspection {
        var status = stat()
        guard stat(orders.container + "/" + path, &status) == 0 else { return .missing }
        guard status.st_mode & S_IFMT == S_IFREG else { return .notARegularFile }
        return .regularFile(SourceFingerprint(status))
    }
}
