import Content
import Quantities
import Recording
import RunLog
import TransferEngine

/// The app's connections: each is on an interface of its phone, and shares what that can send.
extension LiveAppHost {
    func connect(_ id: ConnectionID, to account: Account) throws {
        let interface = network.route.number
        let connection = AppConnection(id: id, over: interface, to: account)
        connections[id.number] = connection
        if network.standing.status != nil {
            let name = ConnectionName(launch: orders.launch, number: id.number)
            log.record(
                .connection(.bound(name, interface: interface)), at: clock.now, app: self.name)
        }
        try watch(connection)
    }

    func serve(_ ready: EventLoop.Ready) throws {
        guard let connection = connections[ready.source.number], connection.isWatched else {
            return
        }
        guard connection.isEstablished else {
            if let error = connection.connectionError {
                try lose(connection, error)
            } else if let own = connection.own {
                connection.established()
                if connection.isAtServer {
                    try pipe.ask(.connected(connection.id.number, from: own))
                }
                inbox.append(.connected(connection.id))
                try watch(connection)
            }
            return
        }
        if ready.isWritable { connection.roomAgain() }
        if ready.isReadable { try receive(on: connection) }
    }

    private func receive(on connection: AppConnection) throws {
        switch connection.receive() {
        case .nothing: break
        case .bytes(let bytes): inbox.append(.received(connection.id, [.bytes(bytes)]))
        case .end: try lose(connection, .closedByPeer)
        case .broken(let why): try lose(connection, why)
        }
    }

    /// When it is worth sending on; `nil` while nothing waits but for the peer.
    var sendingDeadline: Instant? {
        let now = clock.now
        return connections.values.filter { $0.hasWork && isFree($0) }
            .map { network.nextAllowance(over: $0.interface, at: now) }.min()
    }

    /// One uplink for all connections on it, the oldest first.
    func sendWhatMay() throws {
        for number in connections.keys.sorted() {
            guard let connection = connections[number] else { continue }
            if connection.cut == .answeredByReset, connection.hasWork {
                try lose(connection, .reset)
            } else if isFree(connection) {
                try send(on: connection)
            }
        }
    }

    private func send(on connection: AppConnection) throws {
        let before = connection.taken
        do throws(AppConnection.Failure) {
            while connection.hasWork {
                let now = clock.now
                let count = try connection.send(
                    atMost: network.allowance(over: connection.interface, at: now),
                    from: orders.container)
                if count == 0 { break }
                network.spend(count, over: connection.interface, at: now)
            }
        } catch {
            switch error {
            case .broken(let why): return try lose(connection, why)
            case .unreadable: return inbox.append(.unreadable(connection.id))
            }
        }
        if connection.taken > before {
            inbox.append(.taken(connection.id, connection.taken))
        }
        try watch(connection)
    }

    private func lose(_ connection: AppConnection, _ why: Disconnection) throws {
        let end: ConnectionEnd =
            switch why {
            case .closedByPeer: .closed
            case .refused: .refused
            case .reset: .reset
            case .timedOut: .timedOut
            case .networkLost: .networkLost
            }
        try self.end(connection, end)
        inbox.append(.disconnected(connection.id, why))
    }

    func close(_ connection: AppConnection) throws { try end(connection, .closed) }

    private func end(_ connection: AppConnection, _ why: ConnectionEnd) throws {
        guard connections.removeValue(forKey: connection.id.number) != nil else { return }
        recorder.record(
            end: why, of: connection.id, transmitted: connection.transmitted, at: clock.now,
            into: &log)
        let isFree = isFree(connection)
        forget(connection)
        // No farewell reaches a peer through a network that is not there.
        guard !isFree, connection.descriptor != nil else { return }
        abandoned.append(connection)
        try pipe.ask(.abandoned(connection.id.number))
    }

    // MARK: The phone's network

    func obey(_ order: NetworkOrder) throws {
        let before = network.standing.status
        network.take(order.standing)
        // Known before the ends of connections, which are its consequence.
        if let status = order.standing.status, status != before {
            inbox.append(.network(status))
        }
        for act in order.acts {
            switch act {
            case .end(let interface):
                for connection in connections(on: interface) {
                    connection.cut = .inSilence
                    try lose(connection, .networkLost)
                }
            case .cut(let interface, let answersByReset):
                for connection in connections(on: interface) {
                    connection.cut = answersByReset ? .answeredByReset : .inSilence
                }
            }
        }
        for connection in connections(on: nil) { try watch(connection) }
        // What was closed while the network was away is heard of at last.
        abandoned.removeAll { $0.cut == nil && network.isUp($0.interface) }
    }

    private func connections(on interface: UInt16?) -> [AppConnection] {
        connections.values.filter { interface == nil || $0.interface == interface }
            .sorted { $0.id.number < $1.id.number }
    }

    /// Whether anything passes on it.
    private func isFree(_ connection: AppConnection) -> Bool {
        connection.cut == nil && network.isUp(connection.interface)
    }

    /// Hears of it what there is to hear: nothing of one on which nothing passes.
    private func watch(_ connection: AppConnection) throws {
        guard isFree(connection) else { return forget(connection) }
        if connection.descriptor == nil { try dial(connection) }
        guard let number = connection.descriptor else { return }
        if connection.isWatched {
            try loop.change(number, as: connection.source, to: connection.interest)
        } else {
            try loop.watch(number, as: connection.source, for: connection.interest)
            connection.isWatched = true
        }
    }

    private func forget(_ connection: AppConnection) {
        guard connection.isWatched, let number = connection.descriptor else { return }
        loop.forget(number)
        connection.isWatched = false
    }

    private func dial(_ connection: AppConnection) throws {
        let interface = network[connection.interface]
        do throws(SystemError) {
            try connection.dial(from: interface.address, port: interface.portalPort)
        } catch {
            // No route, no socket left: for the engine it is a server that cannot be reached.
            connections[connection.id.number] = nil
            inbox.append(.disconnected(connection.id, .refused))
        }
    }
}
