/// Background sessions on the app's side: it passes on what the app asks, and lives no longer than
/// the process. All that has to last is with the daemon.
struct BackgroundClient: Hashable, Sendable {
    /// The identifiers of the sessions that are live (B1).
    private var sessions: [String] = []

    mutating func take(_ command: BackgroundCommand, into outputs: inout [EngineOutput]) {
        do throws(TaskRefusal) {
            switch command {
            case .open(let session):
                guard !sessions.contains(session) else { throw .sessionIsLive(session) }
                sessions.append(session)
                outputs.append(.askDaemon(.attach(session: session)))
            case .create(let number, let request):
                try check(request)
                outputs.append(.askDaemon(.create(number, request)))
            case .createFromMemory(let number): throw .notFromFile(number)
            case .resume(let number): outputs.append(.askDaemon(.resume(number)))
            case .suspend(let number): outputs.append(.askDaemon(.suspend(number)))
            case .cancel(let number): outputs.append(.askDaemon(.cancel(number)))
            case .callHandler(let session):
                outputs.append(.note(.callsHandler(session: session)))
            }
        } catch {
            outputs.append(.note(.taskRefused(error)))
        }
    }

    mutating func hear(_ news: DaemonNews, into outputs: inout [EngineOutput]) {
        switch news {
        case .eventsWait(let session):
            outputs.append(.backgroundCallback(.handleEvents(session: session)))
        case .progress(let task, let session, let done, let total):
            outputs.append(
                .backgroundCallback(
                    .didSendBodyData(task: task, session: session, sent: done, expected: total)))
        case .resumed(let task, let session, let offset, let total):
            outputs.append(
                .backgroundCallback(
                    .didResume(task: task, session: session, offset: offset, expected: total)))
        case .wrote(let task, let session, let done, let total):
            outputs.append(
                .backgroundCallback(
                    .didWriteData(task: task, session: session, written: done, expected: total)))
        case .downloaded(let task, let session, let path):
            outputs.append(
                .backgroundCallback(
                    .didFinishDownloading(task: task, session: session, location: path)))
        case .finished(let task, let session, let outcome):
            outputs.append(
                .backgroundCallback(.didComplete(task: task, session: session, outcome)))
            outputs.append(.askDaemon(.heard(task)))
        case .eventsEnd(let session):
            outputs.append(.backgroundCallback(.didFinishEvents(session: session)))
        case .lost(let tasks):
            outputs.append(.backgroundCallback(.tasksWereLost(tasks)))
            outputs.append(.askDaemon(.heardOfLoss))
        case .refused(let refusal): outputs.append(.note(.taskRefused(refusal)))
        }
    }

    /// B9: a file of the app's own, and a place on the server.
    private func check(_ request: BackgroundTaskRequest) throws(TaskRefusal) {
        guard sessions.contains(request.session) else { throw .noSuchSession(request.session) }
        if request.account.host.isEmpty { throw .accountWithoutHost }
        switch request.transfer {
        case .upload(let source, let destination, _):
            guard ContainerPath.isInside(source) else { throw .sourceOutsideContainer(source) }
            guard ContainerPath.isInside(destination) else {
                throw .destinationOutsideDocroot(destination)
            }
        case .download(let object):
            guard ContainerPath.isInside(object) else { throw .destinationOutsideDocroot(object) }
        }
    }
}
