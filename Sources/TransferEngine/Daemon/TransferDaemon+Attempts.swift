import Protocols
import Quantities

/// The attempts of the daemon's tasks: when they begin, what comes of them, and what follows.
extension TransferDaemon {
    /// Every task that may run does, all at once.
    mutating func beginWhatMay(at now: Instant, into outputs: inout [DaemonOutput]) {
        for index in tasks.indices where tasks[index].phase == .waiting {
            let isResting = tasks[index].rest.map { $0 > now } ?? false
            let obstacle =
                isResting
                ? "an earlier error is not slept off" : obstacle(to: tasks[index].record, at: now)
            guard let obstacle else {
                begin(index, at: now, into: &outputs)
                continue
            }
            guard tasks[index].notedObstacle != obstacle else { continue }
            tasks[index].notedObstacle = obstacle
            outputs.append(.note(.waits(tasks[index].record.id, because: obstacle)))
        }
    }

    private func obstacle(to record: TaskRecord, at now: Instant) -> String? {
        if let notBefore = record.notBefore, notBefore > now {
            return "it was made in the background and waits until \(notBefore)"
        }
        if let obstacle = record.limits.obstacle(in: network) { return obstacle }
        guard record.isDiscretionary else { return nil }
        if network?.isCellular == true { return "it waits for Wi-Fi" }
        return hasCharger ? nil : "it waits for a charger"
    }

    private mutating func begin(
        _ index: Int, at now: Instant, into outputs: inout [DaemonOutput]
    ) {
        let record = tasks[index].record
        let connection = nextConnection()
        tasks[index].notedObstacle = nil
        tasks[index].rest = nil
        outputs.append(.note(.attempt(record.id, number: record.failures + 1)))
        outputs.append(
            .attempt(.connect(connection, to: record.account, by: ItemID(record.id))))
        tasks[index].phase = .running(
            Lane(
                connection, to: record.account,
                by: wire(of: record),
                over: network, at: now))
    }

    /// What was begun so goes on so, whatever the phone's system speaks by now.
    private func wire(of record: TaskRecord) -> Wire {
        if record.isDownload { return .get(GetDialogue.unasked) }
        return record.isResumable ? .resumable(resumes ?? .six) : .put
    }

    // MARK: What happens to an attempt

    mutating func connected(
        _ connection: ConnectionID, at now: Instant, into outputs: inout [DaemonOutput]
    ) {
        withLane(on: connection, at: now, into: &outputs) { lane, transfer, outputs in
            lane.established(at: now)
            lane.begin(transfer, at: now, into: &outputs)
            return nil
        }
    }

    mutating func taken(
        _ count: ByteCount, on connection: ConnectionID, at now: Instant,
        into outputs: inout [DaemonOutput]
    ) {
        guard let index = index(on: connection), var lane = tasks[index].lane else { return }
        let progress = lane.took(count, at: now)
        tasks[index].phase = .running(lane)
        let record = tasks[index].record
        if let progress, hears(index) {
            outputs.append(
                .tell(
                    app: record.id.app,
                    .progress(
                        record.id.number, session: record.session, done: progress.done,
                        total: progress.total)))
        }
        withLane(on: connection, at: now, into: &outputs) { lane, transfer, outputs in
            lane.supply(transfer, into: &outputs)
            return nil
        }
    }

    mutating func kept(
        _ count: ByteCount?, of id: TaskID, at now: Instant, into outputs: inout [DaemonOutput]
    ) {
        guard let index = index(of: id), var lane = tasks[index].lane else { return }
        guard let count else {
            return fail(index, .cannotWriteToFile, at: now, into: &outputs)
        }
        let (progress, need) = lane.hasKept(count)
        tasks[index].phase = .running(lane)
        let record = tasks[index].record
        if let progress, hears(index) {
            outputs.append(
                .tell(
                    app: record.id.app,
                    .wrote(
                        record.id.number, session: record.session, done: progress.done,
                        total: progress.total)))
        }
        withLane(ofTask: id, at: now, into: &outputs) { _, _, _ in need }
    }

    /// The app hears where a download goes on (B12).
    private mutating func tellResumption(
        _ index: Int, _ wanted: [EngineOutput], into outputs: inout [DaemonOutput]
    ) {
        let record = tasks[index].record
        guard hears(index), let total = tasks[index].lane?.fetch?.total else { return }
        for case .note(.resumes(_, _, let offset)) in wanted {
            outputs.append(
                .tell(
                    app: record.id.app,
                    .resumed(
                        record.id.number, session: record.session, offset: offset,
                        total: total)))
        }
    }

    mutating func disconnected(
        _ connection: ConnectionID, _ why: Disconnection, at now: Instant,
        into outputs: inout [DaemonOutput]
    ) {
        guard let index = index(on: connection) else { return }
        guard why != .networkLost else {
            tasks[index].phase = .waiting
            return
        }
        let error: TaskError = why == .timedOut ? .timedOut : .connectionLost
        fail(index, error, closing: false, at: now, into: &outputs)
    }

    mutating func wake(at now: Instant, into outputs: inout [DaemonOutput]) {
        for index in tasks.indices {
            let record = tasks[index].record
            if record.state == .running, let deadline = record.deadline, deadline <= now {
                close(index, into: &outputs)
                finish(index, .failed(.timedOut), by: .done, into: &outputs)
                continue
            }
            switch tasks[index].phase {
            case .pausing(let until) where until <= now: tasks[index].phase = .waiting
            case .running(let lane) where lane.deadline <= now:
                fail(index, .timedOut, at: now, into: &outputs)
            case .entering, .starting, .waiting, .running, .pausing, .settling, .resting, .leaving:
                break
            }
        }
    }

    /// A task whose network is not the one to use any more waits for another (B13).
    mutating func interruptWhereNeeded(at now: Instant, into outputs: inout [DaemonOutput]) {
        for index in tasks.indices {
            guard let lane = tasks[index].lane, !mayGoOn(lane, tasks[index].record, at: now)
            else { continue }
            close(index, into: &outputs)
            tasks[index].phase = .waiting
        }
    }

    private func mayGoOn(_ lane: Lane, _ record: TaskRecord, at now: Instant) -> Bool {
        guard obstacle(to: record, at: now) == nil else { return false }
        guard let network, let interface = lane.interface else { return true }
        guard network.alive.contains(interface) else { return false }
        // Wi-Fi is used where there is one, also by what was begun without it.
        return !lane.isCellular || network.isCellular
    }

    // MARK: Ends of an attempt

    /// An attempt has met an error: it is slept off, or is the task's end.
    mutating func fail(
        _ index: Int, _ error: TaskError, closing: Bool = true, at now: Instant,
        into outputs: inout [DaemonOutput]
    ) {
        let wait = tasks[index].lane?.askedToWait ?? .zero
        tasks[index].record.failures += 1
        let record = tasks[index].record
        let pause =
            error.isRetried
            ? retryPolicy.pause(afterFailures: record.failures).map { max($0, wait) } : nil
        outputs.append(.note(.fails(record.id, error, retryIn: pause)))
        if closing { close(index, into: &outputs) }
        guard let pause else {
            finish(index, .failed(error), by: .done, into: &outputs)
            return
        }
        _ = persist(.put(record), into: &outputs)
        tasks[index].phase = .pausing(until: now + pause)
    }

    mutating func close(_ index: Int, into outputs: inout [DaemonOutput]) {
        guard let lane = tasks[index].lane else { return }
        outputs.append(.attempt(.close(lane.connection)))
    }

    /// The end is decided; it becomes durable before the app hears of it.
    mutating func finish(
        _ index: Int, _ outcome: TaskOutcome, by event: TaskState.Event,
        because: String? = nil, into outputs: inout [DaemonOutput]
    ) {
        tasks[index].record.outcome = outcome
        do throws(TaskRefusal) {
            try move(index, event, because: because ?? outcome.words, into: &outputs)
        } catch {
            preconditionFailure("\(tasks[index].record.id) finishes twice: \(error.message)")
        }
        keep(.put(tasks[index].record), of: index, into: &outputs)
    }

    /// The end of a task, and its being gone after that.
    mutating func keep(
        _ change: TaskChange, of index: Int, into outputs: inout [DaemonOutput]
    ) {
        let ticket = persist(change, into: &outputs)
        tasks[index].phase =
            switch change {
            case .put: .settling(ticket)
            case .remove: .leaving(ticket)
            case .told, .delay: preconditionFailure("no task waits for \(change)")
            }
    }

    // MARK: Lanes

    mutating func withLane(
        on connection: ConnectionID, at now: Instant, into outputs: inout [DaemonOutput],
        _ event: (inout Lane, inout TransferRecord, inout [EngineOutput]) -> Lane.Need?
    ) {
        guard let index = index(on: connection) else { return }
        withLane(ofTask: tasks[index].record.id, at: now, into: &outputs, event)
    }

    /// Lets something happen to a task's lane, and gives it what it needs then.
    mutating func withLane(
        ofTask id: TaskID, at now: Instant, into outputs: inout [DaemonOutput],
        _ event: (inout Lane, inout TransferRecord, inout [EngineOutput]) -> Lane.Need?
    ) {
        guard let index = index(of: id), var lane = tasks[index].lane else { return }
        var wanted: [EngineOutput] = []
        let need = event(&lane, &tasks[index].record.transfer, &wanted)
        tasks[index].phase = .running(lane)
        tellResumption(index, wanted, into: &outputs)
        outputs += wanted.map { .attempt($0) }
        switch need {
        case nil: break
        case .save(let next):
            let ticket = persist(.put(tasks[index].record), into: &outputs)
            lane.save(ticket, then: next)
            tasks[index].phase = .running(lane)
        case .complete:
            close(index, into: &outputs)
            if lane.fetch != nil {
                tasks[index].record.transfer.isComplete = true
                outputs.append(.attempt(.note(.completes(tasks[index].record.transfer.id))))
            }
            finish(index, .answered(status: lane.lastStatus), by: .done, into: &outputs)
        case .fail(let error): fail(index, TaskError(error), at: now, into: &outputs)
        }
    }
}

extension TaskOutcome {
    fileprivate var words: String {
        switch self {
        case .answered(let status): "the server answered \(status)"
        case .failed(let error): error.message
        }
    }
}
