import Quantities
import Testing
import TransferClient
import TransferEngine

@Suite struct BackgroundSessionTests {
    private let account = Account(
        host: "there", port: 80, credentials: CredentialHandle("app"))
    private var request: TaskRequest { TaskRequest("in/b.mov", of: account) }

    @Test func `what the app asks is handed on, under the numbers that it gives`() {
        let (host, ear) = (Host(), Ear())
        let sessions = BackgroundSessions(host: host)
        let session = sessions.session(withIdentifier: "films", delegate: ear)
        let upload = TaskRequest("in/a.mov", of: account)
        let task = session.uploadTask(5, with: upload, fromFile: "a.mov")
        task.resume()
        session.task(5).suspend()
        session.task(5).cancel()
        _ = session.downloadTask(6, with: TaskRequest("b.mov", of: account))
        let request = BackgroundTaskRequest(session: "films", upload, .upload(from: "a.mov"))
        let download = BackgroundTaskRequest(
            session: "films", TaskRequest("b.mov", of: account), .download)
        #expect(
            host.commands == [
                .open(session: "films"), .create(5, request), .resume(5), .suspend(5), .cancel(5),
                .create(6, download),
            ])
    }

    @Test func `each session hears of its own, and the handler goes to the app (B2, B4)`() {
        let (host, ear, other) = (Host(), Ear(), Ear())
        let sessions = BackgroundSessions(host: host)
        sessions.delegate = ear
        _ = sessions.session(withIdentifier: "films", delegate: ear)
        _ = sessions.session(withIdentifier: "songs", delegate: other)
        sessions.deliver(.handleEvents(session: "films"))
        sessions.deliver(
            .didSendBodyData(
                task: 1, session: "films", bytes: ByteCount(1), sent: ByteCount(1),
                expected: ByteCount(2)))
        sessions.deliver(
            .didResume(
                task: 2, session: "films", offset: ByteCount(1), expected: ByteCount(2)))
        sessions.deliver(
            .didWriteData(
                task: 2, session: "films", bytes: ByteCount(1), written: ByteCount(2),
                expected: ByteCount(2)))
        sessions.deliver(.didReceiveData(task: 1, session: "films", [1, 2]))
        sessions.deliver(
            .didFinishDownloading(
                task: 2, session: "films", request, TaskResponse(404), location: "there"))
        sessions.deliver(
            .didComplete(task: 1, session: "films", request, .answered(status: 201), nil))
        sessions.deliver(.didFinishEvents(session: "films"))
        #expect(
            ear.heard == [
                "handle films", "sent 1", "resumed 2", "wrote 1 of 2",
                "received [1, 2] for 1", "downloaded in/b.mov with 404 to there", "complete 1",
                "finished films",
            ])
        #expect(other.heard == [])
        #expect(host.commands.last == .open(session: "songs"))
        sessions.deliver(TaskRefusal.hasFinished)
        #expect(ear.heard.last == "refused: the task has finished: make a new one")
        sessions.deliver(.tasksWereLost([3, 4]))
        #expect(ear.heard.last == "lost: [3, 4]")
        ear.handler?()
        #expect(host.commands.last == .callHandler(session: "films"))
    }

    @Test func `the handler is called where the app is: on the main thread or not (B4)`() {
        let (host, ear) = (Host(), Ear())
        let sessions = BackgroundSessions(host: host)
        sessions.delegate = ear
        let caller = Caller()
        _ = sessions.session(
            withIdentifier: "films", delegate: caller, delegateQueue: .own)
        sessions.deliver(.handleEvents(session: "films"))
        caller.handler = ear.handler
        sessions.deliver(.didFinishEvents(session: "films"))
        #expect(host.commands.last == .callHandler(session: "films", onMainThread: false))
        ear.handler?()
        #expect(host.commands.last == .callHandler(session: "films", onMainThread: true))
    }

    @Test func `an app is made to fetch, and says what has come of it (B21)`() {
        let (sessions, ear) = (BackgroundSessions(host: Host()), Ear())
        sessions.delegate = ear
        var results: [FetchResult] = []
        sessions.performFetch { results.append($0) }
        #expect(ear.heard == ["fetch"] && results == [.newData])
        // The system would kill an app that says nothing.
        BackgroundSessions(host: Host()).performFetch { results.append($0) }
        #expect(results == [.newData, .noData])
    }

    @Test func `a session lists its tasks, each with its request (B17)`() {
        let (host, ear) = (Host(), Ear())
        let sessions = BackgroundSessions(host: host)
        let session = sessions.session(withIdentifier: "films", delegate: ear)
        var listed: [[String?]] = []
        session.getAllTasks { listed.append($0.map(\.originalRequest?.address)) }
        session.getAllTasks { listed.append($0.map(\.originalRequest?.address)) }
        #expect(host.commands.suffix(2) == [.list(session: "films"), .list(session: "films")])
        let summary = TaskSummary(
            number: 3, originalRequest: request, isDownload: true, state: .running)
        sessions.deliver(.tasks(session: "films", [summary]))
        sessions.deliver(.tasks(session: "films", []))
        sessions.deliver(.tasks(session: "films", []))
        #expect(listed == [["in/b.mov"], []])
        #expect(session.task(3).originalRequest == request)
    }

    @Test func `a download that is cancelled for later gives what another one needs (B12)`() {
        let (host, ear) = (Host(), Ear())
        let sessions = BackgroundSessions(host: host)
        let session = sessions.session(withIdentifier: "films", delegate: ear)
        let data = ResumeData(task: 3, request: request)
        var given: [ResumeData?] = []
        session.task(3).cancel { given.append($0) }
        #expect(host.commands.last == .cancel(3, keepingPart: true))
        for _ in 1...2 {
            sessions.deliver(
                .didComplete(task: 3, session: "films", request, .failed(.cancelled), data))
        }
        #expect(given == [data] && ear.resumeData == data)
        session.task(9).cancel { given.append($0) }
        sessions.deliver(TaskRefusal.noSuchTask(9))
        #expect(given == [data, nil])
        let next = session.downloadTask(4, withResumeData: data)
        #expect(next.originalRequest == request)
        let wanted = BackgroundTaskRequest(session: "films", request, .resumption(data))
        #expect(host.commands.last == .create(4, wanted))
    }

    @Test func `a session that did become invalid hears nothing more (B18)`() {
        let (host, ear) = (Host(), Ear())
        let sessions = BackgroundSessions(host: host)
        let session = sessions.session(withIdentifier: "films", delegate: ear)
        session.finishTasksAndInvalidate()
        session.invalidateAndCancel()
        #expect(
            host.commands.suffix(2) == [
                .invalidate(session: "films", cancelling: false),
                .invalidate(session: "films", cancelling: true),
            ])
        sessions.deliver(.didBecomeInvalid(session: "films"))
        sessions.deliver(.didFinishEvents(session: "films"))
        #expect(ear.heard == ["invalid films"])
    }

    @Test func `a delegate need not hear of anything`() {
        let deaf = Deaf()
        let sessions = BackgroundSessions(host: Host())
        _ = sessions.session(withIdentifier: "films", delegate: deaf)
        sessions.deliver(
            .didSendBodyData(
                task: 1, session: "films", bytes: ByteCount(1), sent: ByteCount(1),
                expected: ByteCount(2)))
        sessions.deliver(
            .didResume(
                task: 2, session: "films", offset: ByteCount(1), expected: ByteCount(2)))
        sessions.deliver(
            .didWriteData(
                task: 2, session: "films", bytes: ByteCount(1), written: ByteCount(2),
                expected: ByteCount(2)))
        sessions.deliver(.didReceiveData(task: 1, session: "films", []))
        sessions.deliver(
            .didFinishDownloading(
                task: 2, session: "films", request, TaskResponse(200), location: "there"))
        sessions.deliver(.didComplete(task: 1, session: "films", request, .failed(.cancelled), nil))
        sessions.deliver(.didBecomeInvalid(session: "films"))
        sessions.deliver(.didFinishEvents(session: "films"))
    }
}

private final class Host: CommandDoor, @unchecked Sendable {
    let container = "/apps/1"
    var commands: [BackgroundCommand] = []

    func keep(_: Secret, as _: CredentialHandle) {}
    func submit(_ command: Command) {
        if case .background(let command) = command { commands.append(command) }
    }
}

private final class Deaf: BackgroundSessionDelegate {}

/// Calls the handler where it hears that there is nothing more.
private final class Caller: BackgroundSessionDelegate {
    var handler: (() -> Void)?

    func didFinishEvents(forBackgroundSession identifier: String) { handler?() }
}

private final class Ear: BackgroundSessionDelegate, BackgroundAppDelegate {
    var heard: [String] = []
    var handler: (() -> Void)?
    var resumeData: ResumeData?

    func handleEvents(
        forBackgroundSession identifier: String, completionHandler: @escaping () -> Void
    ) {
        heard.append("handle \(identifier)")
        handler = completionHandler
    }
    func performFetch(completionHandler: @escaping (FetchResult) -> Void) {
        heard.append("fetch")
        completionHandler(.newData)
    }
    func backgroundTasksWereLost(_ tasks: [UInt64]) { heard.append("lost: \(tasks)") }
    func backgroundSessionRefused(_ refusal: TaskRefusal) {
        heard.append("refused: \(refusal.message)")
    }
    func task(
        _ task: BackgroundTask, didSendBodyData bytes: ByteCount, totalBytesSent sent: ByteCount,
        totalBytesExpectedToSend expected: ByteCount
    ) { heard.append("sent \(task.number)") }
    func task(
        _ task: BackgroundTask, didResumeAtOffset offset: ByteCount,
        expectedTotalBytes expected: ByteCount
    ) { heard.append("resumed \(task.number)") }
    func task(
        _ task: BackgroundTask, didWriteData bytes: ByteCount,
        totalBytesWritten written: ByteCount, totalBytesExpectedToWrite expected: ByteCount
    ) { heard.append("wrote \(bytes.bytes) of \(task.number)") }
    func task(_ task: BackgroundTask, didReceive data: [UInt8]) {
        heard.append("received \(data) for \(task.number)")
    }
    func task(
        _ task: BackgroundTask, didFinishDownloadingTo location: String, response: TaskResponse
    ) {
        let address = task.originalRequest?.address ?? "nothing"
        heard.append("downloaded \(address) with \(response.status) to \(location)")
    }
    func task(
        _ task: BackgroundTask, didCompleteWith outcome: TaskOutcome, resumeData: ResumeData?
    ) {
        heard.append("complete \(task.number)")
        self.resumeData = resumeData
    }
    func didBecomeInvalid(backgroundSession identifier: String) {
        heard.append("invalid \(identifier)")
    }
    func didFinishEvents(forBackgroundSession identifier: String) {
        heard.append("finished \(identifier)")
    }
}
