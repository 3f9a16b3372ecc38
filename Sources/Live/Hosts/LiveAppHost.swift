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
    private let orders: AppOrders
    private let clock: RunClock
    private let script: AppScript
    private let pipe: EventPipe
    private var loop: EventLoop
    private var engine: TransferEngine
    private var store: QueueStore
    private var recorder: EngineRecorder
    private var log = RunLogSink()
    private var pacer: Pacer
    private var connections: [UInt32: AppConnection] = [:]
    private var inbox: [EngineInput] = []
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
        script = AppScript(plan.sessions, plan.app, server: orders.server)
        engine = TransferEngine(asksForBackgroundTime: plan.device.asksForBackgroundTime)
        lifeline = lines.lifeline
        pipe = EventPipe(to: lines.events)
        loop = try EventLoop()
        try loop.watch(lines.lifeline, as: .init(kind: .lifeline), for: .readable)
        var records: [SessionRecord] = []
        store = try QueueStore(
            at: "queue.sqlite", on: .directory(orders.container), sessions: &records)
        recorder = EngineRecorder(
            launch: orders.launch,
            of: AppNumbers(
                sessionsBefore: orders.sessionsBefore, transfersBefore: orders.sessionsBefore),
            restored: records)
        pacer = Pacer(rate: plan.uplink.bottleneck.rate, at: clock.now)
        recorder.recordOpening(at: clock.now, into: &log)
        inbox.append(.restored(records))
        if orders.isInBackground { inbox.append(.enteredBackground) }
    }

    package func submit(_ command: QueueCommand) { inbox.append(.command(command)) }

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
                case .lifeline: guard hearPhone() else { return }
                case .appConnection: try serve(ready)
                case .listener, .serverConnection, .appEvents, .appErrors, .capture,
                    .interruption, .disk, .statusListener, .statusVisitor:
                    break
                }
            }
            try sendWhatMay()
            if let due = engineDeadline, due <= clock.now { inbox.append(.wake) }
            try drain(for: queue)
        }
    }

    /// Whether somebody still holds the lifeline.
    private func hearPhone() -> Bool {
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
        case .connect(let id, let account): try connect(id, to: account)
        case .write(let id, let pieces): connections[id.number]?.write(pieces)
        case .close(let id):
            if let connection = connections[id.number] { end(connection, .closed) }
        case .callback(let session, let callback): queue.deliver(callback, for: session)
        case .beginBackgroundTask(let task): try pipe.ask(.beginTask(task.number))
        case .endBackgroundTask(let task): try pipe.ask(.endTask(task.number))
        case .note: break
        }
    }

    private func inspection(of path: String) -> SourceInspection {
        var status = stat()
        guard stat(orders.container + "/" + path, &status) == 0 else { return .missing }
        guard status.st_mode & S_IFMT == S_IFREG else { return .notARegularFile }
        return .regularFile(SourceFingerprint(status))
    }

    // MARK: Connections

    private func connect(_ id: ConnectionID, to account: Account) throws {
        do throws(SystemError) {
            let stream = try TCPStream(connectingTo: account.host, port: account.port)
            let connection = AppConnection(id: id, stream: stream)
            try loop.watch(
                connection.stream.descriptor.number, as: connection.source,
                for: connection.interest)
            connections[id.number] = connection
        } catch {
            // No route, no socket left: for the engine it is a server that cannot be reached.
            inbox.append(.disconnected(id, .refused))
        }
    }

    private func serve(_ ready: EventLoop.Ready) throws {
        guard let connection = connections[ready.source.number] else { return }
        guard connection.isEstablished else {
            if let error = connection.stream.connectionError {
                lose(connection, error)
            } else {
                connection.established()
                inbox.append(.connected(connection.id))
                try loop.change(
                    connection.stream.descriptor.number, as: connection.source, to: .readable)
            }
            return
        }
        if ready.isWritable { connection.roomAgain() }
        if ready.isReadable { receive(on: connection) }
    }

    private func receive(on connection: AppConnection) {
        switch connection.stream.receive() {
        case .nothing: break
        case .bytes(let bytes): inbox.append(.received(connection.id, [.bytes(bytes)]))
        case .end: lose(connection, .closedByPeer)
        case .broken(let why): lose(connection, why)
        }
    }

    /// When it is worth sending on; `nil` while nothing waits but for the peer.
    private var sendingDeadline: Instant? {
        guard connections.values.contains(where: \.hasWork) else { return nil }
        return pacer.nextAllowance(at: clock.now)
    }

    /// One uplink for all connections, the oldest first.
    private func sendWhatMay() throws {
        for number in connections.keys.sorted() {
            guard let connection = connections[number] else { continue }
            let before = connection.taken
            do throws(AppConnection.Failure) {
                while connection.hasWork {
                    let now = clock.now
                    let count = try connection.send(
                        atMost: pacer.allowance(at: now), from: orders.container)
                    if count == 0 { break }
                    pacer.spend(count, at: now)
                }
            } catch {
                switch error {
                case .broken(let why): lose(connection, why)
                case .unreadable: inbox.append(.unreadable(connection.id))
                }
                continue
            }
            if connection.taken > before {
                inbox.append(.taken(connection.id, connection.taken))
            }
            try loop.change(
                connection.stream.descriptor.number, as: connection.source,
                to: connection.interest)
        }
    }

    private func lose(_ connection: AppConnection, _ why: Disconnection) {
        let end: ConnectionEnd =
            switch why {
            case .closedByPeer: .closed
            case .refused: .refused
            case .reset: .reset
            case .timedOut: .timedOut
            case .networkLost: .networkLost
            }
        self.end(connection, end)
        inbox.append(.disconnected(connection.id, why))
    }

    private func end(_ connection: AppConnection, _ why: ConnectionEnd) {
        guard connections.removeValue(forKey: connection.id.number) != nil else { return }
        loop.forget(connection.stream.descriptor.number)
        let left = connection.taken - min(connection.stream.unsent, connection.taken)
        recorder.record(
            end: why, of: connection.id, transmitted: left, at: clock.now, into: &log)
    }
}
