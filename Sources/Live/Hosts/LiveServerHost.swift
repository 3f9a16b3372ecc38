import Content
import DocrootServer
import Quantities
import Recording
import RunLog

/// The docroot server over real sockets and a real directory.
struct LiveServerHost: ~Copyable {
    private let listener: TCPListener
    private let versions: [FileVersion]
    private let recorder = ServerRecorder()
    private var server = DocrootServer()
    private var area: StagingArea
    private var connections: [UInt32: ServerConnection] = [:]
    private var lastConnection: UInt32 = 0
    /// What the store has to say to the server, in order.
    private var answers: [ServerInput] = []
    private var published: [PublishedObject] = []
    /// Connections that are over, until somebody asks.
    private var ends: [End] = []

    /// How a client's connection ended, as the server saw it.
    struct End: Hashable {
        /// Counted from 1 in the order in which they were taken.
        var connection: UInt32
        var received: ByteCount
        /// The stream came to its end, so that what was received is all that was ever sent.
        var isWhole: Bool
    }

    /// A closed connection's client gets so long to finish as well.
    private static let lingering = TimeSpan.seconds(2)
    /// One client is not served for longer while others wait.
    private static let receptionsPerTurn = 16

    /// Serves from new folders in this directory; `versions` are the contents it can recognise.
    init(
        in directory: String, versions: [FileVersion], on loop: borrowing EventLoop
    ) throws(SystemError) {
        let area = try StagingArea(in: directory)
        let listener = try TCPListener()
        try loop.watch(
            listener.descriptor.number, as: .init(kind: .listener), for: .readable)
        self.area = area
        self.listener = listener
        self.versions = versions
    }

    var port: UInt16 { listener.port }

    /// How many connections were taken so far.
    var connectionCount: UInt32 { lastConnection }

    /// Nothing is on its way to a disk or to a client.
    var isQuiet: Bool { connections.isEmpty && !isBusy }

    /// There is work that waits for nothing but its turn.
    var isBusy: Bool { !answers.isEmpty || !published.isEmpty }

    var nextDeadline: Instant? {
        connections.values.compactMap { connection -> Instant? in
            if case .closing(let until) = connection.state { until } else { nil }
        }.min()
    }

    mutating func takeEnds() -> [End] {
        defer { ends = [] }
        return ends
    }

    // MARK: Turns of the loop

    mutating func serve(
        _ ready: EventLoop.Ready, on loop: borrowing EventLoop, by clock: RunClock,
        into log: inout RunLogSink
    ) throws(SystemError) {
        switch ready.source.kind {
        case .listener: try takeConnections(on: loop, by: clock, into: &log)
        case .serverConnection:
            guard let connection = connections[ready.source.number] else { return }
            if ready.isReadable { receive(on: connection, loop, clock, into: &log) }
            if ready.isWritable { flush(connection, loop, clock, into: &log) }
        case .appConnection, .appEvents, .appErrors, .lifeline, .capture, .interruption: break
        }
    }

    /// Ends a turn: what was received becomes durable, what is due is done.
    mutating func endTurn(
        on loop: borrowing EventLoop, by clock: RunClock, into log: inout RunLogSink
    ) {
        for (upload, result) in area.synchronise() {
            switch result {
            case .success(let total): answers.append(.staged(upload, total))
            case .failure(let error):
                answers.append(.storeFailed(upload, reason: error.description))
            }
        }
        readBack()
        while !answers.isEmpty { handle(answers.removeFirst(), loop, clock, into: &log) }
        let now = clock.now
        for connection in connections.values.sorted(by: { $0.id.number < $1.id.number }) {
            guard case .closing(let until) = connection.state, until <= now else { continue }
            forget(connection, isWhole: false, loop)
        }
    }

    private mutating func readBack() {
        guard let object = published.first else { return }
        do throws(SystemError) {
            guard let content = try object.advance() else { return }
            answers.append(.published(object.upload, content))
        } catch {
            answers.append(.storeFailed(object.upload, reason: error.description))
        }
        published.removeFirst()
    }

    // MARK: Connections

    private mutating func takeConnections(
        on loop: borrowing EventLoop, by clock: RunClock, into log: inout RunLogSink
    ) throws(SystemError) {
        while let stream = try listener.accept() {
            lastConnection += 1
            let connection = ServerConnection(
                id: ServerConnectionID(lastConnection), stream: stream)
            connections[lastConnection] = connection
            try loop.watch(
                connection.stream.descriptor.number, as: connection.source, for: .readable)
            handle(.connected(connection.id), loop, clock, into: &log)
        }
    }

    private mutating func receive(
        on connection: ServerConnection, _ loop: borrowing EventLoop, _ clock: RunClock,
        into log: inout RunLogSink
    ) {
        for _ in 0..<Self.receptionsPerTurn {
            switch connection.receive() {
            case .nothing: return
            case .bytes(let bytes):
                guard connection.state == .open else { continue }
                handle(.received(connection.id, [.bytes(bytes)]), loop, clock, into: &log)
            case .end: return disconnected(connection, isWhole: true, loop, clock, into: &log)
            case .broken:
                return disconnected(connection, isWhole: false, loop, clock, into: &log)
            }
        }
    }

    private mutating func disconnected(
        _ connection: ServerConnection, isWhole: Bool, _ loop: borrowing EventLoop,
        _ clock: RunClock, into log: inout RunLogSink
    ) {
        let wasOpen = connection.state == .open
        forget(connection, isWhole: isWhole, loop)
        if wasOpen { handle(.disconnected(connection.id), loop, clock, into: &log) }
    }

    private mutating func flush(
        _ connection: ServerConnection, _ loop: borrowing EventLoop, _ clock: RunClock,
        into log: inout RunLogSink
    ) {
        guard connections[connection.id.number] != nil else { return }
        guard connection.flush() else {
            return disconnected(connection, isWhole: false, loop, clock, into: &log)
        }
        do throws(SystemError) {
            try loop.change(
                connection.stream.descriptor.number, as: connection.source,
                to: connection.interest)
        } catch {
            preconditionFailure("\(connection.id) is watched: \(error)")
        }
    }

    private mutating func forget(
        _ connection: ServerConnection, isWhole: Bool, _ loop: borrowing EventLoop
    ) {
        guard connections.removeValue(forKey: connection.id.number) != nil else { return }
        loop.forget(connection.stream.descriptor.number)
        ends.append(
            End(
                connection: connection.id.number, received: connection.received,
                isWhole: isWhole))
    }

    // MARK: The server's wishes

    private mutating func handle(
        _ input: ServerInput, _ loop: borrowing EventLoop, _ clock: RunClock,
        into log: inout RunLogSink
    ) {
        let now = clock.now
        var outputs: [ServerOutput] = []
        _ = server.handle(input, at: now, into: &outputs)
        for output in outputs {
            recorder.record(output, at: now, into: &log)
            carryOut(output, at: now, loop, clock, into: &log)
        }
    }

    private mutating func carryOut(
        _ output: ServerOutput, at now: Instant, _ loop: borrowing EventLoop, _ clock: RunClock,
        into log: inout RunLogSink
    ) {
        switch output {
        case .stage(let upload, let offset, let segments):
            do throws(SystemError) {
                try area.append(segments, to: upload, at: offset)
            } catch {
                answers.append(.storeFailed(upload, reason: error.description))
            }
        case .publish(let upload, let object):
            do throws(SystemError) {
                let file = try area.publish(upload, as: object)
                published.append(PublishedObject(upload, reading: file, versions: versions))
            } catch {
                answers.append(.storeFailed(upload, reason: error.description))
            }
        case .send(let id, let segments):
            guard let connection = connections[id.number] else { return }
            for segment in segments {
                guard case .bytes(let bytes) = segment else {
                    preconditionFailure("\(id) is to be sent a range: nothing reads files yet")
                }
                connection.send(bytes)
            }
            flush(connection, loop, clock, into: &log)
        case .close(let id):
            guard let connection = connections[id.number] else { return }
            connection.close(by: now + Self.lingering)
        case .note: break
        }
    }
}
