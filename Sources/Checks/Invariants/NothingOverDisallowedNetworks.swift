import Quantities
import RunLog

/// S13, of networks: "No byte over a disallowed interface."
/// A session opens no connection and sends no request over a network that it may not use (B13).
/// Bytes that the network stack already has may still leave. An app that knows that there is no
/// network opens no connection at all.
struct NothingOverDisallowedNetworks: Invariant {
    private(set) var watch = Watch()
    private var limits: [ItemName: NetworkLimits] = [:]
    private var cellular: Set<UInt16> = []
    /// The names of the interfaces, for messages.
    private var names: [UInt16: String] = [:]
    /// The latest state of the network, by the number of the phone.
    private var path: [UInt16: PathTerms] = [:]
    /// The session of each connection.
    private var owners: [ConnectionName: ItemName] = [:]
    private var connections: [ConnectionName: Connection] = [:]
    private var hasEvidence = false
    private(set) var evidence = Evidence<Clause>()
    /// Sessions with limits that have something to send.
    private var unfinished: Set<ItemName> = []
    /// Sessions that have ended. Their connections may last until the server has heard of it.
    private var ended: Set<ItemName> = []
    /// Connections of attempts that have ended. The network stack may still be closing them.
    private var released: Set<ConnectionName> = []
    /// Since when the app has known that there is no network.
    private var offline: Instant?
    /// Whether the app hears of a network. If its phone has only one, and never loses it, the log
    /// tells of other phones' networks alone.
    private var isTold = false
    /// Connections whose network has become one that their session may not use, and since when.
    private var forbidden: [ConnectionName: Instant] = [:]
    /// Whether the app is suspended, and cannot hear of a change of the network.
    private var isAsleep = false

    /// The longest time in which an engine gives up a connection.
    private static let patience = TimeSpan.seconds(1)

    private struct Connection: Sendable {
        var session: ItemName
        var interface: UInt16
    }

    var rule: String { "S13" }
    var statement: String { "no session uses a forbidden network, or connects without one" }

    mutating func read(_ event: RunEvent) {
        watch.step(to: event)
        if !forbidden.isEmpty { judgeOpenConnections(at: event.at) }
        switch event.fact {
        case .network(.interface(let number, let terms, _)):
            names[number] = terms.name
            if terms.isCellular { cellular.insert(number) }
        case .network(.path(let terms, let device)):
            path[device ?? 0] = terms
            let isCutOff = terms.interface == nil && !connections.isEmpty
            evidence.decides(.noNetwork, if: isCutOff)
            hasEvidence = hasEvidence || isCutOff
            offline = terms.interface == nil ? offline ?? event.at : nil
            weighOpenConnections(over: terms, at: event.at)
            // any order: each is counted by itself
            for session in unfinished { weigh(session, over: terms) }
        case .engine(.isLimited(let session, let limits)):
            self.limits[session] = limits
            if unfinished.insert(session).inserted {
                // any order: there is one path for the apps of a phone
                for terms in path.values { weigh(session, over: terms) }
            }
        case .engine(.moves(let session, _, let to, _)):
            if to.isTerminal { end(session) } else { ended.remove(session) }
            if to != .running { release(session) }
        case .engine(.fails(let session, _, _, _)): release(session)
        case .connection(.opening(let name, _, let item)):
            owners[name] = item
            judge(name, openingAt: event.at)
        case .connection(.bound(let name, let interface)):
            guard let session = owners[name] else { return }
            connections[name] = Connection(session: session, interface: interface)
            isTold = true
            judge(name, "opens")
        case .connection(.request(let name, _, _)):
            released.remove(name)
            judge(name, "asks")
        case .device(.appEntered(_, let stage, _)):
            isAsleep = stage == .suspended
            guard !isAsleep else { return }
            forbidden = forbidden.mapValues { _ in event.at }
            if offline != nil { offline = event.at }
        case .device(.appLaunched): isAsleep = false
        case .device(.appKilled(let launch, _)), .device(.appCrashed(let launch, _)):
            // any order: each is looked at by itself
            for name in connections.keys where name.launch == launch { forget(name) }
        case .connection(.ended(let name, _, _)):
            forget(name)
            owners[name] = nil
        default: break
        }
    }

    var reasonNotToJudge: String? { hasEvidence ? nil : "every session had a network it may use" }

    var clauses: [DecidedClause] { evidence.all }

    /// Leaves the connections of a session that has ended alone.
    private mutating func end(_ session: ItemName) {
        unfinished.remove(session)
        ended.insert(session)
        // any order: each is looked at by itself
        for (name, connection) in connections where connection.session == session {
            forbidden[name] = nil
        }
    }

    /// Leaves alone the connections of an attempt that has ended. Those whose network has become a
    /// forbidden one by then are still watched.
    private mutating func release(_ session: ItemName) {
        // any order: each is noted by itself
        for (name, connection) in connections where connection.session == session {
            released.insert(name)
        }
    }

    private mutating func forget(_ name: ConnectionName) {
        connections[name] = nil
        forbidden[name] = nil
        released.remove(name)
    }

    /// Counts a session that has something to send while the network is one that it may not use.
    private mutating func weigh(_ session: ItemName, over terms: PathTerms) {
        guard let interface = terms.interface, let limits = limits[session] else { return }
        if limits.contains(.noCellular), cellular.contains(interface) {
            evidence.decides(.cellular)
        } else if limits.contains(.noMetered), terms.isMetered {
            evidence.decides(.metered)
        } else if limits.contains(.noLowData), terms.isLowData {
            evidence.decides(.lowData)
        }
    }

    /// Returns why a connection may not be used; `nil` if it may.
    private func objection(to connection: Connection, over path: PathTerms?) -> String? {
        guard let limits = limits[connection.session] else { return nil }
        return if limits.contains(.noCellular), cellular.contains(connection.interface) {
            "over cellular"
        } else if limits.contains(.noMetered), path?.isMetered == true {
            "over a metered network"
        } else if limits.contains(.noLowData), path?.isLowData == true {
            "in low data mode"
        } else {
            nil
        }
    }

    /// Notes which connections of this network may go on after a change.
    private mutating func weighOpenConnections(over terms: PathTerms, at now: Instant) {
        // any order: each is looked at by itself
        for (name, connection) in connections
        where connection.interface == terms.interface && !ended.contains(connection.session) {
            let isForbidden = objection(to: connection, over: terms) != nil
            guard forbidden[name] != nil || !released.contains(name) else { continue }
            evidence.decides(.givenUp, if: isForbidden && forbidden[name] == nil)
            forbidden[name] = isForbidden ? forbidden[name] ?? now : nil
        }
    }

    /// A body that goes on over a network which has become forbidden needs no new request.
    private mutating func judgeOpenConnections(at now: Instant) {
        let overdue = forbidden.filter { name, since in
            now > since + Self.patience && (name.launch == 0 || !isAsleep)
        }
        let first = overdue.keys.min { ($0.launch, $0.number) < ($1.launch, $1.number) }
        guard let first, let connection = connections[first],
            let objection = objection(to: connection, over: over(connection.interface))
        else { return }
        watch.fall(
            expected: "\(connection.session) sends nothing \(objection)",
            seen: "\(first) is still open \(Self.patience) after the network has changed")
    }

    /// Judges a new connection: an app that was told that it has no network waits for one.
    private mutating func judge(_ name: ConnectionName, openingAt now: Instant) {
        guard let offline, isTold else { return }
        hasEvidence = true
        guard now > offline + Self.patience else { return }
        watch.fall(
            expected: "nothing connects while there is no network, which the app has known since "
                + "\(offline)",
            seen: "\(name) opens")
    }

    /// The path over an interface.
    private func over(_ interface: UInt16) -> PathTerms? {
        // any order: only one phone's path has this interface
        path.values.first { $0.interface == interface }
    }

    private mutating func judge(_ name: ConnectionName, _ verb: String) {
        guard let connection = connections[name], limits[connection.session] != nil
        else { return }
        hasEvidence = true
        let path = over(connection.interface)
        guard let objection = objection(to: connection, over: path) else { return }
        watch.fall(
            expected: "\(connection.session) sends nothing \(objection)",
            seen: "\(name) \(verb) on interface \(connection.interface)"
                + (names[connection.interface].map { ", which is \($0)" } ?? ""))
    }
}

extension NothingOverDisallowedNetworks {
    /// The first three are decided when an unfinished session meets a network that it may not use.
    enum Clause: String, ClauseName {
        case cellular = "not over cellular"
        case metered = "not over a metered network"
        case lowData = "not in low data mode"
        /// Decided by an open connection whose network becomes forbidden: its body could go on.
        case givenUp = "connection given up"
        /// Decided by an app that has connections when it is told that it has no network.
        case noNetwork = "no network"

        var sentence: String {
            switch self {
            case .cellular: "a session that may not use cellular waits for another network"
            case .metered: "a session that may not use a metered network waits for another one"
            case .lowData: "a session that respects low data mode waits for its end"
            case .noNetwork: "an app that has no network waits for one"
            case .givenUp: "a connection ends when its network becomes one that it may not use"
            }
        }
    }
}
