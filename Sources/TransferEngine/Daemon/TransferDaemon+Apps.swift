import Quantities

/// Requests of apps to the daemon, and messages to the apps.
extension TransferDaemon {
    mutating func take(
        _ request: DaemonRequest, of app: UInt16
    ) {
        let client = client(app)
        switch request {
        case .attach(let session): clients[client].attach(session)
        case .credential(let handle, let state): brought(handle, state, by: client)
        case .credentialNotForNow(let handle): notForNow(handle, by: client)
        case .heardOfLoss:
            setAside?.told.append(app)
            turn.persist(.told(app))
        case .create(let number, let request):
            create(TaskID(app: app, number: number), request, client)
        case .resume(let number), .suspend(let number), .cancel(let number), .heard(let number):
            guard let index = index(of: TaskID(app: app, number: number)) else {
                refuse(request, ofNone: TaskID(app: app, number: number))
                break
            }
            if case .entering = tasks[index].phase {
                tasks[index].early.append(request)
            } else {
                take(request, ofTask: index)
            }
        }
    }

    /// Refuses to resume or suspend a task that nothing is kept of: the app was told of its end.
    private mutating func refuse(_ request: DaemonRequest, ofNone id: TaskID) {
        switch request {
        case .resume, .suspend: refuse(.noSuchTask(id.number), to: id)
        case .cancel, .heard, .attach, .credential, .credentialNotForNow, .create, .heardOfLoss:
            break
        }
    }

    private mutating func take(
        _ request: DaemonRequest, ofTask index: Int
    ) {
        switch request {
        case .resume: move(index, .resume)
        case .suspend: move(index, .suspend)
        case .cancel:
            cancel(index, by: .cancel, because: "the app cancelled it")
        case .heard:
            keep(.remove(tasks[index].record.id), of: index)
        case .attach, .credential, .credentialNotForNow, .create, .heardOfLoss:
            preconditionFailure("\(request) is asked of no task")
        }
    }

    private mutating func create(
        _ id: TaskID, _ request: BackgroundTaskRequest, _ client: Int
    ) {
        guard index(of: id) == nil else {
            return refuse(.numberIsTaken(id.number), to: id)
        }
        var record = TaskRecord(
            id: id, session: request.session, account: request.account,
            transfer: transfer(of: id, request.transfer, at: turn.now),
            isDownload: request.transfer.isDownload, isResumable: resumes(request.transfer),
            limits: request.limits, isDiscretionary: request.isDiscretionary,
            installation: clients[client].installation)
        if clients[client].stage == .behind {
            record.notBefore = turn.now + clients[client].delay
            turn.note(.engine(.delays(id.name, by: clients[client].delay)))
        }
        let ticket = turn.persist(.put(record))
        let place = tasks.firstIndex { $0.record.id > id } ?? tasks.endIndex
        tasks.insert(DaemonTask(record: record, phase: .entering(ticket)), at: place)
    }

    private func transfer(
        of id: TaskID, _ request: BackgroundTaskRequest.Transfer, at now: Instant
    ) -> TransferRecord {
        // Numbers begin again when an app's data is cleared; time does not.
        let key = "\(identity)-\(id.app)-\(id.number)-\(turn.now.nanoseconds)"
        return switch request {
        case .upload(let source, let destination, _):
            TransferRecord(
                id: id.transfer, source: source, destination: destination,
                resource: resumes(request) ? nil : key)
        case .download(let object):
            TransferRecord(
                id: id.transfer, source: object, destination: "\(Self.downloadsFolder)/\(key)")
        }
    }

    /// Whether the address and the phone's system both support resumable uploads.
    private func resumes(_ request: BackgroundTaskRequest.Transfer) -> Bool {
        if case .upload(_, _, isResumable: true) = request { resumes != nil } else { false }
    }

    private mutating func move(
        _ index: Int, _ event: TaskState.Event
    ) {
        let before = tasks[index].record.state
        do throws(TaskRefusal) {
            try move(index, event, because: "the app asked for it")
        } catch { return refuse(error, to: tasks[index].record.id) }
        guard tasks[index].record.state != before else { return }
        if case .pausing(let until) = tasks[index].phase { tasks[index].rest = until }
        close(index)
        let isRunning = tasks[index].record.state == .running
        if isRunning, tasks[index].record.deadline == nil {
            tasks[index].record.deadline = turn.now + Self.resourceTimeout
        }
        let ticket = turn.persist(.put(tasks[index].record))
        tasks[index].phase = isRunning ? .starting(ticket) : .resting
        tasks[index].notedObstacle = nil
    }

    /// Tells the app of a refusal if it can hear; no app is started for that.
    private mutating func refuse(
        _ refusal: TaskRefusal, to id: TaskID
    ) {
        guard clients.contains(where: { $0.app == id.app && $0.hears }) else { return }
        turn.want(.tell(app: id.app, .refused(refusal)))
    }

    mutating func cancel(
        _ index: Int, by event: TaskState.Event, because: String
    ) {
        guard tasks[index].record.state != .finished else {
            return countCell(of: tasks[index].record, event)
        }
        close(index)
        turn.note(.engine(.fails(tasks[index].record.id.name, TaskError.cancelled)))
        finish(index, .failed(.cancelled), by: event, because: because)
    }

    // MARK: What becomes of an app

    mutating func appIs(
        _ app: UInt16, _ stage: DaemonClientStage
    ) {
        let client = client(app)
        let wasWoken = clients[client].enter(stage)
        switch stage {
        case .inFront:
            becomes(BackgroundDelay.first, of: client)
            endDelays(of: app)
        case .behind where wasWoken:
            turn.want(.hasWoken(app))
            let longer = min(clients[client].delay * 2, BackgroundDelay.longest)
            becomes(longer, of: client)
        case .behind, .suspended: break
        case .dead: offerAgain(app)
        case .thrownOut:
            offerAgain(app)
            for index in tasks.indices where tasks[index].record.id.app == app {
                cancel(
                    index, by: .forceQuit, because: "the user threw its app out")
            }
        case .cleared:
            offerAgain(app)
            for index in tasks.indices where tasks[index].record.id.app == app {
                close(index)
                drop(tasks[index].record)
            }
            tasks.removeAll { $0.record.id.app == app }
        }
    }

    /// Changes a client's delay durably: a restart of the phone does not shorten it.
    private mutating func becomes(
        _ delay: TimeSpan, of client: Int
    ) {
        if let kept = clients[client].change(delay) { turn.persist(.delay(kept)) }
    }

    /// Ends the delays of an app's tasks, as the user has the app in front (B11).
    private mutating func endDelays(of app: UInt16) {
        for index in tasks.indices
        where tasks[index].record.id.app == app && tasks[index].record.notBefore != nil
            && tasks[index].record.state != .finished
        {
            tasks[index].record.notBefore = nil
            turn.persist(.put(tasks[index].record))
        }
    }

    /// Removes a task that nobody needs.
    mutating func drop(_ record: TaskRecord) {
        discard(record)
        turn.persist(.remove(record.id))
    }

    /// Deletes the file of a download that nobody needs.
    mutating func discard(_ record: TaskRecord) {
        if record.isDownload { turn.want(.discard(path: record.transfer.destination)) }
    }

    /// Forgets what the app's process was told but did not confirm: the next process is told again.
    private mutating func offerAgain(_ app: UInt16) {
        for index in tasks.indices where tasks[index].record.id.app == app {
            tasks[index].isOffered = false
        }
    }

    mutating func client(_ app: UInt16) -> Int {
        if let place = clients.firstIndex(where: { $0.app == app }) { return place }
        clients.append(DaemonClient(app: app))
        return clients.count - 1
    }

    // MARK: Telling

    func hears(_ index: Int) -> Bool {
        let record = tasks[index].record
        return clients.contains {
            $0.app == record.id.app && $0.hears && $0.attached.contains(record.session)
        }
    }

    /// Tells apps, in the order of B2: that events wait, the events, that there are no more.
    mutating func deliver() {
        for place in clients.indices where clients[place].hears {
            let app = clients[place].app
            tellOfLoss(place)
            for session in clients[place].announce() {
                turn.want(.tell(app: app, .eventsWait(session: session)))
            }
            for index in tasks.indices
            where tasks[index].record.id.app == app && isUntold(index) && hears(index) {
                tasks[index].isOffered = true
                let record = tasks[index].record
                guard let outcome = record.outcome else { continue }
                if record.isDownload, record.transfer.isComplete {
                    turn.want(
                        .tell(
                            app: app,
                            .downloaded(
                                record.id.number, session: record.session,
                                path: record.transfer.destination)))
                }
                turn.want(
                    .tell(
                        app: app,
                        .finished(record.id.number, session: record.session, outcome)))
            }
            requestCredentials(of: place)
            for session in clients[place].endEvents(besides: sessionsWithoutCredential(app)) {
                turn.want(.tell(app: app, .eventsEnd(session: session)))
            }
        }
    }

    /// Tells an app with a session once that tasks are lost: there may be tasks that nobody can
    /// name.
    private mutating func tellOfLoss(_ client: Int) {
        let app = clients[client].app
        guard let setAside, !setAside.told.contains(app), !clients[client].knowsOfLoss,
            !clients[client].attached.isEmpty
        else { return }
        clients[client].learnOfLoss()
        let lost = setAside.lost.filter { $0.app == app }.map(\.number)
        turn.want(.tell(app: app, .lost(lost)))
    }

    /// Asks the system to run apps in the background once none of a session's tasks is under way
    /// (B7).
    mutating func wakeApps() {
        for place in clients.indices {
            switch clients[place].stage {
            case .suspended, .dead: break
            case .inFront, .behind, .thrownOut, .cleared: continue
            }
            let app = clients[place].app
            let untold = tasks.indices.filter {
                tasks[$0].record.id.app == app && isUntold($0) && !tasks[$0].hasWoken
                    && isQuiet(tasks[$0].record.session, of: app)
            }
            let sessions = untold.map { tasks[$0].record.session } + credentialsToWakeFor(place)
            guard !sessions.isEmpty else { continue }
            for index in untold { tasks[index].hasWoken = true }
            clients[place].wake(for: sessions)
            turn.want(.wakeApp(app))
        }
    }

    private func isUntold(_ index: Int) -> Bool {
        tasks[index].record.state == .finished && tasks[index].phase == .resting
            && !tasks[index].isOffered
    }

    private func isQuiet(_ session: String, of app: UInt16) -> Bool {
        !tasks.contains {
            $0.record.id.app == app && $0.record.session == session && $0.isUnderWay
        }
    }
}

extension BackgroundTaskRequest.Transfer {
    fileprivate var isDownload: Bool {
        switch self {
        case .upload: false
        case .download: true
        }
    }
}
