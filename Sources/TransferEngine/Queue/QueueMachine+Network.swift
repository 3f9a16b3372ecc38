import Quantities

/// Changes of the device's network (B13). A session that may not use the network waits until it
/// may. That is no failure, and spends no budget.
extension QueueMachine {
    mutating func networkChanged(
        in turn: inout Turn
    ) {
        guard let current = active else { return }
        if case .waitingForNetwork = current.phase {
            goOnAfterNetwork(in: &turn)
        } else if let attempt = current.attempt,
            !mayGoOn(attempt, current.id, over: turn.process.network)
        {
            // Even a farewell would go over a network that is not allowed.
            stopRunning(atOnce: true, in: &turn)
            interrupt(
                because: "its network is no longer the one to use", in: &turn)
        }
    }

    /// Why a session cannot begin or go on. `nil` if it can, or is paused and needs no network.
    func obstacle(to id: SessionID, over network: NetworkStatus?) -> String? {
        switch sessions[id].state {
        case .paused, .preemptedPaused: nil
        case .waiting, .running, .retrying, .preempted, .cancelled, .failed, .completed:
            sessions[id].limits.obstacle(in: network)
        }
    }

    /// Notes which session waits for a network and why, unless that was noted last.
    mutating func noteWaiting(
        in turn: inout Turn
    ) {
        guard turn.process.network != nil else { return }
        var waiting: NetworkWait?
        if let id = nextToRun(at: turn.now),
            let obstacle = obstacle(to: id, over: turn.process.network)
        {
            waiting = NetworkWait(session: id, because: obstacle)
        }
        guard waiting != notedWait else { return }
        for wait in [notedWait, waiting].compactMap(\.self) where sessions.holds(wait.session) {
            sessions.touch(wait.session)
        }
        notedWait = waiting
        guard let waiting else { return }
        turn.note(.engine(.waitsForNetwork(waiting.session.name, because: waiting.because)))
    }

    private mutating func nextToRun(at now: Instant) -> SessionID? {
        guard mode == .running else { return nil }
        guard let active else { return nextTurn(at: now) }
        if case .waitingForNetwork = active.phase { return active.id }
        return nil
    }

    private func mayGoOn(
        _ attempt: Attempt, _ id: SessionID, over network: NetworkStatus?
    ) -> Bool {
        attempt.places.allSatisfy { mayGoOn(attempt[$0].lane, id, over: network) }
    }

    private func mayGoOn(_ lane: Lane, _ id: SessionID, over network: NetworkStatus?) -> Bool {
        guard let network, let interface = lane.interface else { return true }
        guard network.alive.contains(interface) else { return false }
        // Wi-Fi is preferred, also for transfers that began without it.
        if lane.isCellular, network.interface != nil, !network.isCellular { return false }
        // A connection on another interface that still works was allowed when it was opened.
        return interface != network.interface || obstacle(to: id, over: network) == nil
    }

    mutating func interrupt(
        because: String, in turn: inout Turn
    ) {
        guard let current = active else { return }
        move(current.id, .networkLost, because: because, in: &turn)
        turn.persist(.put(sessions[current.id]))
        active?.phase = .waitingForNetwork
        goOnAfterNetwork(in: &turn)
    }

    private mutating func goOnAfterNetwork(
        in turn: inout Turn
    ) {
        guard let current = active, obstacle(to: current.id, over: turn.process.network) == nil
        else { return }
        move(current.id, .pauseOver, because: "there is a network", in: &turn)
        beginAttempt(of: current.id, in: &turn)
    }
}

/// A session that waits for a network that it may use.
struct NetworkWait: Hashable, Sendable {
    var session: SessionID
    var because: String
}
