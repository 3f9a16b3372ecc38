import Quantities

/// An activation of a session from its turn to its end: the outer two spans of A1's grammar.
extension QueueMachine {
    /// Gives the next session its turn (A3); nothing while one is active, the queue stands, or the
    /// time in the background is up.
    mutating func activateNext(
        in process: inout ProcessState, at now: Instant, into outputs: inout [EngineOutput]
    ) {
        guard mode == .running, active == nil, !process.background.isTimeUp,
            let id = nextTurn(at: now), obstacle(to: id, in: process) == nil
        else { return }
        leaveLine(id)
        move(id, .itsTurn, because: "its turn", into: &outputs)
        // An activation that is cut off is the first of all to be taken up again.
        sessions[id].precedence = nextPrecedence
        process.persist(.put(sessions[id]), into: &outputs)
        outputs.append(.callback(id, .willActivate))
        outputs.append(.callback(id, .didActivate))
        if sessions[id].state == .paused {
            active = ActiveSession(id: id, phase: .paused)
        } else {
            beginAttempt(of: id, in: &process, at: now, into: &outputs)
        }
    }

    /// Whose turn is the next: of the line first, then of those that were stopped when all who
    /// waited then have had theirs (A5), then in the order of the queue.
    mutating func nextTurn(at now: Instant) -> SessionID? {
        if let id = line.last { return id }
        guard !deferrals.isEmpty else { return sessions.firstWaiting { _ in true } }
        let deferred = Set(deferrals.map(\.id))
        guard let deferral = deferrals.first, deferral.notBefore <= now else {
            return sessions.firstWaiting { !deferred.contains($0.id) }
        }
        let before = sessions.firstWaiting {
            $0.id <= deferral.lastWaiting && !deferred.contains($0.id)
        }
        return before ?? deferral.id
    }

    private var nextPrecedence: UInt32 {
        1 + (line.map { sessions[$0].precedence }.max() ?? 0)
    }

    /// Its turn comes before that of all others; the store has to hear of it.
    mutating func joinLine(_ id: SessionID) {
        sessions[id].precedence = nextPrecedence
        line.append(id)
    }

    /// Ends the activation that is under way before its session has come to its own end.
    mutating func endActivation(
        by event: SessionState.Event, because: String, _ result: SessionResult,
        in process: inout ProcessState, into outputs: inout [EngineOutput]
    ) {
        guard let current = active else { return }
        if case .pausing(let until) = current.phase { rests[current.id] = until }
        stopRunning(into: &outputs)
        move(current.id, event, because: because, into: &outputs)
        switch result {
        case .stopped(.expiry), .stopped(.queue), .stopped(.preemption): line.append(current.id)
        case .stopped(.session), .cancelled, .completed, .failed:
            sessions[current.id].precedence = 0
        }
        settle(result, in: &process, into: &outputs)
    }

    mutating func beginAttempt(
        of id: SessionID, in process: inout ProcessState, at now: Instant,
        into outputs: inout [EngineOutput]
    ) {
        if let until = rests.removeValue(forKey: id), until > now {
            move(
                id, .retryableError, because: "an earlier error is not slept off",
                into: &outputs)
            active = ActiveSession(id: id, phase: .pausing(until: until))
            return
        }
        let record = sessions[id]
        let connection = process.nextConnection()
        outputs.append(.note(.attempt(record.id, number: record.failures + 1)))
        outputs.append(.callback(record.id, .willStartRunning))
        outputs.append(.connect(connection, to: access(of: record), by: ItemID(record.id)))
        let lane = Lane(
            connection, to: access(of: record), by: record.wire,
            over: process.network, at: now)
        active = ActiveSession(id: id, phase: .running(Attempt(lane)))
    }

    mutating func connected(
        _ id: ConnectionID, in process: inout ProcessState, at now: Instant,
        into outputs: inout [EngineOutput]
    ) {
        guard let current = active, var attempt = current.attempt,
            let place = attempt.place(on: id)
        else { return }
        attempt[place].lane.established(at: now)
        active?.phase = .running(attempt)
        guard place == 0 else { return beginNextPath(on: place, at: now, into: &outputs) }
        outputs.append(.callback(current.id, .didStartRunning))
        if sessions[current.id].isPersistent {
            outputs.append(.callback(current.id, .canAcceptPaths))
        } else {
            beginNextFile(on: place, in: &process, at: now, into: &outputs)
        }
    }

    mutating func disconnected(
        _ id: ConnectionID, _ why: Disconnection, in process: inout ProcessState, at now: Instant,
        into outputs: inout [EngineOutput]
    ) {
        guard let attempt = active?.attempt, let place = attempt.place(on: id) else { return }
        if why == .networkLost {
            stopRunning(without: id, into: &outputs)
            interrupt(
                because: "the network of its connection is gone", in: &process, at: now,
                into: &outputs)
            return
        }
        let error: TransferError =
            switch (why, attempt[place].lane.isEstablished) {
            case (.closedByPeer, true): .peerEndedSession
            case (.timedOut, false): .connectionTimeout
            case (.refused, _), (.reset, false), (.closedByPeer, false): .connectionFailed
            case (.reset, true), (.timedOut, true), (.networkLost, _): .connectionLost
            }
        fail(error, without: id, in: &process, at: now, into: &outputs)
    }

    mutating func wake(
        in process: inout ProcessState, at now: Instant, into outputs: inout [EngineOutput]
    ) {
        guard let current = active else { return }
        switch current.phase {
        case .pausing(let until):
            guard now >= until else { return }
            goOn(because: "the pause is over", in: &process, at: now, into: &outputs)
        case .running(let attempt):
            guard let error = attempt.stall(at: now) else { return }
            fail(error, in: &process, at: now, into: &outputs)
        case .waitingForNetwork, .settling, .paused: break
        }
    }

    /// An error has been slept off, or need not be any more.
    mutating func goOn(
        by event: SessionState.Event = .pauseOver, because: String,
        in process: inout ProcessState, at now: Instant, into outputs: inout [EngineOutput]
    ) {
        guard let current = active else { return }
        guard obstacle(to: current.id, in: process) == nil else {
            active?.phase = .waitingForNetwork
            return
        }
        move(current.id, event, because: because, into: &outputs)
        beginAttempt(of: current.id, in: &process, at: now, into: &outputs)
    }

    /// Every file has arrived: the end becomes durable first, then the app hears of it.
    mutating func finish(in process: inout ProcessState, into outputs: inout [EngineOutput]) {
        guard let current = active else { return }
        stopRunning(into: &outputs)
        move(current.id, .finished, because: "every file has arrived", into: &outputs)
        sessions[current.id].precedence = 0
        settle(.completed, in: &process, into: &outputs)
    }

    /// An attempt has met an error: it is slept off while the budget lasts, or ends the activation.
    mutating func fail(
        _ error: TransferError, without ended: ConnectionID? = nil,
        in process: inout ProcessState, at now: Instant, into outputs: inout [EngineOutput]
    ) {
        guard let current = active, let attempt = current.attempt else { return }
        sessions[current.id].failures += 1
        let failures = sessions[current.id].failures
        let pause =
            error.isRetryable
            ? retryPolicy.pause(afterFailures: failures).map { max($0, attempt.askedToWait) } : nil
        outputs.append(.note(.fails(current.id, error, retryIn: pause)))
        stopRunning(without: ended, into: &outputs)
        guard let pause else {
            move(current.id, .fatalError, because: error.message, into: &outputs)
            sessions[current.id].precedence = 0
            return settle(.failed(error), in: &process, into: &outputs)
        }
        move(current.id, .retryableError, because: error.message, into: &outputs)
        process.persist(.put(sessions[current.id]), into: &outputs)
        active?.phase = .pausing(until: now + pause)
    }

    /// The inner spans end; without a connection there was only willStartRunning to answer (A2).
    /// One that has ended by itself need not be closed.
    mutating func stopRunning(
        without ended: ConnectionID? = nil, into outputs: inout [EngineOutput]
    ) {
        guard let current = active, let attempt = current.attempt else { return }
        forgetPaths(of: attempt, into: &outputs)
        for place in attempt.places {
            guard let load = attempt[place].load else { continue }
            let name = transfer(load, of: current.id).source
            outputs.append(.callback(current.id, .didStopFile(name: name)))
        }
        if attempt.isEstablished { outputs.append(.callback(current.id, .willStopRunning)) }
        for place in attempt.places where attempt[place].lane.connection != ended {
            outputs.append(.close(attempt[place].lane.connection))
        }
        outputs.append(.callback(current.id, .didStopRunning))
    }

    /// The end of the activation is decided; it becomes durable before the app hears of it.
    mutating func settle(
        _ result: SessionResult, in process: inout ProcessState,
        into outputs: inout [EngineOutput]
    ) {
        guard let current = active else { return }
        let ticket = process.persist(.put(sessions[current.id]), into: &outputs)
        active?.phase = .settling(ticket, result)
    }

    mutating func deactivate(
        _ id: SessionID, _ result: SessionResult, into outputs: inout [EngineOutput]
    ) {
        outputs.append(.callback(id, .willDeactivate))
        outputs.append(.callback(id, .didDeactivate(result)))
        active = nil
        standIfDone(into: &outputs)
    }
}
