import Quantities

/// An activation of a session from its turn to its end: the outer two spans of A1's grammar.
extension QueueMachine {
    /// Gives the first waiting session its turn (A3); nothing while one is active, the queue
    /// stands, or the time in the background is up.
    mutating func activateNext(
        in process: inout ProcessState, at now: Instant, into outputs: inout [EngineOutput]
    ) {
        guard isRunning, active == nil, !process.background.isTimeUp,
            let index = sessions.firstIndex(where: { $0.state == .waiting }),
            obstacle(to: index, in: process) == nil
        else { return }
        let id = sessions[index].id
        move(index, .itsTurn, because: "its turn", into: &outputs)
        process.persist(.put(sessions[index]), into: &outputs)
        outputs.append(.callback(id, .willActivate))
        outputs.append(.callback(id, .didActivate))
        beginAttempt(of: index, in: &process, at: now, into: &outputs)
    }

    mutating func beginAttempt(
        of index: Int, in process: inout ProcessState, at now: Instant,
        into outputs: inout [EngineOutput]
    ) {
        let record = sessions[index]
        let connection = process.nextConnection()
        outputs.append(.note(.attempt(record.id, number: record.failures + 1)))
        outputs.append(.callback(record.id, .willStartRunning))
        outputs.append(.connect(connection, to: record.account, by: ItemID(record.id)))
        let lane = Lane(connection, to: record.account, over: process.network, at: now)
        active = ActiveSession(id: record.id, index: index, phase: .running(lane))
    }

    mutating func connected(
        _ id: ConnectionID, in process: inout ProcessState, at now: Instant,
        into outputs: inout [EngineOutput]
    ) {
        guard let current = active, var lane = current.lane, lane.connection == id else { return }
        lane.established(at: now)
        active?.phase = .running(lane)
        outputs.append(.callback(current.id, .didStartRunning))
        beginNextFile(in: &process, at: now, into: &outputs)
    }

    mutating func disconnected(
        _ id: ConnectionID, _ why: Disconnection, in process: inout ProcessState, at now: Instant,
        into outputs: inout [EngineOutput]
    ) {
        guard let lane = active?.lane, lane.connection == id else { return }
        if why == .networkLost {
            stopRunning(closing: false, into: &outputs)
            interrupt(
                because: "the network of its connection is gone", in: &process, at: now,
                into: &outputs)
            return
        }
        let error: TransferError =
            switch (why, lane.isEstablished) {
            case (.closedByPeer, true): .peerEndedSession
            case (.timedOut, false): .connectionTimeout
            case (.refused, _), (.reset, false), (.closedByPeer, false): .connectionFailed
            case (.reset, true), (.timedOut, true), (.networkLost, _): .connectionLost
            }
        fail(error, closing: false, in: &process, at: now, into: &outputs)
    }

    mutating func wake(
        in process: inout ProcessState, at now: Instant, into outputs: inout [EngineOutput]
    ) {
        guard let current = active else { return }
        switch current.phase {
        case .pausing(let until):
            guard now >= until else { return }
            guard obstacle(to: current.index, in: process) == nil else {
                active?.phase = .waitingForNetwork
                return
            }
            move(current.index, .pauseOver, because: "the pause is over", into: &outputs)
            beginAttempt(of: current.index, in: &process, at: now, into: &outputs)
        case .running(let lane):
            guard now >= lane.deadline else { return }
            fail(
                lane.isEstablished ? .stalled : .connectionTimeout, in: &process, at: now,
                into: &outputs)
        case .waitingForNetwork, .settling: break
        }
    }

    /// Every file has arrived: the end becomes durable first, then the app hears of it.
    mutating func finish(in process: inout ProcessState, into outputs: inout [EngineOutput]) {
        guard let current = active else { return }
        stopRunning(into: &outputs)
        move(current.index, .finished, because: "every file has arrived", into: &outputs)
        settle(.completed, in: &process, into: &outputs)
    }

    /// An attempt has met an error: it is slept off while the budget lasts, or ends the activation.
    mutating func fail(
        _ error: TransferError, closing: Bool = true, in process: inout ProcessState,
        at now: Instant, into outputs: inout [EngineOutput]
    ) {
        guard let current = active, let lane = current.lane else { return }
        sessions[current.index].failures += 1
        let failures = sessions[current.index].failures
        let pause =
            error.isRetryable
            ? retryPolicy.pause(afterFailures: failures).map { max($0, lane.askedToWait) } : nil
        outputs.append(.note(.fails(current.id, error, retryIn: pause)))
        stopRunning(closing: closing, into: &outputs)
        guard let pause else {
            move(current.index, .fatalError, because: error.message, into: &outputs)
            return settle(.failed(error), in: &process, into: &outputs)
        }
        move(current.index, .retryableError, because: error.message, into: &outputs)
        process.persist(.put(sessions[current.index]), into: &outputs)
        active?.phase = .pausing(until: now + pause)
    }

    /// The inner spans end; without a connection there was only willStartRunning to answer (A2).
    mutating func stopRunning(closing: Bool = true, into outputs: inout [EngineOutput]) {
        guard let current = active, let lane = current.lane else { return }
        if let file = current.openFile {
            let name = sessions[current.index].transfers[file].source
            outputs.append(.callback(current.id, .didStopFile(name: name)))
        }
        if lane.isEstablished { outputs.append(.callback(current.id, .willStopRunning)) }
        if closing { outputs.append(.close(lane.connection)) }
        outputs.append(.callback(current.id, .didStopRunning))
        active?.openFile = nil
    }

    /// The end of the activation is decided; it becomes durable before the app hears of it.
    mutating func settle(
        _ result: SessionResult, in process: inout ProcessState,
        into outputs: inout [EngineOutput]
    ) {
        guard let current = active else { return }
        let ticket = process.persist(.put(sessions[current.index]), into: &outputs)
        active?.phase = .settling(ticket, result)
    }

    mutating func deactivate(
        _ id: SessionID, _ result: SessionResult, into outputs: inout [EngineOutput]
    ) {
        outputs.append(.callback(id, .willDeactivate))
        outputs.append(.callback(id, .didDeactivate(result)))
        active = nil
    }
}
