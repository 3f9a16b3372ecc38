import Quantities

/// Background sessions on the app's side. It passes on the app's commands, and lives no longer than
/// the process; everything lasting is with the daemon.
struct BackgroundClient: Hashable, Sendable {
    /// Identifiers of the live sessions (B1).
    private var sessions: [String] = []
    /// Sessions that take no more tasks.
    private var ending: [String] = []
    /// Tasks that were refused when they were made: nobody is asked to resume them.
    private var refused: Set<UInt64> = []
    /// Accounts for whose credentials tasks of the daemon wait, ordered by name.
    private var awaited: [Account] = []

    mutating func take(_ command: BackgroundCommand, in turn: inout Turn) {
        do throws(TaskRefusal) {
            switch command {
            case .open(let session):
                guard !sessions.contains(session) else { throw .sessionIsLive(session) }
                let isFirst = sessions.isEmpty
                sessions.append(session)
                if isFirst { tellCredentials(in: &turn) }
                turn.want(.askDaemon(.attach(session: session)))
            case .create(let number, let request):
                refused.insert(number)
                guard TransferID.numbersOfApps.contains(number) else {
                    throw .numberTooLarge(number)
                }
                try check(request)
                refused.remove(number)
                turn.want(.askDaemon(.create(number, request)))
            case .createFromMemory(let number):
                refused.insert(number)
                throw .notFromFile(number)
            case .resume(let number): ask(.resume(number), of: number, in: &turn)
            case .suspend(let number): ask(.suspend(number), of: number, in: &turn)
            case .cancel(let number, keepingPart: true) where refused.contains(number):
                throw .noSuchTask(number)
            case .cancel(let number, let keepsPart):
                ask(.cancel(number, keepingPart: keepsPart), of: number, in: &turn)
            case .list(let session):
                guard sessions.contains(session) else {
                    turn.tell(.background(.tasks(session: session, [])))
                    throw .noSuchSession(session)
                }
                turn.want(.askDaemon(.list(session: session)))
            case .invalidate(let session, let isCancelling):
                guard sessions.contains(session) else { throw .noSuchSession(session) }
                if !ending.contains(session) { ending.append(session) }
                turn.want(.askDaemon(.invalidate(session: session, cancelling: isCancelling)))
            case .callHandler(let session, let isOnMain):
                turn.note(
                    .background(
                        .handlerCalled(session: session, offMainThread: isOnMain ? nil : true)))
            }
        } catch {
            turn.tell(.refused(.task(error)))
        }
    }

    mutating func hear(_ news: DaemonNews, in turn: inout Turn) {
        switch news {
        case .credentialRejected(let account, let version):
            rejected(version, of: account, in: &turn)
        case .eventsWait(let session):
            turn.tell(.background(.handleEvents(session: session)))
        case .progress(let task, let session, let bytes, let done, let total):
            turn.tell(
                .background(
                    .didSendBodyData(
                        task: task, session: session, bytes: bytes, sent: done, expected: total)))
        case .resumed(let task, let session, let offset, let total):
            turn.tell(
                .background(
                    .didResume(task: task, session: session, offset: offset, expected: total)))
        case .wrote(let task, let session, let bytes, let done, let total):
            turn.tell(
                .background(
                    .didWriteData(
                        task: task, session: session, bytes: bytes, written: done,
                        expected: total)))
        case .downloaded(let task, let session, let request, let response, let path):
            turn.tell(
                .background(
                    .didFinishDownloading(
                        task: task, session: session, request, response, location: path)))
        case .received(let task, let session, let body):
            turn.tell(.background(.didReceiveData(task: task, session: session, body)))
        case .finished(let task, let session, let request, let outcome, let data):
            turn.tell(
                .background(
                    .didComplete(task: task, session: session, request, outcome, data)))
            turn.want(.askDaemon(.heard(task)))
        case .tasks(let session, let tasks):
            turn.tell(.background(.tasks(session: session, tasks)))
        case .invalidated(let session):
            sessions.removeAll { $0 == session }
            ending.removeAll { $0 == session }
            turn.tell(.background(.didBecomeInvalid(session: session)))
        case .eventsEnd(let session):
            turn.tell(.background(.didFinishEvents(session: session)))
        case .lost(let tasks):
            turn.tell(.background(.tasksWereLost(tasks)))
            turn.want(.askDaemon(.heardOfLoss))
        case .refused(let refusal): turn.tell(.refused(.task(refusal)))
        }
    }

    // MARK: Credentials

    private func tellCredentials(in turn: inout Turn) {
        for (handle, state) in turn.process.credentials.states {
            turn.want(.askDaemon(.credential(handle, state)))
        }
    }

    /// Answers a rejection that the daemon has met: with another version, at once or when the
    /// server has given it.
    private mutating func rejected(_ version: UInt32, of account: Account, in turn: inout Turn) {
        let handle = account.credentials
        let use = CredentialUse(handle: handle, version: version, length: .zero)
        switch turn.reject(use, of: account) {
        case .another:
            let state = turn.process.credentials.state(of: handle)
            turn.want(.askDaemon(.credential(handle, state)))
        case .renewal:
            guard !waits(for: handle) else { break }
            awaited.append(account)
            awaited.sort { $0.credentials.name < $1.credentials.name }
        case .none: turn.want(.askDaemon(.credential(handle, nil)))
        }
    }

    /// Tells the daemon of a credential that has changed, or is not to be had.
    mutating func credentialChanged(
        _ handle: CredentialHandle, _ error: TransferError?, in turn: inout Turn
    ) {
        if let error {
            guard waits(for: handle) else { return }
            awaited.removeAll { $0.credentials == handle }
            let answer: DaemonRequest =
                error.isRetryable ? .credentialNotForNow(handle) : .credential(handle, nil)
            return turn.want(.askDaemon(answer))
        }
        guard let state = turn.process.credentials.state(of: handle) else { return }
        // Another password may come first: the daemon asks again for the token that it brings.
        awaited.removeAll { $0.credentials == handle }
        if !sessions.isEmpty { turn.want(.askDaemon(.credential(handle, state))) }
    }

    /// Requests what is awaited once there is a network.
    func networkChanged(in turn: inout Turn) {
        for account in awaited { _ = turn.identity(of: account) }
    }

    func waits(for handle: CredentialHandle) -> Bool {
        awaited.contains { $0.credentials == handle }
    }

    private func ask(_ request: DaemonRequest, of task: UInt64, in turn: inout Turn) {
        if !refused.contains(task) { turn.want(.askDaemon(request)) }
    }

    /// Checks a request: a file of the app, and a place on the server (B9).
    private func check(_ request: BackgroundTaskRequest) throws(TaskRefusal) {
        guard sessions.contains(request.session) else { throw .noSuchSession(request.session) }
        guard !ending.contains(request.session) else { throw .sessionEnds(request.session) }
        guard case .upload(let source, _) = request.transfer else {
            return try request.request.check(isUpload: false)
        }
        try request.request.check(isUpload: true)
        guard ContainerPath.isInside(source) else { throw .sourceOutsideContainer(source) }
    }
}
