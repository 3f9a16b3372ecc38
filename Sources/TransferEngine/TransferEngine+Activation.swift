import Quantities

/// An activation of a session from its turn to its end: the outer two spans of A1's grammar.
extension TransferEngine {
    /// Gives the first waiting session its turn (A3); nothing while one is active, the queue
    /// stands, or the time in the background is up.
    mutating func activateNext(at now: Instant, into outputs: inout [EngineOutput]) {
        guard isQueueRunning, active == nil, !background.isTimeUp,
            let index = sessions.firstIndex(where: { $0.state == .waiting }),
            obstacle(to: index) == nil
        else { return }
        let id = sessions[index].id
        move(index, .itsTurn, because: "its turn", into: &outputs)
        persist(index, into: &outputs)
        outputs.append(.callback(id, .willActivate))
        outputs.append(.callback(id, .didActivate))
        active = ActiveSession(id: id, index: index, phase: .connecting)
        beginAttempt(at: now, into: &outputs)
    }

    mutating func beginAttempt(at now: Instant, into outputs: inout [EngineOutput]) {
        guard var current = active else { return }
        let record = sessions[current.index]
        let connection = nextConnection()
        outputs.append(.note(.attempt(record.id, number: record.failures + 1)))
        outputs.append(.callback(record.id, .willStartRunning))
        outputs.append(.connect(connection, to: record.account))
        current.phase = .connecting
        current.askedToWait = .zero
        current.connection = ActiveSession.Connection(
            id: connection, interface: network?.interface,
            isCellular: network?.isCellular ?? false, lastActivity: now)
        active = current
    }

    mutating func connected(
        _ id: ConnectionID, at now: Instant, into outputs: inout [EngineOutput]
    ) {
        guard let current = active, current.connection?.id == id else { return }
        active?.connection?.isEstablished = true
        active?.connection?.lastActivity = now
        outputs.append(.callback(current.id, .didStartRunning))
        beginNextFile(at: now, into: &outputs)
    }

    mutating func disconnected(
        _ id: ConnectionID, _ why: Disconnection, at now: Instant,
        into outputs: inout [EngineOutput]
    ) {
        guard let connection = active?.connection, connection.id == id else { return }
        if why == .networkLost {
            return networkLost(
                wasEstablished: connection.isEstablished, at: now, into: &outputs)
        }
        let error: TransferError =
            switch (why, connection.isEstablished) {
            case (.closedByPeer, true): .peerEndedSession
            case (.timedOut, false): .connectionTimeout
            case (.refused, _), (.reset, false), (.closedByPeer, false): .connectionFailed
            case (.reset, true), (.timedOut, true), (.networkLost, _): .connectionLost
            }
        active?.connection = nil
        fail(error, wasEstablished: connection.isEstablished, at: now, into: &outputs)
    }

    mutating func wake(at now: Instant, into outputs: inout [EngineOutput]) {
        guard let current = active else { return }
        if case .pausing(let until) = current.phase {
            guard now >= until else { return }
            guard obstacle(to: current.index) == nil else {
                active?.phase = .waitingForNetwork
                return
            }
            move(current.index, .pauseOver, because: "the pause is over", into: &outputs)
            beginAttempt(at: now, into: &outputs)
        } else if let connection = current.connection,
            now >= connection.lastActivity + Self.stallLimit
        {
            fail(connection.isEstablished ? .stalled : .connectionTimeout, at: now, into: &outputs)
        }
    }

    /// Every file has arrived: the end becomes durable first, then the app hears of it.
    mutating func finish(into outputs: inout [EngineOutput]) {
        guard let current = active else { return }
        stopRunning(into: &outputs)
        move(current.index, .finished, because: "every file has arrived", into: &outputs)
        let ticket = persist(current.index, into: &outputs)
        active?.phase = .settling(ticket, .completed)
    }

    /// An attempt has met an error: it is slept off while the budget lasts, or ends the activation.
    mutating func fail(_ error: TransferError, at now: Instant, into outputs: inout [EngineOutput])
    {
        let wasEstablished = active?.connection?.isEstablished ?? false
        fail(error, wasEstablished: wasEstablished, at: now, into: &outputs)
    }

    private mutating func fail(
        _ error: TransferError, wasEstablished: Bool, at now: Instant,
        into outputs: inout [EngineOutput]
    ) {
        guard let current = active else { return }
        sessions[current.index].failures += 1
        let failures = sessions[current.index].failures
        let pause =
            error.isRetryable
            ? self.pause(afterFailures: failures).map { max($0, current.askedToWait) } : nil
        outputs.append(.note(.fails(current.id, error, retryIn: pause)))
        stopRunning(wasEstablished: wasEstablished, into: &outputs)
        guard let pause else {
            move(current.index, .fatalError, because: error.message, into: &outputs)
            let ticket = persist(current.index, into: &outputs)
            active?.phase = .settling(ticket, .failed(error))
            return
        }
        move(current.index, .retryableError, because: error.message, into: &outputs)
        persist(current.index, into: &outputs)
        active?.phase = .pausing(until: now + pause)
    }

    /// The inner spans end; without a connection there was only willStartRunning to answer (A2).
    mutating func stopRunning(
        wasEstablished: Bool = true, into outputs: inout [EngineOutput]
    ) {
        guard let current = active else { return }
        if let file = current.openFile {
            let name = sessions[current.index].transfers[file].source
            outputs.append(.callback(current.id, .didStopFile(name: name)))
        }
        if wasEstablished { outputs.append(.callback(current.id, .willStopRunning)) }
        if let connection = current.connection { outputs.append(.close(connection.id)) }
        outputs.append(.callback(current.id, .didStopRunning))
        active?.connection = nil
        active?.openFile = nil
    }

    mutating func persisted(
        _ ticket: PersistTicket, at now: Instant, into outputs: inout [EngineOutput]
    ) {
        guard let current = active else { return }
        switch current.phase {
        case .saving(ticket, let next): proceed(with: next, at: now, into: &outputs)
        case .settling(ticket, let result): deactivate(current.id, result, into: &outputs)
        case .saving, .settling, .connecting, .inspecting, .asking, .sending, .pausing,
            .waitingForNetwork:
            break
        }
    }

    mutating func persistFailed(
        _ ticket: PersistTicket, reason: String, at now: Instant,
        into outputs: inout [EngineOutput]
    ) {
        outputs.append(.note(.storeFailed(reason: reason)))
        guard let current = active else { return }
        switch current.phase {
        case .saving(ticket, _): fail(.diskWrite, at: now, into: &outputs)
        // What is done is done: the app hears it even if the store cannot keep it.
        case .settling(ticket, let result): deactivate(current.id, result, into: &outputs)
        case .saving, .settling, .connecting, .inspecting, .asking, .sending, .pausing,
            .waitingForNetwork:
            break
        }
    }

    private mutating func deactivate(
        _ id: SessionID, _ result: SessionResult, into outputs: inout [EngineOutput]
    ) {
        outputs.append(.callback(id, .willDeactivate))
        outputs.append(.callback(id, .didDeactivate(result)))
        active = nil
    }
}
