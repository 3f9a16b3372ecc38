import Quantities
import RunLog

/// Knows which of the server's connections is which of the app's, so that the server can tell how
/// much a connection had sent whose process is dead.
///
/// A listener takes connections in the order in which they were established.
struct ConnectionRoll {
    /// Of the current launch, in the order in which they were established.
    private var established: [ConnectionName] = []
    private var ended: Set<ConnectionName> = []
    /// How many connections the server had taken when the current launch began.
    private var takenBefore: UInt32 = 0
    /// The dead, by the number of the server's connection.
    private var awaited: [UInt32: ConnectionName] = [:]
    private var serverEnds: [UInt32: LiveServerHost.End] = [:]

    mutating func appLaunched(serverHasTaken count: UInt32) {
        established = []
        takenBefore = count
    }

    mutating func read(_ event: RunEvent) {
        switch event.fact {
        case .connection(.established(let name)): established.append(name)
        case .connection(.ended(let name, _, _)): ended.insert(name)
        default: break
        }
    }

    mutating func appDied() {
        for (index, name) in established.enumerated() where !ended.contains(name) {
            awaited[takenBefore + UInt32(index) + 1] = name
        }
    }

    mutating func serverSaw(_ ends: [LiveServerHost.End]) {
        for end in ends { serverEnds[end.connection] = end }
    }

    /// The ends of dead connections that are known by now.
    ///
    /// One that was reset says nothing: nobody knows what was under way.
    mutating func takeEnds() -> [ConnectionFact] {
        awaited.keys.sorted().compactMap { number in
            guard let end = serverEnds[number], let name = awaited.removeValue(forKey: number),
                end.isWhole
            else { return nil }
            return .ended(name, why: .processDied, transmitted: end.received)
        }
    }

    /// No connection of a dead process is still open.
    var isSettled: Bool { awaited.isEmpty }
}
