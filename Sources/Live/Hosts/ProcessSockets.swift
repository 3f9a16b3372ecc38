import Content
import Quantities
import RunLog
import TransferEngine

/// The connections of a process on a phone, be it an app's or the daemon's: each is on an
/// interface of the phone, and shares with the others what that can carry.
///
/// Call a verb, then take the news of it.
struct ProcessSockets {
    private(set) var network: ProcessNetwork
    private var connections: [UInt32: ProcessConnection] = [:]
    /// Those that are over here, and whose peers must not hear of it.
    private var abandoned: [ProcessConnection] = []
    private var news: [SocketNews] = []
    private let disk: SharedDisk?
    /// Who has sent last, and who has received: the next one is the first to do so again.
    private var lastSender: UInt32 = 0
    private var lastReceiver: UInt32 = 0

    /// The files that are sent are on a disk.
    init(_ standing: NetworkStanding, readingFrom disk: SharedDisk? = nil, at now: Instant) {
        self.disk = disk
        network = ProcessNetwork(standing, at: now)
    }

    // MARK: What the machine wants

    /// Files that are sent on it are read from below a folder.
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

    func write(_ pieces: [OutgoingPiece], to id: ConnectionID) {
        connections[id.number]?.write(pieces)
    }

    mutating func close(_ id: ConnectionID, on loop: borrowing EventLoop) {
        if let connection = connections[id.number] { end(connection, .closed, on: loop) }
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
        guard let connection = connections[ready.source.number], connection.isWatched else {
            return
        }
        guard connection.isEstablished else {
            if let error = connection.connectionError {
                lose(connection, error, on: loop)
            } else if let own = connection.own {
                connection.established()
                news.append(
                    .connected(connection.id, from: connection.isAtServer ? own : nil))
                try watch(connection, on: loop)
            }
            return
        }
        if ready.isWritable { connection.roomAgain() }
        if ready.isReadable {
            connection.hasArrived = true
            try watch(connection, on: loop)
        }
    }

    /// When it is worth going on; `nil` while nothing waits but for the peer.
    func deadline(at now: Instant) -> Instant? {
        connections.values.filter(isFree).flatMap { connection in
            [
                connection.hasWork
                    ? network.nextAllowance(.up, over: connection.interface, at: now) : nil,
                connection.hasArrived
                    ? network.nextAllowance(.down, over: connection.interface, at: now) : nil,
            ].compactMap(\.self)
        }.min()
    }

    /// One uplink for all connections on it, and one downlink: each sends and receives a little, in
    /// turns.
    mutating func moveWhatMay(
        by clock: RunClock, on loop: borrowing EventLoop
    ) throws(SystemError) {
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

    /// Who comes after the last one is the first.
    private func turns(after last: UInt32) -> [UInt32] {
        let numbers = connections.keys.sorted()
        let first = numbers.firstIndex { $0 > last } ?? 0
        return Array(numbers[first...] + numbers[..<first])
    }

    /// What has come from the peers, so that the machine hears each once in a turn.
    private mutating func receiveWhatMay(by clock: RunClock, on loop: borrowing EventLoop) {
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
        switch connection.receive(atMost: limit) {
        case .nothing: break
        case .bytes(let bytes):
            network.spend(bytes.count, .down, over: connection.interface, at: now)
            lastReceiver = connection.id.number
            news.append(.received(connection.id, [.bytes(bytes)]))
        case .end: lose(connection, .closedByPeer, on: loop)
        case .broken(let why): lose(connection, why, on: loop)
        }
    }

    /// Whether somebody has sent something.
    private mutating func sendInTurns(
        by clock: RunClock, on loop: borrowing EventLoop
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

    /// How many bytes it has sent.
    private mutating func send(
        on connection: ProcessConnection, at now: Instant, on loop: borrowing EventLoop
    ) -> Int {
        do throws(ProcessConnection.Failure) {
            let count = try connection.send(
                atMost: network.allowance(.up, over: connection.interface, at: now))
            network.spend(count, .up, over: connection.interface, at: now)
            if count > 0 { lastSender = connection.id.number }
            return count
        } catch {
            switch error {
            case .broken(let why): lose(connection, why, on: loop)
            case .unreadable: news.append(.unreadable(connection.id))
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
        // No farewell reaches a peer through a network that is not there.
        guard !isFree, connection.descriptor != nil else { return }
        abandoned.append(connection)
        news.append(.abandoned(connection.id))
    }

    // MARK: The phone's network

    mutating func obey(
        _ order: NetworkOrder, on loop: borrowing EventLoop
    ) throws(SystemError) {
        let before = network.standing.status
        network.take(order.standing)
        // Known before the ends of connections, which are its consequence.
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
        // What was closed while the network was away is heard of at last.
        abandoned.removeAll { $0.cut == nil && network.isUp($0.interface) }
    }

    private func connections(on interface: UInt16?) -> [ProcessConnection] {
        connections.values.filter { interface == nil || $0.interface == interface }
            .sorted { $0.id.number < $1.id.number }
    }

    /// Whether anything passes on it.
    private func isFree(_ connection: ProcessConnection) -> Bool {
        connection.cut == nil && network.isUp(connection.interface)
    }

    /// Hears of it what there is to hear: nothing of one on which nothing passes.
    private mutating func watch(
        _ connection: ProcessConnection, on loop: borrowing EventLoop
    ) throws(SystemError) {
        guard isFree(connection) else { return forget(connection, on: loop) }
        if connection.descriptor == nil { dial(connection) }
        guard let number = connection.descriptor else { return }
        // An end would be heard of again and again, although nobody may look at it yet.
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
                isPaced: interface.downlinkBitsPerSecond != nil)
        } catch {
            // No route, no socket left: for the machine it is a server that cannot be reached.
            connections[connection.id.number] = nil
            news.append(.disconnected(connection.id, .refused))
        }
    }
}

/// What becomes of the connections of a process: for its machine, for the log and for its parent.
enum SocketNews: Hashable, Sendable {
    case bound(ConnectionID, interface: UInt16)
    /// `from` is this end of it, where the other one is the server.
    case connected(ConnectionID, from: SocketAddress?)
    case received(ConnectionID, [Segment])
    /// So much of its stream in all.
    case taken(ConnectionID, ByteCount)
    case unreadable(ConnectionID)
    /// The log alone hears of it.
    case ended(ConnectionID, ConnectionEnd, transmitted: ByteCount)
    /// Nothing will come of it any more, and its peer does not know it.
    case abandoned(ConnectionID)
    case disconnected(ConnectionID, Disconnection)
    case network(NetworkStatus)
}
