import Content
import Quantities
import RunLog
import TransferEngine
import TransferHost

/// The connections of a process on a phone, an app or the daemon. Each stays on one interface and
/// shares its rate with the others there. Call a verb, then take its news.
struct ProcessSockets {
    private(set) var network: ProcessNetwork
    private var connections: [UInt32: ProcessConnection] = [:]
    /// Connections that are over here, but whose peers must not hear of it.
    private var abandoned: [ProcessConnection] = []
    /// Streams of the paced transport that are over here, while their peers have yet to hear of it.
    private var leaving: [ProcessConnection] = []
    private var news: [SocketNews] = []
    private let disk: SharedDisk?
    /// Of all connections with TLS.
    private let security: SecureContext?
    /// The last sender and the last receiver, for taking turns.
    private var lastSender: UInt32 = 0
    private var lastReceiver: UInt32 = 0

    /// `disk` holds the files that are sent.
    init(
        _ standing: NetworkStanding, readingFrom disk: SharedDisk? = nil,
        securedBy security: SecureContext? = nil, at now: Instant
    ) {
        self.disk = disk
        self.security = security
        network = ProcessNetwork(standing, at: now)
    }

    // MARK: What the machine wants

    /// Connects. Files that are sent are read from below a folder.
    mutating func connect(
        _ id: ConnectionID, to account: Account, from folder: String, on loop: borrowing EventLoop
    ) throws(SystemError) {
        let interface = network.route.number
        let connection = ProcessConnection(
            id: id, over: interface, to: account, from: folder, on: disk)
        connections[id.number] = connection
        if network.standing.status != nil { news.append(.bound(id, interface: interface)) }
        try watch(connection, on: loop)
    }

    /// Opens a stream of the paced transport to where the connection goes that has asked for it.
    mutating func connect(
        _ id: ConnectionID, by route: PacedRoute, authorization: String?, from folder: String,
        at now: Instant
    ) {
        guard let control = connections[route.control.number], let server = control.server,
            let authorization,
            let stream = try? PacedClient(
                route, to: server, from: network[control.interface].address,
                authorization: authorization, at: now)
        else { return news.append(.disconnected(id, .refused)) }
        connections[id.number] = ProcessConnection(
            id: id, over: control.interface, to: route.account, from: folder, on: disk, by: stream)
        if network.standing.status != nil {
            news.append(.bound(id, interface: control.interface))
        }
    }

    /// Opens another channel of a session of the paced transport.
    mutating func connect(
        _ id: ConnectionID, beside other: ConnectionID, from folder: String
    ) {
        guard let first = connections[other.number], let channel = first.paced?.openChannel()
        else { return news.append(.disconnected(id, .reset)) }
        connections[id.number] = ProcessConnection(
            id: id, over: first.interface, to: first.account, from: folder, on: disk, by: channel)
        if network.standing.status != nil { news.append(.bound(id, interface: first.interface)) }
    }

    func pace(_ id: ConnectionID, _ rate: RateWish) { connections[id.number]?.paced?.pace(rate) }

    func write(_ pieces: [OutgoingPiece], to id: ConnectionID) {
        connections[id.number]?.write(pieces)
    }

    mutating func close(_ id: ConnectionID, on loop: borrowing EventLoop) {
        if let connection = connections[id.number] { end(connection, .closed, on: loop) }
    }

    mutating func abort(_ id: ConnectionID, at now: Instant, on loop: borrowing EventLoop) {
        guard let connection = connections[id.number] else { return }
        connection.resetWhenClosed(at: now)
        end(connection, .aborted, on: loop)
    }

    mutating func takeNews() -> [SocketNews] {
        defer { news = [] }
        return news
    }

    var isEmpty: Bool { connections.isEmpty }

    // MARK: What happens

    mutating func serve(
        _ ready: EventLoop.Ready, on loop: borrowing EventLoop
    ) throws(SystemError) {
        // Datagrams are moved in every turn.
        guard let connection = connections[ready.source.number], connection.isWatched,
            connection.paced == nil
        else { return }
        guard connection.isEstablished else {
            return try goOnOpening(connection, on: loop)
        }
        if ready.isWritable { connection.roomAgain() }
        if ready.isReadable {
            connection.hasArrived = true
            try watch(connection, on: loop)
        }
    }

    private mutating func goOnOpening(
        _ connection: ProcessConnection, on loop: borrowing EventLoop
    ) throws(SystemError) {
        let wasSecuring = connection.isSecuring
        let opening = connection.open()
        if connection.isSecuring, !wasSecuring { news.append(.securing(connection.id)) }
        switch opening {
        case .failed(let error): return lose(connection, error, on: loop)
        case .underWay: break
        case .open:
            guard let own = connection.own else { return }
            connection.established()
            news.append(.connected(connection.id, from: connection.isAtServer ? own : nil))
        }
        try watch(connection, on: loop)
    }

    /// When more can be sent or received; `nil` if only peers can change that.
    func deadline(at now: Instant) -> Instant? {
        (leaving + connections.values).filter(isFree).flatMap { connection in
            [
                connection.paced?.datagramDeadline,
                connection.hasWork
                    ? network.nextAllowance(.up, over: connection.interface, at: now) : nil,
                connection.hasArrived
                    ? network.nextAllowance(.down, over: connection.interface, at: now) : nil,
            ].compactMap(\.self)
        }.min()
    }

    /// Sends and receives: connections share an uplink and a downlink, and take turns with small
    /// pieces.
    mutating func moveWhatMay(
        by clock: MachineClock, on loop: borrowing EventLoop
    ) throws(SystemError) {
        try moveDatagrams(by: clock, on: loop)
        receiveWhatMay(by: clock, on: loop)
        let before = connections.mapValues(\.taken)
        while sendInTurns(by: clock, on: loop) {}
        for number in connections.keys.sorted() {
            guard let connection = connections[number] else { continue }
            let taken = connection.taken
            if taken > before[number] ?? .zero { news.append(.taken(connection.id, taken)) }
            if isFree(connection) { try watch(connection, on: loop) }
        }
    }

    private mutating func moveDatagrams(
        by clock: MachineClock, on loop: borrowing EventLoop
    ) throws(SystemError) {
        for connection in connections(on: nil) where isFree(connection) {
            connection.movePaced(by: clock)
            guard connection.paced != nil, !connection.isEstablished else { continue }
            try goOnOpening(connection, on: loop)
        }
        for connection in leaving where isFree(connection) { connection.movePaced(by: clock) }
        leaving.removeAll { $0.paced?.isGone ?? true }
    }

    /// The connections in their turn, beginning after the last.
    private func turns(after last: UInt32) -> [UInt32] {
        let numbers = connections.keys.sorted()
        let first = numbers.firstIndex { $0 > last } ?? 0
        return Array(numbers[first...] + numbers[..<first])
    }

    /// Receives once on each connection, so that the machine hears of each once in a turn.
    private mutating func receiveWhatMay(by clock: MachineClock, on loop: borrowing EventLoop) {
        for number in turns(after: lastReceiver) {
            guard let connection = connections[number], connection.hasArrived, isFree(connection)
            else { continue }
            receive(on: connection, at: clock.now, on: loop)
        }
    }

    private mutating func receive(
        on connection: ProcessConnection, at now: Instant, on loop: borrowing EventLoop
    ) {
        let limit = network.allowance(.down, over: connection.interface, at: now)
        guard limit > 0 else { return }
        switch connection.receive(atMost: limit, at: now) {
        case .nothing: break
        case .bytes(let bytes):
            network.spend(bytes.count, .down, over: connection.interface, at: now)
            lastReceiver = connection.id.number
            news.append(.received(connection.id, [.bytes(bytes)]))
        case .end: lose(connection, .closedByPeer, on: loop)
        case .broken(let why): lose(connection, why, on: loop)
        }
    }

    /// Returns whether anything was sent.
    private mutating func sendInTurns(
        by clock: MachineClock, on loop: borrowing EventLoop
    ) -> Bool {
        var hasSent = false
        for number in turns(after: lastSender) {
            guard let connection = connections[number] else { continue }
            if connection.cut == .answeredByReset, connection.hasWork {
                lose(connection, .reset, on: loop)
            } else if isFree(connection), connection.hasWork {
                let count = send(on: connection, at: clock.now, on: loop)
                if count > 0 { hasSent = true }
            }
        }
        return hasSent
    }

    /// Returns the number of bytes sent.
    private mutating func send(
        on connection: ProcessConnection, at now: Instant, on loop: borrowing EventLoop
    ) -> Int {
        do throws(OutgoingData.Failure) {
            let count = try connection.send(
                atMost: network.allowance(.up, over: connection.interface, at: now))
            network.spend(count, .up, over: connection.interface, at: now)
            if count > 0 { lastSender = connection.id.number }
            return count
        } catch {
            switch error {
            case .broken(let why): lose(connection, why, on: loop)
            case .unreadable(let found): news.append(.unreadable(connection.id, found: found))
            }
            return 0
        }
    }

    private mutating func lose(
        _ connection: ProcessConnection, _ why: Disconnection, on loop: borrowing EventLoop
    ) {
        let end: ConnectionEnd =
            switch why {
            case .closedByPeer: .closed
            case .refused: .refused
            case .reset: .reset
            case .timedOut: .timedOut
            case .networkLost: .networkLost
            case .notFound: .notFound
            case .untrusted: .untrusted
            }
        self.end(connection, end, on: loop)
        news.append(.disconnected(connection.id, why))
    }

    private mutating func end(
        _ connection: ProcessConnection, _ why: ConnectionEnd, on loop: borrowing EventLoop
    ) {
        guard connections.removeValue(forKey: connection.id.number) != nil else { return }
        news.append(.ended(connection.id, why, transmitted: connection.transmitted))
        let isFree = isFree(connection)
        forget(connection, on: loop)
        connection.paced?.close()
        // No packet reaches a peer while the network is down, or from a server that is silent.
        if (!isFree || connection.paced != nil && why == .timedOut), let own = connection.own {
            news.append(.abandoned(connection.id, from: own))
        }
        if !isFree {
            abandoned.append(connection)
        } else if connection.paced != nil {
            leaving.append(connection)
        }
    }

    // MARK: The phone's network

    mutating func obey(
        _ order: NetworkOrder, on loop: borrowing EventLoop
    ) throws(SystemError) {
        let before = network.standing.status
        network.take(order.standing)
        // Reported before the ends of connections, which it causes.
        if let status = order.standing.status, status != before {
            news.append(.network(status))
        }
        for act in order.acts {
            switch act {
            case .end(let interface):
                for connection in connections(on: interface) {
                    connection.cut = .inSilence
                    lose(connection, .networkLost, on: loop)
                }
            case .cut(let interface, let answersByReset):
                for connection in connections(on: interface) {
                    connection.cut = answersByReset ? .answeredByReset : .inSilence
                }
            }
        }
        for connection in connections(on: nil) { try watch(connection, on: loop) }
        // Peers now hear of connections that were closed while the network was down.
        leaving += abandoned.filter { $0.paced != nil && isFree($0) }
        abandoned.removeAll { $0.cut == nil && network.isUp($0.interface) }
    }

    private func connections(on interface: UInt16?) -> [ProcessConnection] {
        connections.values.filter { interface == nil || $0.interface == interface }
            .sorted { $0.id.number < $1.id.number }
    }

    /// Whether data can pass.
    private func isFree(_ connection: ProcessConnection) -> Bool {
        connection.cut == nil && network.isUp(connection.interface)
    }

    /// Watches a connection while data can pass.
    private mutating func watch(
        _ connection: ProcessConnection, on loop: borrowing EventLoop
    ) throws(SystemError) {
        guard isFree(connection) else { return forget(connection, on: loop) }
        if connection.descriptor == nil, connection.paced == nil { dial(connection) }
        guard let number = connection.descriptor else { return }
        // Otherwise an end would be reported again and again.
        if connection.interest.isEmpty { return forget(connection, on: loop) }
        if connection.isWatched {
            try loop.change(number, as: connection.source, to: connection.interest)
        } else {
            try loop.watch(number, as: connection.source, for: connection.interest)
            connection.isWatched = true
        }
    }

    private func forget(_ connection: ProcessConnection, on loop: borrowing EventLoop) {
        guard connection.isWatched, let number = connection.descriptor else { return }
        loop.forget(number)
        connection.isWatched = false
    }

    private mutating func dial(_ connection: ProcessConnection) {
        let interface = network[connection.interface]
        do throws(SystemError) {
            try connection.dial(
                from: interface.address, port: interface.portalPort,
                isPaced: interface.downlinkBitsPerSecond != nil,
                securedBy: connection.account.usesTLS ? security : nil)
        } catch {
            // Without a route or a socket, the server counts as unreachable.
            connections[connection.id.number] = nil
            news.append(.disconnected(connection.id, .refused))
        }
    }
}

/// News of connections for the machine, the log and the parent.
enum SocketNews: Hashable, Sendable {
    case bound(ConnectionID, interface: UInt16)
    /// TCP is connected, and TLS begins.
    case securing(ConnectionID)
    /// `from` is the own address if the server is the peer.
    case connected(ConnectionID, from: SocketAddress?)
    case received(ConnectionID, [Segment])
    /// The total of its stream so far.
    case taken(ConnectionID, ByteCount)
    case unreadable(ConnectionID, found: SourceInspection)
    /// For the log only.
    case ended(ConnectionID, ConnectionEnd, transmitted: ByteCount)
    /// It is given up, and its peer does not know that.
    case abandoned(ConnectionID, from: SocketAddress)
    case disconnected(ConnectionID, Disconnection)
    case network(NetworkStatus)
}
