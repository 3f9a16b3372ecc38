import Quantities

/// What the app does with the queue and with single sessions (A4 to A8).
extension QueueMachine {
    /// A session that the app stops has its turn again so much later at the earliest (A5).
    static let deferralTime = TimeSpan.seconds(5)

    mutating func start(into outputs: inout [EngineOutput]) {
        guard mode != .running else { return }
        mode = .running
        outputs.append(.note(.queueStarted))
    }

    /// First the active session ends, then the queue stands (A8).
    mutating func stop(in process: inout ProcessState, into outputs: inout [EngineOutput]) {
        guard mode == .running else { return }
        mode = .stopping
        countCells(of: .queueStops)
        if let active, !active.isSettling {
            endActivation(
                by: .queueStops, because: "the queue is stopped", .stopped(.queue), in: &process,
                into: &outputs)
        }
        standIfDone(into: &outputs)
    }

    mutating func standIfDone(into outputs: inout [EngineOutput]) {
        guard mode == .stopping, active == nil else { return }
        mode = .stopped
        outputs.append(.note(.queueStopped))
    }

    mutating func take(
        _ verb: SessionVerb, at index: Int, in process: inout ProcessState, at now: Instant,
        into outputs: inout [EngineOutput]
    ) {
        guard (0..<sessions.count).contains(index) else {
            return refuse(.noSuchIndex(index, count: sessions.count), into: &outputs)
        }
        let id = sessions.id(at: index)
        // One that is ending is as active as ever, whatever it will be.
        let isEnding = active?.id == id && active?.isSettling == true
        let effect = sessions[id].state.after(verb.event)
        guard effect != .refused, !(isEnding && verb == .remove) else {
            if effect == .refused { countCell(of: id, verb.event) }
            return refuse(.notInThisState(verb, id, sessions[id].state), into: &outputs)
        }
        countCell(of: id, verb.event)
        if verb == .run { countCells(of: .runOther, but: id) }
        outputs.append(.note(.asked(verb, id)))
        let isActive = active?.id == id && !isEnding
        switch verb {
        case .run: run(id, isActive: isActive, in: &process, at: now, into: &outputs)
        case .cancel, .stop:
            guard effect != .nothing else { return }
            end(id, by: verb, isActive: isActive, in: &process, at: now, into: &outputs)
        case .pause:
            if effect != .nothing { pause(in: &process, into: &outputs) }
        case .resume:
            if isActive {
                resume(in: &process, at: now, into: &outputs)
            } else {
                wait(id, in: &process, into: &outputs)
            }
        case .remove: remove(id, in: &process, into: &outputs)
        }
    }

    /// What a session is to go by from its next turn on. While it is active it goes by what it has.
    mutating func change(
        _ settings: TransferSettings, at index: Int, in process: inout ProcessState,
        into outputs: inout [EngineOutput]
    ) {
        guard (0..<sessions.count).contains(index) else {
            return refuse(.noSuchIndex(index, count: sessions.count), into: &outputs)
        }
        let id = sessions.id(at: index)
        guard active?.id != id else {
            return refuse(.settingsInUse(id, sessions[id].state), into: &outputs)
        }
        if let refusal = settings.rate.refusal {
            return refuse(.rates(refusal), into: &outputs)
        }
        sessions[id].settings = settings
        outputs.append(.note(.goesBy(id, settings)))
        process.persist(.put(sessions[id]), into: &outputs)
        outputs.append(.callback(id, .row(.updated(at: index))))
    }

    // MARK: Run

    private mutating func run(
        _ id: SessionID, isActive: Bool, in process: inout ProcessState, at now: Instant,
        into outputs: inout [EngineOutput]
    ) {
        // Only this renews the budget (A16).
        sessions[id].failures = 0
        rests[id] = nil
        guard isActive else { return runNext(id, in: &process, into: &outputs) }
        process.persist(.put(sessions[id]), into: &outputs)
        switch active?.phase {
        case .paused: resume(in: &process, at: now, into: &outputs)
        case .pausing:
            goOn(
                by: .run, because: "the app runs it now", in: &process, at: now, into: &outputs)
        // It runs, or will as soon as it may.
        case .waitingForNetwork, .running: break
        case .settling, nil: preconditionFailure("\(id) is active and not at its end")
        }
    }

    /// What is active stops for it, and comes back when it has ended (A7). A queue that stands
    /// keeps the wish until it starts.
    private mutating func runNext(
        _ id: SessionID, in process: inout ProcessState, into outputs: inout [EngineOutput]
    ) {
        leaveLine(id)
        if sessions[id].state == .completed { beginAgain(id, into: &outputs) }
        if let active, !active.isSettling {
            endActivation(
                by: .runOther, because: "session \(id.number) is run first",
                .stopped(.preemption), in: &process, into: &outputs)
        }
        move(id, .run, because: "the app runs it", into: &outputs)
        joinLine(id)
        process.persist(.put(sessions[id]), into: &outputs)
    }

    /// A completed session that is run is a new transfer of all its files (S8).
    private mutating func beginAgain(_ id: SessionID, into outputs: inout [EngineOutput]) {
        for index in sessions[id].transfers.indices {
            sessions[id].transfers[index].isComplete = false
            sessions[id].transfers[index].fingerprint = nil
            sessions[id].transfers[index].digest = nil
            sessions[id].transfers[index].resource = nil
            let transfer = sessions[id].transfers[index].id
            outputs.append(.note(.startsOver(transfer, because: "the app runs it again")))
        }
    }

    // MARK: Cancel and stop

    private mutating func end(
        _ id: SessionID, by verb: SessionVerb, isActive: Bool, in process: inout ProcessState,
        at now: Instant, into outputs: inout [EngineOutput]
    ) {
        let because = verb == .cancel ? "the app cancels it" : "the app stops it"
        let lastWaiting = lastSession
        if isActive {
            endActivation(
                by: verb.event, because: because,
                verb == .cancel ? .cancelled : .stopped(.session), in: &process, into: &outputs)
        } else {
            leaveLine(id)
            sessions[id].precedence = 0
            move(id, verb.event, because: because, into: &outputs)
            process.persist(.put(sessions[id]), into: &outputs)
        }
        guard verb == .stop else { return }
        deferrals.append(
            Deferral(
                id: id, lastWaiting: lastWaiting, notBefore: now + Self.deferralTime))
    }

    // MARK: Pause and resume

    /// It stays active, and with that in the way of all others (A6).
    private mutating func pause(
        in process: inout ProcessState, into outputs: inout [EngineOutput]
    ) {
        guard let current = active else { return }
        if case .pausing(let until) = current.phase { rests[current.id] = until }
        stopRunning(into: &outputs)
        move(current.id, .pause, because: "the app pauses it", into: &outputs)
        process.persist(.put(sessions[current.id]), into: &outputs)
        active?.phase = .paused
    }

    private mutating func resume(
        in process: inout ProcessState, at now: Instant, into outputs: inout [EngineOutput]
    ) {
        guard let current = active else { return }
        move(current.id, .resume, because: "the app resumes it", into: &outputs)
        process.persist(.put(sessions[current.id]), into: &outputs)
        guard obstacle(to: current.id, in: process) == nil else {
            return interrupt(
                because: "there is no network that it may use", in: &process, at: now,
                into: &outputs)
        }
        beginAttempt(of: current.id, in: &process, at: now, into: &outputs)
    }

    /// It is paused and not active, as the queue stands: it keeps its place in the line.
    private mutating func wait(
        _ id: SessionID, in process: inout ProcessState, into outputs: inout [EngineOutput]
    ) {
        move(id, .run, because: "the app resumes it", into: &outputs)
        process.persist(.put(sessions[id]), into: &outputs)
    }
}

extension SessionVerb {
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
