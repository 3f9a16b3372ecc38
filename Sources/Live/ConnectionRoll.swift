import Quantities
import RunLog
import TransferHost

/// Matches the server's connections with the apps' by the client's address. After an app's process
/// died, the server tells how much its connection had sent.
struct ConnectionRoll {
    /// The end of a connection whose process is dead.
    struct DeadEnd: Hashable {
        /// App number for the log.
        var app: UInt16?
        var fact: ConnectionFact
    }

    private var clients: [ConnectionName: SocketAddress] = [:]
    private var owners: [ConnectionName: UInt16] = [:]
    /// Every client address seen so far.
    private var known: Set<SocketAddress> = []
    private var ended: Set<ConnectionName> = []
    /// Connections of dead processes, by their client addresses.
    private var awaited: [SocketAddress: ConnectionName] = [:]
    private var serverEnds: [SocketAddress: LiveServerHost.End] = [:]
    /// Connections that the server will never hear of again.
    private(set) var lost: Set<SocketAddress> = []
    /// Clients of the paced transport that died without a word to the server.
    private var silent: Set<SocketAddress> = []
    /// Sessions that keep their connections open, and these connections.
    private var persistent: Set<ItemName> = []
    private var kept: Set<ConnectionName> = []

    /// Notes a new connection and its client address.
    mutating func stands(_ name: ConnectionName, from client: SocketAddress) {
        clients[name] = client
        // An end that the server saw before belongs to an earlier connection from this address, if
        // there was one.
        if !known.insert(client).inserted { serverEnds[client] = nil }
        lost.remove(client)
        silent.remove(client)
    }

    /// Notes that an app gave up a connection without telling its peer.
    mutating func abandoned(_ name: ConnectionName, from client: SocketAddress) {
        if clients[name] == nil { stands(name, from: client) }
        lost.insert(client)
    }

    mutating func read(_ event: RunEvent) {
        switch event.fact {
        case .engine(.isPersistent(let session)): persistent.insert(session)
        case .connection(.opening(let name, _, let item)):
            owners[name] = event.app
            if let item, persistent.contains(item) { kept.insert(name) }
        case .connection(.ended(let name, _, _)):
            ended.insert(name)
            kept.remove(name)
        default: break
        }
    }

    /// Notes that the process of a launch is dead.
    mutating func appDied(launch: UInt32) { died { $0.launch == launch } }

    /// Notes that a transfer daemon is dead, which owned these connection numbers.
    mutating func daemonDied(_ numbers: ClosedRange<UInt32>) {
        died { $0.launch == 0 && numbers.contains($0.number) }
    }

    private mutating func died(_ isGone: (ConnectionName) -> Bool) {
        for (name, client) in clients where isGone(name) {
            if !ended.contains(name) { awaited[client] = name }
            lost.remove(client)
            if client.isOfDatagrams { silent.insert(client) }
        }
        clients = clients.filter { !isGone($0.key) }
    }

    /// Clients of the paced transport whose process is dead, which no system tells the server.
    var silenced: [SocketAddress] {
        awaited.keys.filter { $0.isOfDatagrams && serverEnds[$0] == nil }
            .sorted { ($0.port, $0.channel) < ($1.port, $1.channel) }
    }

    mutating func serverSaw(_ ends: [LiveServerHost.End]) {
        for end in ends { serverEnds[end.client] = end }
    }

    /// Returns the ends of dead connections that are known by now. A reset connection has none:
    /// nobody knows how much was in flight.
    mutating func takeEnds() -> [DeadEnd] {
        // any order: they are sorted by their names
        let known = awaited.filter { serverEnds[$0.key] != nil }
        let named = known.sorted {
            ($0.value.launch, $0.value.number) < ($1.value.launch, $1.value.number)
        }
        return named.compactMap { client, name in
            awaited[client] = nil
            guard let end = serverEnds.removeValue(forKey: client), end.isWhole else { return nil }
            return DeadEnd(
                app: owners[name],
                fact: .ended(name, why: .processDied, transmitted: end.received))
        }
    }

    /// Clients that the server need not wait for: lost and silent ones, and those that keep idle
    /// connections open.
    var unimportant: Set<SocketAddress> {
        // any order: it is a set
        lost.union(silent).union(kept.compactMap { clients[$0] })
    }

    /// Whether no connection of a dead process is still open.
    var isSettled: Bool { awaited.isEmpty }
}
