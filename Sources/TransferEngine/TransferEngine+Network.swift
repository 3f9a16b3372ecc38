import Quantities

/// What the engine does when the device's way into the network changes (B13): a session that may
/// not use what there is waits, and goes on when it may. That is no failure, and spends no budget.
extension TransferEngine {
    mutating func changeNetwork(
        to status: NetworkStatus, at now: Instant, into outputs: inout [EngineOutput]
    ) {
        network = status
        guard let current = active else { return }
        if case .waitingForNetwork = current.phase {
            goOnAfterNetwork(at: now, into: &outputs)
        } else if let connection = current.connection, !mayGoOn(connection, current.index) {
            stopRunning(wasEstablished: connection.isEstablished, into: &outputs)
            interrupt(because: "its network is no longer the one to use", at: now, into: &outputs)
        }
    }

    /// The network of its connection is gone, and the connection with it.
    mutating func networkLost(
        wasEstablished: Bool, at now: Instant, into outputs: inout [EngineOutput]
    ) {
        active?.connection = nil
        stopRunning(wasEstablished: wasEstablished, into: &outputs)
        interrupt(because: "the network of its connection is gone", at: now, into: &outputs)
    }

    /// Why a session cannot begin or go on; `nil` if it can.
    func obstacle(to index: Int) -> String? { sessions[index].limits.obstacle(in: network) }

    /// Says which session would run if it had a network that it may use, and why it has not;
    /// again only if that is another one, or for another reason.
    mutating func noteWaiting(into outputs: inout [EngineOutput]) {
        var waiting: NetworkWait?
        if let index = nextToRun, let obstacle = obstacle(to: index) {
            waiting = NetworkWait(session: sessions[index].id, because: obstacle)
        }
        guard waiting != notedWait else { return }
        notedWait = waiting
        guard let waiting else { return }
        outputs.append(.note(.waitsForNetwork(waiting.session, because: waiting.because)))
    }

    private var nextToRun: Int? {
        guard isQueueRunning else { return nil }
        guard let active else { return sessions.firstIndex { $0.state == .waiting } }
        if case .waitingForNetwork = active.phase { return active.index }
        return nil
    }

    private func mayGoOn(_ connection: ActiveSession.Connection, _ index: Int) -> Bool {
        guard let network, let interface = connection.interface else { return true }
        guard network.alive.contains(interface) else { return false }
        // Wi-Fi is used where there is one, also by what was begun without it.
        if connection.isCellular, network.interface != nil, !network.isCellular { return false }
        // What goes on for a while beside another was allowed when it was used.
        return interface != network.interface || obstacle(to: index) == nil
    }

    private mutating func interrupt(
        because: String, at now: Instant, into outputs: inout [EngineOutput]
    ) {
        guard let current = active else { return }
        move(current.index, .networkLost, because: because, into: &outputs)
        persist(current.index, into: &outputs)
        active?.phase = .waitingForNetwork
        goOnAfterNetwork(at: now, into: &outputs)
    }

    private mutating func goOnAfterNetwork(at now: Instant, into outputs: inout [EngineOutput]) {
        guard let current = active, obstacle(to: current.index) == nil else { return }
        move(current.index, .pauseOver, because: "there is a network", into: &outputs)
        beginAttempt(at: now, into: &outputs)
    }
}

/// A session that has no network which it may use.
struct NetworkWait: Hashable, Sendable {
    var session: SessionID
    var because: String
}
