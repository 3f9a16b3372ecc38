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
        case .list(let session): list(session, of: app)
        case .invalidate(let session, let isCancelling):
            clients[client].end(session)
            if isCancelling { cancelAll(of: app, in: session) }
        case .resume(let number), .suspend(let number), .cancel(let number, _),
            .heard(let number):
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
        case .resume, .suspend, .cancel(_, keepingPart: true):
            refuse(.noSuchTask(id.number), to: id)
        case .cancel, .heard, .attach, .credential, .credentialNotForNow, .create, .heardOfLoss,
            .list, .invalidate:
            break
        }
    }

    private mutating func take(
        _ request: DaemonRequest, ofTask index: Int
    ) {
        switch request {
        // Nothing is kept of a task whose end the app was told, but perhaps its part.
        case .resume where tasks[index].isPart, .suspend where tasks[index].isPart:
            refuse(request, ofNone: tasks[index].record.id)
        case .resume: move(index, .resume)
        case .suspend: move(index, .suspend)
        case .cancel(_, keepingPart: true) where tasks[index].isOffered || tasks[index].isPart:
            refuse(request, ofNone: tasks[index].record.id)
        case .cancel(_, let keepsPart):
            cancel(
                index, by: .cancel, because: "the app cancelled it", keepingPart: keepsPart)
        case .heard where tasks[index].record.keepsPart:
            tasks[index].record.isTold = true
            tasks[index].record.deadline = turn.now + Self.partTime
            keep(.put(tasks[index].record), of: index)
        case .heard:
            keep(.remove(tasks[index].record.id), of: index)
        case .attach, .credential, .credentialNotForNow, .create, .heardOfLoss, .list,
            .invalidate:
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
            id: id, session: request.session, account: request.request.account,
            transfer: transfer(of: id, request),
            isDownload: request.transfer.isDownload, isResumable: resumes(request.transfer),
            limits: request.request.limits, configuration: request.configuration,
            installation: clients[client].installation)
        record.method = request.request.method
        record.fields = request.request.fields
        if clients[client].stage == .behind {
            record.notBefore = turn.now + clients[client].delay
            turn.note(.engine(.delays(id.name, by: clients[client].delay)))
        }
        let ticket = turn.persist(.put(record))
        let place = tasks.firstIndex { $0.record.id > id } ?? tasks.endIndex
        tasks.insert(DaemonTask(record: record, phase: .entering(ticket)), at: place)
    }

    private func transfer(
        of id: TaskID, _ request: BackgroundTaskRequest
    ) -> TransferRecord {
        // Numbers begin again when an app's data is cleared; time does not.
        let key = "\(identity)-\(id.app)-\(id.number)-\(turn.now.nanoseconds)"
        let address = request.request.address
        switch request.transfer {
        case .upload(let source, _):
            return TransferRecord(
                id: id.transfer, source: source, destination: address,
                resource: resumes(request.transfer) ? nil : key)
        case .resumption(let data):
            guard let part = part(of: TaskID(app: id.app, number: data.task), data) else {
                fallthrough
            }
            return TransferRecord(
                id: id.transfer, source: address, destination: part.destination,
                resource: part.resource)
        case .download:
            return TransferRecord(
                id: id.transfer, source: address, destination: "\(Self.downloadsFolder)/\(key)")
        }
    }

    /// Returns the part of a download that was kept, unless another task already has it.
    private func part(of id: TaskID, _ data: ResumeData) -> TransferRecord? {
        guard let index = index(of: id), tasks[index].record.keepsPart,
            tasks[index].record.request == data.request, tasks[index].record.state == .finished,
            !tasks.contains(where: { $0.record.continues(tasks[index].record) })
        else { return nil }
        return tasks[index].record.transfer
    }

    /// Whether the address and the phone's system both support resumable uploads.
    private func resumes(_ request: BackgroundTaskRequest.Transfer) -> Bool {
        if case .upload(_, isResumable: true) = request { resumes != nil } else { false }
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
            tasks[index].record.deadline =
                turn.now + tasks[index].record.configuration.resourceTimeout
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
        _ index: Int, by event: TaskState.Event, because: String, keepingPart: Bool = false
    ) {
        guard tasks[index].record.state != .finished else {
            return countCell(of: tasks[index].record, event)
        }
        close(index)
        turn.note(.engine(.fails(tasks[index].record.id.name, TaskError.cancelled)))
        if keepingPart { tasks[index].record.keepPart() }
        finish(index, .failed(.cancelled), by: event, because: because)
    }

    private mutating func cancelAll(of app: UInt16, in session: String) {
        for index in tasks.indices
        where tasks[index].record.id.app == app && tasks[index].record.session == session {
            if case .entering = tasks[index].phase {
                tasks[index].early.append(
                    .cancel(tasks[index].record.id.number, keepingPart: false))
            } else {
                cancel(index, by: .cancel, because: "the app ends its session")
            }
        }
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
                    index, by: .forceQuit, because: "the user threw its app out",
                    keepingPart: true)
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
            tasks[index].toldDone = .zero
        }
    }

    mutating func client(_ app: UInt16) -> Int {
        if let place = clients.firstIndex(where: { $0.app == app }) { return place }
        clients.append(DaemonClient(app: app))
        return clients.count - 1
    }

    // MARK: Telling

    func hears(_ index: Int) -> Bool {
        let (app, session) = (tasks[index].record.id.app, tasks[index].record.session)
        return clients.contains {
            $0.app == app && $0.hears && $0.attached.contains(session)
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
                tellEnd(of: tasks[index].record)
            }
            requestCredentials(of: place)
            for session in clients[place].endEvents(besides: sessionsWithoutCredential(app)) {
                turn.want(.tell(app: app, .eventsEnd(session: session)))
            }
            guard clients[place].endsSessions else { continue }
            let busy = tasks.filter { $0.record.id.app == app && !$0.isOffered && !$0.isPart }
                .map(\.record.session)
            for session in clients[place].detach(besides: busy) {
                turn.want(.tell(app: app, .invalidated(session: session)))
            }
        }
    }

    private mutating func tellEnd(of record: TaskRecord) {
        let (app, number, session) = (record.id.app, record.id.number, record.session)
        guard let outcome = record.outcome else { return }
        if case .answered(let response) = outcome {
            if record.isDownload, record.transfer.isComplete {
                let path = record.transfer.destination
                turn.want(
                    .tell(
                        app: app,
                        .downloaded(
                            number, session: session, record.request, response, path: path)))
            }
            if !record.answer.isEmpty {
                turn.want(.tell(app: app, .received(number, session: session, record.answer)))
            }
        }
        turn.want(
            .tell(
                app: app,
                .finished(number, session: session, record.request, outcome, record.resumeData)))
    }

    private mutating func list(_ session: String, of app: UInt16) {
        let open = tasks.filter {
            $0.record.id.app == app && $0.record.session == session && !$0.isOffered && !$0.isPart
        }
        let summaries = open.map { task in
            TaskSummary(
                number: task.record.id.number, originalRequest: task.record.request,
                isDownload: task.record.isDownload, state: task.record.state)
        }
        turn.want(.tell(app: app, .tasks(session: session, summaries)))
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
                    && tasks[$0].record.configuration.sendsLaunchEvents
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
        tasks[index].record.state == .finished && tasks[index].isResting
            && !tasks[index].isOffered && !tasks[index].isPart
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
        case .download, .resumption: true
        }
    }
}
