import Quantities
import RunLog

/// Knows which of the server's connections is which of the apps', by the client's end of it, so
/// that the server can tell how much a connection had sent whose process is dead.
struct ConnectionRoll {
    private var clients: [ConnectionName: SocketAddress] = [:]
    /// Every end that has been told.
    private var known: Set<SocketAddress> = []
    private var ended: Set<ConnectionName> = []
    /// The dead, by their ends.
    private var awaited: [SocketAddress: ConnectionName] = [:]
    private var serverEnds: [SocketAddress: LiveServerHost.End] = [:]
    /// Those that will never be heard again, whatever the server hopes.
    private(set) var lost: Set<SocketAddress> = []

    /// An app's connection stands, and this is its end of it.
    mutating func stands(_ name: ConnectionName, from client: SocketAddress) {
        clients[name] = client
        // What the server saw end there was an earlier one, if there was one; else it is this.
        if !known.insert(client).inserted { serverEnds[client] = nil }
        lost.remove(client)
    }

    /// An app has let a connection go without its peer hearing of it.
    mutating func abandoned(_ name: ConnectionName) {
        if let client = clients[name] { lost.insert(client) }
    }

    mutating func read(_ event: RunEvent) {
        if case .connection(.ended(let name, _, _)) = event.fact { ended.insert(name) }
    }

    /// The process of this launch is gone, and its sockets with it.
    mutating func appDied(launch: UInt32) {
        for (name, client) in clients where name.launch == launch {
            if !ended.contains(name) { awaited[client] = name }
            lost.remove(client)
        }
        clients = clients.filter { $0.key.launch != launch }
    }

    mutating func serverSaw(_ ends: [LiveServerHost.End]) {
        for end in ends { serverEnds[end.client] = end }
    }

    /// The ends of dead connections that are known by now.
    ///
    /// One that was reset says nothing: nobody knows what was under way.
    mutating func takeEnds() -> [ConnectionFact] {
        // any order: they are sorted by their names
        let known = awaited.filter { serverEnds[$0.key] != nil }
        let named = known.sorted {
            ($0.value.launch, $0.value.number) < ($1.value.launch, $1.value.number)
        }
        return named.compactMap { client, name in
            awaited[client] = nil
            guard let end = serverEnds.removeValue(forKey: client), end.isWhole else { return nil }
            return .ended(name, why: .processDied, transmitted: end.received)
        }
    }

    /// No connection of a dead process is still open.
    var isSettled: Bool { awaited.isEmpty }
}
