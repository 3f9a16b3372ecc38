import Quantities
import RunLog

/// Knows which of the server's connections is which of the apps', by the client's end of it, so
/// that the server can tell how much a connection had sent whose process is dead.
struct ConnectionRoll {
    /// How a connection came to its end whose process is dead.
    struct DeadEnd: Hashable {
        /// Whose events those of the connection are.
        var app: UInt16?
        var fact: ConnectionFact
    }

    private var clients: [ConnectionName: SocketAddress] = [:]
    private var owners: [ConnectionName: UInt16] = [:]
    /// Every end that has been told.
    private var known: Set<SocketAddress> = []
    private var ended: Set<ConnectionName> = []
    /// The dead, by their ends.
    private var awaited: [SocketAddress: ConnectionName] = [:]
    private var serverEnds: [SocketAddress: LiveServerHost.End] = [:]
    /// Those that will never be heard again, whatever the server hopes.
    private(set) var lost: Set<SocketAddress> = []
    /// Sessions that keep their connections open, and those that stand.
    private var persistent: Set<ItemName> = []
    private var kept: Set<ConnectionName> = []

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

    /// The process of this launch is gone, and its sockets with it.
    mutating func appDied(launch: UInt32) { died { $0.launch == launch } }

    /// The transfer daemon of a phone is gone, whose connections have these numbers.
    mutating func daemonDied(_ numbers: ClosedRange<UInt32>) {
        died { $0.launch == 0 && numbers.contains($0.number) }
    }

    private mutating func died(_ isGone: (ConnectionName) -> Bool) {
        for (name, client) in clients where isGone(name) {
            if !ended.contains(name) { awaited[client] = name }
            lost.remove(client)
        }
        clients = clients.filter { !isGone($0.key) }
    }

    mutating func serverSaw(_ ends: [LiveServerHost.End]) {
        for end in ends { serverEnds[end.client] = end }
    }

    /// The ends of dead connections that are known by now.
    ///
    /// One that was reset says nothing: nobody knows what was under way.
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

    /// The server need not wait for these: nobody hears it there, or somebody keeps them open, and
    /// knows whether anything is left to do.
    var unimportant: Set<SocketAddress> {
        // any order: it is a set
        lost.union(kept.compactMap { clients[$0] })
    }

    /// No connection of a dead process is still open.
    var isSettled: Bool { awaited.isEmpty }
}
