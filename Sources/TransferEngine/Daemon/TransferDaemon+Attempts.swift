import Protocols
import Quantities

/// Attempts of the daemon's tasks: when they begin, and what follows from them.
extension TransferDaemon {
    /// Begins every task that may run, all at once.
    mutating func beginWhatMay() {
        for index in tasks.indices where isWaiting(index) {
            let isResting = tasks[index].rest.map { $0 > turn.now } ?? false
            let obstacle =
                isResting
                ? "an earlier error is not slept off"
                : obstacle(to: tasks[index].record, at: turn.now)
            guard let obstacle else {
                if waitsForCredential(tasks[index].record) {
                    noteMissingCredential(index)
                } else {
                    begin(index)
                }
                continue
            }
            guard tasks[index].notedObstacle != obstacle else { continue }
            tasks[index].notedObstacle = obstacle
            let id = tasks[index].record.id
            turn.note(.engine(.waitsForNetwork(id.name, because: obstacle)))
        }
    }

    private mutating func noteMissingCredential(_ index: Int) {
        let obstacle = "it waits for a credential"
        guard tasks[index].notedObstacle != obstacle else { return }
        tasks[index].notedObstacle = obstacle
        turn.note(.engine(.waitsForCredential(tasks[index].record.id.name)))
    }

    func obstacle(to record: TaskRecord, at now: Instant) -> String? {
        if let notBefore = record.notBefore, notBefore > now {
            return "it was made in the background and waits until \(notBefore)"
        }
        let limits = record.limits.union(record.configuration.limits)
        if let obstacle = limits.obstacle(in: network) { return obstacle }
        guard record.configuration.isDiscretionary else { return nil }
        if network?.isCellular == true { return "it waits for Wi-Fi" }
        return hasCharger ? nil : "it waits for a charger"
    }

    private mutating func begin(
        _ index: Int
    ) {
        let record = tasks[index].record
        tasks[index].notedObstacle = nil
        tasks[index].rest = nil
        turn.note(.engine(.attempt(record.id.name, number: record.failures + 1)))
        let connection = turn.process.connections.next(for: record.id.name)
        turn.wanted.append(.connect(connection, to: record.account, by: record.id.name))
        tasks[index].toldDone = .zero
        var lane = Lane(
            connection, to: record.account, by: wire(of: record), over: network, at: turn.now)
        lane.patience = record.configuration.requestTimeout
        lane.rejections = tasks[index].rejections
        tasks[index].phase = .running(lane)
    }

    /// The protocol of a task. A resumable upload stays one, even if the system now lacks a
    /// dialect.
    private func wire(of record: TaskRecord) -> Wire {
        if record.isDownload { return .fetch(record.extras) }
        guard record.isResumable else { return .put(record.extras) }
        return .resumable(.init(version: resumes ?? .six, extras: record.extras))
    }

    // MARK: What happens to an attempt

    /// Handles an event of a task's attempt.
    mutating func take(_ event: AttemptInput) {
        let owner: TaskID? =
            switch event.subject {
            case .file(let transfer): TaskID(transfer)
            case .connection(let connection):
                turn.process.connections.owner(of: connection).map {
                    TaskID(TransferID($0.number))
                }
            }
        guard let owner, let index = index(of: owner), var lane = tasks[index].lane else { return }
        if case .disconnected(let connection, let why) = event {
            turn.process.connections.forget(connection)
            return disconnected(index, why)
        }
        if let progress = lane.progress(by: event, at: turn.now) { tell(progress, of: index) }
        tasks[index].phase = .running(lane)
        withLane(of: index) { lane, transfer, turn in
            lane.take(event, &transfer, at: turn.now, into: &turn.wanted)
        }
    }

    /// Tells the app of progress, or only the log if the app cannot hear.
    private mutating func tell(_ progress: Lane.Progress, of index: Int) {
        let record = tasks[index].record
        guard hears(index) else {
            let (done, total) = (progress.done, progress.total)
            return turn.note(.engine(.hasMoved(record.id.name, done: done, total: total)))
        }
        let before = max(tasks[index].toldDone, progress.from)
        tasks[index].toldDone = progress.done
        turn.want(.tell(app: record.id.app, .progress(of: record, progress, after: before)))
    }

    /// Tells the app at which offset a download resumes (B12).
    private mutating func tellResumption(_ index: Int) {
        guard turn.wanted.contains(where: { $0.resumptionOffset != nil }), hears(index),
            let total = tasks[index].lane?.fetch?.total
        else { return }
        let record = tasks[index].record
        let wanted = turn.takeWanted()
        for offset in wanted.lazy.compactMap(\.resumptionOffset) {
            turn.want(
                .tell(
                    app: record.id.app,
                    .resumed(
                        record.id.number, session: record.session, offset: offset,
                        total: total)))
        }
        turn.wanted = wanted
    }

    private mutating func disconnected(_ index: Int, _ why: Disconnection) {
        if why == .networkLost, tasks[index].lane?.neverCame(over: network) != true {
            tasks[index].phase = .waiting
            return
        }
        fail(index, TaskError(why), closing: false)
    }

    mutating func wake() {
        for index in tasks.indices {
            let record = tasks[index].record
            if record.state == .running, let deadline = record.deadline, deadline <= turn.now {
                close(index)
                tasks[index].record.keepPart()
                finish(index, .failed(.timedOut), by: .done)
                continue
            }
            if let deadline = tasks[index].partDeadline, deadline <= turn.now {
                keep(.remove(record.id), of: index)
                continue
            }
            switch tasks[index].phase {
            case .pausing(let until) where until <= turn.now: tasks[index].phase = .waiting
            case .running(let lane) where lane.deadline <= turn.now:
                fail(index, .timedOut)
            case .entering, .starting, .waiting, .running, .pausing, .settling, .resting, .leaving:
                break
            }
        }
    }

    /// Interrupts tasks on a network that they should no longer use; they wait for another (B13).
    mutating func interruptWhereNeeded() {
        for index in tasks.indices {
            guard let lane = tasks[index].lane, !mayGoOn(lane, tasks[index].record, at: turn.now)
            else { continue }
            close(index)
            tasks[index].phase = .waiting
        }
    }

    private func mayGoOn(_ lane: Lane, _ record: TaskRecord, at now: Instant) -> Bool {
        guard obstacle(to: record, at: now) == nil else { return false }
        guard let network, let interface = lane.interface else { return true }
        guard network.alive.contains(interface) else { return false }
        // Wi-Fi is preferred, also for transfers that began without it.
        return !lane.isCellular || network.isCellular
    }

    // MARK: Ends of an attempt

    /// Handles an error of an attempt: the task backs off, or ends.
    mutating func fail(
        _ index: Int, _ error: TaskError, closing: Bool = true
    ) {
        let wait = tasks[index].lane?.askedToWait ?? .zero
        tasks[index].record.failures += 1
        let record = tasks[index].record
        let pause =
            error.isRetried
            ? retryPolicy.pause(afterFailures: record.failures).map { max($0, wait) } : nil
        turn.note(.engine(.fails(record.id.name, error, retryIn: pause)))
        if closing { close(index) }
        guard let pause else {
            tasks[index].record.keepPart()
            finish(index, .failed(error), by: .done)
            return
        }
        turn.persist(.put(record))
        tasks[index].phase = .pausing(until: turn.now + pause)
        tasks[index].notedObstacle = nil
    }

    mutating func close(_ index: Int) {
        guard let lane = tasks[index].lane else { return }
        turn.close(lane)
    }

    /// Decides the end of a task, which becomes durable before the app hears of it.
    mutating func finish(
        _ index: Int, _ outcome: TaskOutcome, by event: TaskState.Event,
        because: String? = nil
    ) {
        tasks[index].record.outcome = outcome
        do throws(TaskRefusal) {
            try move(index, event, because: because ?? outcome.words)
        } catch {
            preconditionFailure("\(tasks[index].record.id) finishes twice: \(error.message)")
        }
        keep(.put(tasks[index].record), of: index)
    }

    /// Hands the store the end of a task, or its removal.
    mutating func keep(
        _ change: TaskChange, of index: Int
    ) {
        let ticket = turn.persist(change)
        tasks[index].phase =
            switch change {
            case .put: .settling(ticket)
            case .remove: .leaving(ticket)
            case .told, .delay: preconditionFailure("no task waits for \(change)")
            }
    }

    /// Passes an event to a task's lane, and gives the lane what it then needs.
    mutating func withLane(
        of index: Int, _ event: (inout Lane, inout TransferRecord?, inout DaemonTurn) -> Lane.Need?
    ) {
        guard var lane = tasks[index].lane else { return }
        turn.flush()
        var transfer: TransferRecord? = tasks[index].record.transfer
        let need = event(&lane, &transfer, &turn)
        if let transfer { tasks[index].record.transfer = transfer }
        tasks[index].phase = .running(lane)
        tasks[index].rejections = lane.rejections
        tellResumption(index)
        switch need {
        case nil: break
        case .begin: beginOpen(index)
        case .rejected(let use): rejected(use, of: index)
        case .told: preconditionFailure("a task does not introduce itself")
        case .lost(let why): disconnected(index, why)
        case .save(let next):
            let ticket = turn.persist(.put(tasks[index].record))
            lane.save(ticket, then: next)
            tasks[index].phase = .running(lane)
        case .complete:
            close(index)
            let response = TaskResponse(lane.lastStatus, fields: lane.lastAnswer.head.fields)
            tasks[index].record.answer = lane.lastAnswer.body
            if lane.fetch != nil {
                tasks[index].record.transfer.isComplete = true
                turn.want(.sync(path: tasks[index].record.transfer.destination))
                if response.isSuccess, tasks[index].record.asksForObject {
                    turn.wanted.note(.engine(.completes(tasks[index].record.transfer.id.name)))
                }
            }
            finish(index, .answered(response), by: .done)
        case .fail(let error): fail(index, TaskError(error))
        }
    }
}

extension AttemptOutput {
    /// The offset at which a download resumes, if this notes that it does.
    fileprivate var resumptionOffset: ByteCount? {
        guard case .note(let note) = self, case .engine(.resumes(_, _, let offset)) = note.fact
        else { return nil }
        return offset
    }
}

extension DaemonNews {
    fileprivate static func progress(
        of record: TaskRecord, _ progress: Lane.Progress, after before: ByteCount
    ) -> Self {
        let (number, session) = (record.id.number, record.session)
        let bytes = progress.done - min(before, progress.done)
        return record.isDownload
            ? .wrote(
                number, session: session, bytes: bytes, done: progress.done, total: progress.total)
            : .progress(
                number, session: session, bytes: bytes, done: progress.done, total: progress.total)
    }
}

extension TaskOutcome {
    fileprivate var words: String {
        switch self {
        case .answered(let response): "the server answered \(response.status)"
        case .failed(let error): error.message
        }
    }
}
