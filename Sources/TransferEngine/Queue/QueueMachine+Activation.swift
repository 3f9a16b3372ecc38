import Quantities

/// The activation of a session, from its turn to its end: the outer two spans of A1's grammar.
extension QueueMachine {
    /// Activates the next session (A3), unless one is active, the queue is stopped, or the time in
    /// the background is up.
    mutating func activateNext(
        in turn: inout Turn
    ) {
        guard mode == .running, active == nil, !turn.process.background.isTimeUp,
            let id = nextTurn(at: turn.now), obstacle(to: id, over: turn.process.network) == nil
        else { return }
        leaveLine(id)
        move(id, .itsTurn, because: "its turn", in: &turn)
        // An activation that is interrupted is resumed before all others.
        sessions[id].precedence = nextPrecedence
        turn.persist(.put(sessions[id]))
        turn.tell(.session(id, .willActivate))
        turn.tell(.session(id, .didActivate))
        if sessions[id].state == .paused {
            active = ActiveSession(id: id, phase: .paused)
        } else {
            beginAttempt(of: id, in: &turn)
        }
    }

    /// Returns the next session: from the line first, then a stopped session once all that waited
    /// then have had their turn (A5), then in the order of the queue.
    mutating func nextTurn(at now: Instant) -> SessionID? {
        if let id = line.last { return id }
        guard !deferrals.isEmpty else { return sessions.firstWaiting { _ in true } }
        let deferred = Set(deferrals.map(\.id))
        guard let deferral = deferrals.first, deferral.notBefore <= now else {
            return sessions.firstWaiting { !deferred.contains($0.id) }
        }
        let before = sessions.firstWaiting {
            $0.id <= deferral.lastWaiting && !deferral.since.contains($0.id)
                && !deferred.contains($0.id)
        }
        return before ?? deferral.id
    }

    private var nextPrecedence: UInt32 {
        1 + (line.map { sessions[$0].precedence }.max() ?? 0)
    }

    /// Puts a session before all others; the caller tells the store.
    mutating func joinLine(_ id: SessionID) {
        sessions[id].precedence = nextPrecedence
        line.append(id)
    }

    /// Ends the current activation before its session has ended.
    mutating func endActivation(
        by event: SessionState.Event, because: String, _ result: SessionResult,
        in turn: inout Turn
    ) {
        guard let current = active else { return }
        if case .pausing(let until) = current.phase { rests[current.id] = until }
        stopRunning(in: &turn)
        move(current.id, event, because: because, in: &turn)
        switch result {
        case .stopped(by: .expiry), .stopped(by: .queue), .stopped(by: .preemption):
            line.append(current.id)
        case .stopped(by: .session), .cancelled, .completed, .failed:
            sessions[current.id].precedence = 0
        }
        settle(result, in: &turn)
    }

    mutating func beginAttempt(
        of id: SessionID, in turn: inout Turn
    ) {
        if let until = rests.removeValue(forKey: id), until > turn.now {
            move(
                id, .retryableError, because: "an earlier error is not slept off",
                in: &turn)
            active = ActiveSession(id: id, phase: .pausing(until: until))
            return
        }
        let record = sessions[id]
        turn.note(.engine(.attempt(record.id.name, number: record.failures + 1)))
        turn.tell(.session(record.id, .willStartRunning))
        let connection = turn.connect(to: access(of: record), for: record.id.name)
        let lane = Lane(
            connection, to: access(of: record), by: record.wire,
            over: turn.process.network, at: turn.now)
        active = ActiveSession(id: id, running: Attempt(lane, for: record.transfers))
    }

    /// Notes that a connection has opened. The session introduces itself on the first, if it has
    /// credentials: it runs once the server has accepted them (A2).
    mutating func connected(_ place: Int, in turn: inout Turn) {
        guard let id = active?.id, let attempt = active?.attempt else { return }
        guard let identity = turn.identity(of: access(of: sessions[id])) else {
            return fail(.authentication, in: &turn)
        }
        let settings = sessions[id].settings
        let isPaced = attempt[place].lane.isPaced
        let asks = settings.transport != .http && !attempt.isOverTCP && !isPaced
        let introduces = !attempt.isEstablished && !isPaced && identity.use != nil
        let isPersistent = sessions[id].isPersistent
        active?.attempt?.with(place) { carrier in
            carrier.lane.identity = identity
            if asks, identity != .awaited {
                // Whoever asks for a session introduces himself as well.
                let nonce = turn.nonce(of: carrier.lane.connection)
                carrier.lane.askForPaced(
                    settings.rate, nonce, hasChannels: isPersistent, at: turn.now,
                    into: &turn.wanted)
            } else if introduces {
                carrier.lane.introduce(at: turn.now, into: &turn.wanted)
            }
        }
        guard identity != .awaited, !asks, !introduces else { return }
        accepted(place, in: &turn)
    }

    /// Begins to transfer on a connection: the server knows the session, or lets anybody in.
    mutating func accepted(_ place: Int, in turn: inout Turn) {
        guard let id = active?.id, let isEstablished = active?.attempt?.isEstablished else {
            return
        }
        guard place == 0, !isEstablished else { return beginNext(on: place, in: &turn) }
        active?.attempt?.established()
        turn.tell(.session(id, .didStartRunning))
        let record = sessions[id]
        if record.isPersistent {
            turn.tell(.session(id, .canAcceptPaths))
        } else if !record.isDownload {
            active?.attempt?.tally.ask(for: record.transfers, into: &turn.wanted)
        }
        if !record.isPersistent { beginNextFile(on: place, in: &turn) }
    }

    /// Notes that a connection has ended, or never opened.
    mutating func disconnected(_ place: Int, _ why: Disconnection, in turn: inout Turn) {
        guard let attempt = active?.attempt else { return }
        let connection = attempt[place].lane.connection
        if why == .networkLost, !attempt[place].lane.neverCame(over: turn.process.network) {
            stopRunning(without: connection, in: &turn)
            interrupt(because: "the network of its connection is gone", in: &turn)
            return
        }
        guard !renews(place, in: &turn) else { return }
        let error: TransferError =
            switch (why, attempt[place].lane.isEstablished) {
            case (.closedByPeer, true): .peerEndedSession
            case (.timedOut, true) where attempt[place].lane.isPaced: .dataTimeout
            case (.timedOut, false): .connectionTimeout
            case (.refused, _), (.notFound, _), (.untrusted, _), (.reset, false),
                (.closedByPeer, false):
                .connectionFailed
            case (.reset, true), (.timedOut, true), (.networkLost, _): .connectionLost
            }
        fail(error, without: connection, in: &turn)
    }

    mutating func wake(
        in turn: inout Turn
    ) {
        guard let current = active else { return }
        switch current.phase {
        case .pausing(let until):
            guard turn.now >= until else { return }
            goOn(because: "the pause is over", in: &turn)
        case .running:
            guard let (place, error) = current.attempt?.stall(at: turn.now) else { return }
            guard !renews(place, closing: true, in: &turn) else { return }
            fail(error, in: &turn)
        case .waitingForNetwork, .settling, .paused: break
        }
    }

    /// Continues after a back-off, or without it.
    mutating func goOn(
        by event: SessionState.Event = .pauseOver, because: String,
        in turn: inout Turn
    ) {
        guard let current = active else { return }
        guard obstacle(to: current.id, over: turn.process.network) == nil else {
            active?.phase = .waitingForNetwork
            return
        }
        move(current.id, event, because: because, in: &turn)
        beginAttempt(of: current.id, in: &turn)
    }

    /// Ends the activation when every file has had its turn: durable first, then told to the app.
    mutating func finish(in turn: inout Turn) {
        guard let current = active else { return }
        if let failure = sessions[current.id].failureOfFiles {
            return fail(for: failure, in: &turn)
        }
        stopRunning(in: &turn)
        move(current.id, .finished, because: "every file has arrived", in: &turn)
        sessions[current.id].precedence = 0
        sessions[current.id].error = nil
        settle(.completed, in: &turn)
    }

    /// Handles an error of the attempt: backs off while the budget lasts, or ends the activation.
    mutating func fail(
        _ error: TransferError, without ended: ConnectionID? = nil,
        in turn: inout Turn
    ) {
        guard let current = active, let attempt = current.attempt else { return }
        sessions[current.id].failures += 1
        sessions[current.id].error = error
        let failures = sessions[current.id].failures
        let pause =
            error.isRetryable
            ? retryPolicy.pause(afterFailures: failures).map { max($0, attempt.askedToWait) } : nil
        turn.note(.engine(.fails(current.id.name, error, retryIn: pause)))
        stopRunning(without: ended, in: &turn)
        guard let pause else {
            move(current.id, .fatalError, because: error.message, in: &turn)
            sessions[current.id].precedence = 0
            return settle(.failed(error), in: &turn)
        }
        move(current.id, .retryableError, because: error.message, in: &turn)
        turn.persist(.put(sessions[current.id]))
        active?.phase = .pausing(until: turn.now + pause)
    }

    /// Ends the activation because some of the session's files were given up.
    private mutating func fail(for failure: FilesFailed, in turn: inout Turn) {
        guard let id = active?.id else { return }
        sessions[id].failures += 1
        sessions[id].error = .someFilesFailed
        turn.note(.engine(.fails(id.name, failure)))
        stopRunning(in: &turn)
        move(id, .fatalError, because: failure.message, in: &turn)
        sessions[id].precedence = 0
        settle(.failed(code: failure.code, message: failure.message), in: &turn)
    }

    /// Ends the inner spans; without a connection, only answers willStartRunning (A2). A connection
    /// that has `ended` by itself is not closed.
    mutating func stopRunning(
        without ended: ConnectionID? = nil, atOnce: Bool = false, in turn: inout Turn
    ) {
        guard let current = active, let attempt = current.attempt else { return }
        forgetPaths(of: attempt, in: &turn)
        for place in attempt.places {
            guard let load = attempt[place].load else { continue }
            let name = transfer(load, of: current.id).source
            tell(.didStopFile(name: name), of: current.id, in: &turn)
        }
        if attempt.isEstablished { turn.tell(.session(current.id, .willStopRunning)) }
        for place in attempt.places {
            let lane = attempt[place].lane
            if let stream = lane.opening { turn.abort(stream) }
            guard lane.connection != ended else { continue }
            if atOnce { turn.abort(lane.connection) } else { turn.close(lane) }
        }
        turn.tell(.session(current.id, .didStopRunning))
    }

    /// Decides the end of the activation, which becomes durable before the app hears of it.
    mutating func settle(
        _ result: SessionResult, in turn: inout Turn
    ) {
        guard let current = active else { return }
        let ticket = turn.persist(.put(sessions[current.id]))
        active?.phase = .settling(ticket, result)
    }

    mutating func deactivate(
        _ id: SessionID, _ result: SessionResult, in turn: inout Turn
    ) {
        turn.tell(.session(id, .willDeactivate))
        turn.tell(.session(id, .didDeactivate(result)))
        active = nil
        standIfDone(in: &turn)
    }
}
