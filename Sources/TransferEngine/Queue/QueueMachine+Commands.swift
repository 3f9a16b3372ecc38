import Quantities

/// The app's commands to the queue and to its sessions (A4 to A8).
extension QueueMachine {
    /// The shortest time until a session that the app stopped has another turn (A5).
    static let deferralTime = TimeSpan.seconds(5)

    /// Carries out a command of the app.
    mutating func take(_ command: QueueCommand, in turn: inout Turn) {
        switch command {
        case .enqueue(let request): enqueue(request, at: nil, in: &turn)
        case .insert(let request, let index): enqueue(request, at: index, in: &turn)
        case .save(let request): save(request, in: &turn)
        case .edit(let session, let request): edit(session, to: request, in: &turn)
        case .enqueueSaved(let session, let index): enqueue(saved: session, at: index, in: &turn)
        case .deleteSession(let session): delete(session, in: &turn)
        case .saveAccount(let account): save(account, in: &turn)
        case .changeAccount(let id, let account): change(id, to: account, in: &turn)
        case .deleteAccount(let id): delete(id, in: &turn)
        case .move(let session, let index): move(session, to: index, in: &turn)
        case .session(let verb, let session): take(verb, session, in: &turn)
        case .change(let settings, let session): change(settings, of: session, in: &turn)
        case .addPath(let file, let session): addPath(file, to: session, in: &turn)
        case .refuse(let refusal): refuse(refusal, in: &turn)
        case .start: start(in: &turn)
        case .heardOfSetAside: turn.persist(.forgetSetAside)
        case .stop: stop(in: &turn)
        case .demarcate(let isOn):
            turn.process.background.ask(forTime: isOn)
            turn.note(.queue(.demarcates(isOn)))
        }
    }

    private mutating func start(in turn: inout Turn) {
        guard mode != .running else { return }
        mode = .running
        turn.tell(.queueMode(.running))
    }

    /// Ends the active session, then stops the queue (A8).
    mutating func stop(in turn: inout Turn) {
        guard mode == .running else { return }
        mode = .stopping
        countCells(of: .queueStops)
        if let active, !active.isSettling {
            endActivation(
                by: .queueStops, because: "the queue is stopped", .stopped(by: .queue), in: &turn)
        }
        endPreemptions(by: .queueStops, because: "the queue is stopped", in: &turn)
        standIfDone(in: &turn)
    }

    /// Lets preempted sessions wait in the line, or be paused if they were: nothing runs that could
    /// preempt them.
    mutating func endPreemptions(
        by event: SessionState.Event, because: String, in turn: inout Turn
    ) {
        for id in line where sessions[id].state.isPreempted {
            move(id, event, because: because, in: &turn)
            turn.persist(.put(sessions[id]))
        }
    }

    mutating func standIfDone(in turn: inout Turn) {
        guard mode == .stopping, active == nil else { return }
        mode = .stopped
        turn.tell(.queueMode(.stopped))
    }

    mutating func take(_ verb: SessionWish, _ id: SessionID, in turn: inout Turn) {
        guard isInQueue(id, in: &turn) else { return }
        // A session that is ending is still active, whatever it becomes.
        let isEnding = active?.id == id && active?.isSettling == true
        let effect = sessions[id].state.after(verb.event)
        guard effect != .refused, !(isEnding && verb == .remove) else {
            if effect == .refused { countCell(of: id, verb.event) }
            return refuse(.notInThisState(verb, id, sessions[id].state), in: &turn)
        }
        countCell(of: id, verb.event)
        if verb == .run { countCells(of: .runOther, but: id) }
        turn.note(.queue(.asked(id.name, verb)))
        let isActive = active?.id == id && !isEnding
        switch verb {
        case .run: run(id, isActive: isActive, in: &turn)
        case .cancel, .stop:
            guard effect != .nothing else { return }
            end(id, by: verb, isActive: isActive, in: &turn)
        case .pause:
            if effect != .nothing { pause(in: &turn) }
        case .resume:
            if isActive {
                resume(in: &turn)
            } else {
                wait(id, in: &turn)
            }
        case .remove: remove(id, in: &turn)
        }
    }

    /// Changes a session's settings from its next turn on. While the session is active, only its
    /// rates can change, and they do at once.
    mutating func change(
        _ settings: TransferSettings, of id: SessionID, in turn: inout Turn
    ) {
        guard isInQueue(id, in: &turn) else { return }
        guard active?.id != id || settings.differ(inRateFrom: sessions[id].settings) else {
            return refuse(.settingsInUse(id, sessions[id].state), in: &turn)
        }
        if let refusal = settings.rate.refusal {
            return refuse(.rates(refusal), in: &turn)
        }
        sessions[id].settings = settings
        turn.note(.engine(.goesBy(id.name, settings)))
        turn.persist(.put(sessions[id]))
        turn.tell(.session(id, .row(.updated(at: sessions.index(of: id)))))
        if active?.id == id { paceStreams(in: &turn) }
    }

    // MARK: Run

    private mutating func run(
        _ id: SessionID, isActive: Bool, in turn: inout Turn
    ) {
        // Only this renews the budget (A16).
        (sessions[id].failures, sessions[id].error) = (0, nil)
        for file in sessions[id].transfers.indices { sessions[id].transfers[file].failure = nil }
        rests[id] = nil
        guard isActive else { return runNext(id, in: &turn) }
        turn.persist(.put(sessions[id]))
        switch active?.phase {
        case .paused: resume(in: &turn)
        case .pausing:
            goOn(
                by: .run, because: "the app runs it now", in: &turn)
        // The session runs, or will as soon as it may.
        case .waitingForNetwork, .running: break
        case .settling, nil: preconditionFailure("\(id) is active and not at its end")
        }
    }

    /// Runs a session next. The active one stops, and runs again afterwards (A7). A stopped queue
    /// keeps the wish until it starts.
    private mutating func runNext(
        _ id: SessionID, in turn: inout Turn
    ) {
        leaveLine(id)
        if sessions[id].state == .completed { beginAgain(id, in: &turn) }
        if let active, !active.isSettling {
            endActivation(
                by: .runOther, because: "the app runs another session first",
                .stopped(by: .preemption), in: &turn)
        }
        move(id, .run, because: "the app runs it", in: &turn)
        joinLine(id)
        turn.persist(.put(sessions[id]))
    }

    /// Starts a completed session over: running it is a new transfer of all its files (S8).
    private mutating func beginAgain(_ id: SessionID, in turn: inout Turn) {
        for index in sessions[id].transfers.indices {
            sessions[id].transfers[index].isComplete = false
            sessions[id].transfers[index].fingerprint = nil
            sessions[id].transfers[index].digest = nil
            sessions[id].transfers[index].resource = nil
            let transfer = sessions[id].transfers[index].id
            turn.note(.engine(.startsOver(transfer.name, because: "the app runs it again")))
        }
    }

    // MARK: Cancel and stop

    private mutating func end(
        _ id: SessionID, by verb: SessionWish, isActive: Bool, in turn: inout Turn
    ) {
        let because = verb == .cancel ? "the app cancels it" : "the app stops it"
        let lastWaiting = lastSession
        if isActive {
            endActivation(
                by: verb.event, because: because,
                verb == .cancel ? .cancelled : .stopped(by: .session), in: &turn)
        } else {
            leaveLine(id)
            sessions[id].precedence = 0
            move(id, verb.event, because: because, in: &turn)
            turn.persist(.put(sessions[id]))
        }
        guard verb == .stop else { return }
        deferrals.append(
            Deferral(
                id: id, lastWaiting: lastWaiting, notBefore: turn.now + Self.deferralTime))
    }

    // MARK: Pause and resume

    /// Pauses the active session, which then blocks all others (A6).
    private mutating func pause(
        in turn: inout Turn
    ) {
        guard let current = active else { return }
        if case .pausing(let until) = current.phase { rests[current.id] = until }
        stopRunning(in: &turn)
        move(current.id, .pause, because: "the app pauses it", in: &turn)
        turn.persist(.put(sessions[current.id]))
        active?.phase = .paused
    }

    private mutating func resume(
        in turn: inout Turn
    ) {
        guard let current = active else { return }
        move(current.id, .resume, because: "the app resumes it", in: &turn)
        turn.persist(.put(sessions[current.id]))
        guard obstacle(to: current.id, over: turn.process.network) == nil else {
            return interrupt(
                because: "there is no network that it may use", in: &turn)
        }
        beginAttempt(of: current.id, in: &turn)
    }

    /// Resumes a paused session of a stopped queue: it keeps its place in the line.
    private mutating func wait(
        _ id: SessionID, in turn: inout Turn
    ) {
        move(id, .run, because: "the app resumes it", in: &turn)
        turn.persist(.put(sessions[id]))
    }
}

extension SessionWish {
    fileprivate var event: SessionState.Event {
        switch self {
        case .run: .run
        case .cancel: .cancel
        case .stop: .stop
        case .pause: .pause
        case .resume: .resume
        case .remove: .remove
        }
    }
}
