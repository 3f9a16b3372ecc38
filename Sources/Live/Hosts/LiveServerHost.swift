import Content
import DocrootServer
import Glibc
import Quantities
import Recording
import RunLog
import RunPlan
import TransferHost

/// The docroot server over real sockets and a real directory.
struct LiveServerHost: ~Copyable {
    /// `nil` while the server is down.
    var door: Door?
    let place: LiveDocroot.Place
    /// Its address, which stays while it is down.
    let address: (host: String, port: UInt16)
    let versions: KnownVersions
    /// The port of the paced transport; `nil` while the server is down, or if nobody listens there.
    var paced: PacedPort?
    /// The UDP port of the server, up or down; `nil` if the paced transport is not offered.
    let pacedPort: UInt16?
    let pacedDoor: PacedDoor
    private var server: DocrootServer
    var docroot: LiveDocroot
    private var serverDeadline: Instant?
    private(set) var connections: [UInt32: ServerConnection] = [:]
    private var lastConnection: UInt32 = 0
    /// Connections that wait for their clients to close, in the order of closing.
    var closing: [(number: UInt32, until: Instant)] = []
    /// Inputs for the server, in order.
    var answers: [ServerInput] = []
    /// Ends of connections that nobody has asked for yet.
    private var ends: [End] = []

    /// The end of a client's connection, as the server saw it.
    struct End: Hashable {
        var client: SocketAddress
        var received: ByteCount
        /// The stream ended in order: the client has sent nothing else.
        var isWhole: Bool
    }

    /// The server is down until then; the next one may find the staging areas lost.
    var outage: (until: Instant, keepsStaging: Bool)?

    static let disk = EventLoop.Source(kind: .disk)
    static let pause = TimeSpan.milliseconds(100)
    /// How long a client may take to close.
    private static let lingering = TimeSpan.seconds(2)
    /// The longest that one client is served while others wait.
    private static let receptionsPerTurn = 16
    /// The most clients let in before departures are noticed.
    private static let entriesPerTurn = 8

    /// Serves from new folders in a directory.
    init(
        in directory: String, versions: KnownVersions,
        _ settings: ServerSettings = ServerSettings(), securedBy security: SecureContext? = nil,
        pacedBehind pacedDoor: PacedDoor = .open, on loop: borrowing EventLoop
    ) throws(SystemError) {
        let place = LiveDocroot.Place(
            docroot: directory + "/docroot", workshop: directory + "/staging")
        for path in [place.docroot, place.workshop] {
            guard mkdir(path, 0o755) == 0 else { throw SystemError("make \(path)") }
        }
        try self.init(
            at: place, settings, listener: try TCPListener(securedBy: security),
            pacedBehind: pacedDoor, versions: versions, on: loop)
    }

    init(
        at place: LiveDocroot.Place, _ settings: ServerSettings, listener: consuming TCPListener,
        pacedBehind pacedDoor: PacedDoor = .open, versions: KnownVersions,
        on loop: borrowing EventLoop
    ) throws(SystemError) {
        var docroot = try LiveDocroot(at: place, versions: versions)
        let left = try docroot.restore()
        try loop.watch(docroot.descriptor, as: Self.disk, for: .readable)
        let address = (listener.host, listener.port)
        door = try Door(listener, as: .listener, on: loop)
        var settings = settings
        settings.identity = UInt64.random(in: 0...UInt64.max)
        if settings.pacedPort != nil {
            let port = try PacedPort(behind: pacedDoor, near: address.0, address.1)
            settings.pacedPort = port.number
            paced = try port.opened(on: loop)
        }
        pacedPort = settings.pacedPort
        self.pacedDoor = pacedDoor
        server = DocrootServer(settings)
        var outputs: [ServerOutput] = []
        serverDeadline = server.handle(left, at: .start, into: &outputs)
        // There are no clients yet, so some outputs lead nowhere.
        for output in outputs { docroot.carryOut(output) }
        self.docroot = docroot
        self.address = address
        self.place = place
        self.versions = versions
    }

    var port: UInt16 { address.port }

    /// Whether nothing is on its way to a disk or a client.
    var isQuiet: Bool { isQuiet(besides: []) }

    /// Whether nothing is on its way to a disk or to any but these clients.
    func isQuiet(besides others: Set<SocketAddress>) -> Bool {
        answers.isEmpty && docroot.isQuiet && outage == nil
            && connections.values.allSatisfy { $0.client.map(others.contains) ?? false }
    }

    /// Whether work waits for nothing but its turn.
    var isBusy: Bool { !answers.isEmpty || docroot.isBusy }

    var nextDeadline: Instant? {
        // All linger equally long: the first closed is the first due.
        [closing.first?.until, serverDeadline, door?.opensAgain, returns, paced?.deadline]
            .compactMap(\.self).min()
    }

    /// Takes no more connections, and ends idle ones.
    mutating func stop(on loop: borrowing EventLoop) {
        outage = nil
        door?.close(on: loop)
        answers.append(.stopping)
    }

    var status: ServiceStatus {
        ServiceStatus(
            faults: server.faultStatus, transfers: server.transfers,
            connectionCount: connections.count, refusedDatagrams: paced?.refusedCount ?? 0)
    }

    mutating func switchFault(_ name: String, on isOn: Bool) {
        answers.append(.fault(name, on: isOn))
    }

    /// Counts what dead clients of the paced transport have sent: nothing else will come.
    mutating func countWhatCame(
        from clients: [SocketAddress], on loop: borrowing EventLoop, _ clock: MachineClock,
        into log: inout RunLogSink
    ) {
        receiveDatagrams(loop, clock, into: &log)
        // any order: each is counted by itself
        for connection in connections.values {
            guard let stream = connection.paced, clients.contains(stream.peer) else { continue }
            ends.append(End(client: stream.peer, received: connection.received, isWhole: true))
        }
    }

    private mutating func receiveDatagrams(
        _ loop: borrowing EventLoop, _ clock: MachineClock, into log: inout RunLogSink
    ) {
        for stream in paced?.receive(by: clock) ?? [] {
            look(at: stream, loop, clock, into: &log)
        }
    }

    mutating func takeEnds() -> [End] {
        defer { ends = [] }
        return ends
    }

    // MARK: Turns of the loop

    mutating func serve(
        _ ready: EventLoop.Ready, on loop: borrowing EventLoop, by clock: MachineClock,
        into log: inout RunLogSink
    ) throws(SystemError) {
        switch ready.source.kind {
        case .listener: try takeConnections(on: loop, by: clock, into: &log)
        case .serverConnection:
            guard let connection = connections[ready.source.number] else { return }
            if ready.isReadable, connection.isHeld {
                // Nothing was asked for, so the connection is over.
                return disconnected(connection, isWhole: false, loop, clock, into: &log)
            }
            if ready.isReadable, !connection.isDeaf {
                receive(on: connection, loop, clock, into: &log)
            }
            if ready.isWritable { flush(connection, loop, clock, into: &log) }
        case .datagrams: receiveDatagrams(loop, clock, into: &log)
        case .disk: docroot.hear()
        default: break
        }
    }

    /// Ends a turn: received data becomes durable, and due work is done.
    mutating func endTurn(
        on loop: borrowing EventLoop, by clock: MachineClock, into log: inout RunLogSink
    ) {
        docroot.endTurn()
        let said = docroot.takeAnswers()
        // While the server is down, nobody hears answers.
        if outage == nil { answers += said }
        let now = clock.now
        if let serverDeadline, serverDeadline <= now { answers.append(.wake) }
        // New inputs wait until the others had their turn.
        for _ in 0..<answers.count where !answers.isEmpty {
            handle(answers.removeFirst(), loop, clock, into: &log)
        }
        if let returns, returns <= now { comeBack(at: now, loop, clock, into: &log) }
        while let first = closing.first, first.until <= now {
            closing.removeFirst()
            guard let connection = connections[first.number] else { continue }
            forget(connection, isWhole: false, loop)
        }
        door?.endTurn(on: loop, at: now)
        for stream in paced?.send(by: clock) ?? [] { look(at: stream, loop, clock, into: &log) }
    }

    // MARK: Connections

    private mutating func takeConnections(
        on loop: borrowing EventLoop, by clock: MachineClock, into log: inout RunLogSink
    ) throws(SystemError) {
        for _ in 0..<Self.entriesPerTurn {
            guard let stream = try door?.accept(on: loop, by: clock) else { return }
            lastConnection += 1
            let connection = ServerConnection(
                id: ServerConnectionID(lastConnection), over: .tcp(stream))
            connections[lastConnection] = connection
            try loop.watch(connection)
            let client = ClientAddress(connection.client?.address ?? 0)
            handle(.connected(connection.id, from: client), loop, clock, into: &log)
        }
    }

    /// Serves a stream of the paced transport to which something has happened.
    private mutating func look(
        at stream: PacedServerStream, _ loop: borrowing EventLoop, _ clock: MachineClock,
        into log: inout RunLogSink
    ) {
        if !stream.wasAccepted {
            stream.wasAccepted = true
            lastConnection += 1
            let connection = ServerConnection(
                id: ServerConnectionID(lastConnection), over: .paced(stream))
            stream.connection = connection
            connections[lastConnection] = connection
            handle(.heard(session: stream.session), loop, clock, into: &log)
            let client = ClientAddress(stream.peer.address)
            handle(.connected(connection.id, from: client), loop, clock, into: &log)
        }
        guard let connection = stream.connection else { return }
        if connection.isHeld ? stream.isBroken : stream.isReadable {
            receive(on: connection, loop, clock, into: &log)
        }
        flush(connection, loop, clock, into: &log)
    }

    private mutating func receive(
        on connection: ServerConnection, _ loop: borrowing EventLoop, _ clock: MachineClock,
        into log: inout RunLogSink
    ) {
        for _ in 0..<Self.receptionsPerTurn where !connection.isDeaf {
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
        _ clock: MachineClock, into log: inout RunLogSink
    ) {
        // A body that has left is reported at the end of the turn. A client that leaves because it
        // has everything must not count as one that left early.
        if let place = answers.firstIndex(of: .drained(connection.id)) {
            answers.remove(at: place)
            handle(.drained(connection.id), loop, clock, into: &log)
            guard connections[connection.id.number] != nil else { return }
        }
        let wasOpen = connection.state == .open
        forget(connection, isWhole: isWhole, loop)
        if wasOpen { handle(.disconnected(connection.id), loop, clock, into: &log) }
    }

    private mutating func flush(
        _ connection: ServerConnection, _ loop: borrowing EventLoop, _ clock: MachineClock,
        into log: inout RunLogSink
    ) {
        guard connections[connection.id.number] != nil else { return }
        guard connection.flush() else {
            return disconnected(connection, isWhole: false, loop, clock, into: &log)
        }
        if connection.takeDrained() { answers.append(.drained(connection.id)) }
        listen(to: connection, loop)
    }

    private func listen(to connection: ServerConnection, _ loop: borrowing EventLoop) {
        do throws(SystemError) { try loop.change(connection) } catch {
            preconditionFailure("\(connection.id) is watched: \(error)")
        }
    }

    mutating func forget(
        _ connection: ServerConnection, isWhole: Bool, _ loop: borrowing EventLoop
    ) {
        guard connections.removeValue(forKey: connection.id.number) != nil else { return }
        loop.forget(connection)
        connection.paced?.endSending()
        connection.paced?.ignore()
        guard let client = connection.client else { return }
        ends.append(End(client: client, received: connection.received, isWhole: isWhole))
    }

    // MARK: The server's wishes

    mutating func handle(
        _ input: ServerInput, _ loop: borrowing EventLoop, _ clock: MachineClock,
        into log: inout RunLogSink
    ) {
        let now = clock.now
        var outputs: [ServerOutput] = []
        serverDeadline = server.handle(input, at: now, into: &outputs)
        for output in outputs {
            if case .note(let fact) = output { log.record(.server(fact), at: now) }
            carryOut(output, at: now, loop)
        }
        // Once for all outputs of an input, so that a head travels with its body.
        var flushed: Set<UInt32> = []
        for case let id? in outputs.map(\.connection) where flushed.insert(id.number).inserted {
            if let connection = connections[id.number] {
                flush(connection, loop, clock, into: &log)
            }
        }
    }

    private mutating func carryOut(
        _ output: ServerOutput, at now: Instant, _ loop: borrowing EventLoop
    ) {
        switch output {
        case .stage, .stageProvisionally, .count, .truncate, .keep, .publish, .discard, .ask,
            .closeBody:
            docroot.carryOut(output)
            answers += docroot.takeAnswers()
        case .send, .sendBody, .hold, .goOn, .close, .abort:
            guard let id = output.connection, let connection = connections[id.number] else {
                return
            }
            carryOut(output, on: connection, at: now, loop)
        case .restart(let pause, let keepsStaging):
            goDown(until: now + pause, keepsStaging: keepsStaging, loop)
        case .failPower, .losePower:
            preconditionFailure("\(output): only a simulated machine can lose its power")
        case .admit(let session): paced?.admit(session)
        case .note: break
        }
    }

    private mutating func carryOut(
        _ output: ServerOutput, on connection: ServerConnection, at now: Instant,
        _ loop: borrowing EventLoop
    ) {
        switch output {
        case .send(_, let segments):
            for segment in segments { connection.send(segment.bytes) }
        case .sendBody(_, let id, let offset, let length):
            guard let body = docroot.body(id) else { return }
            connection.send(body, at: offset.bytes, length: length.bytes)
        case .hold, .goOn:
            if case .hold = output { connection.isHeld = true } else { connection.isHeld = false }
        case .close:
            connection.close(by: now + Self.lingering)
            closing.append((connection.id.number, now + Self.lingering))
        case .abort:
            connection.wire.resetWhenClosed()
            forget(connection, isWhole: false, loop)
        default: break
        }
    }
}
