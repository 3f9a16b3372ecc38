import Quantities
import Testing
import TransferClient
import TransferEngine

@Suite struct BackgroundSessionTests {
    private let account = Account(
        host: "there", port: 80, credentials: CredentialHandle("app"))

    @Test func `what the app asks is handed on, under the numbers that it gives`() {
        let (host, ear) = (Host(), Ear())
        let sessions = BackgroundSessions(host: host)
        let session = sessions.session(withIdentifier: "films", delegate: ear)
        let task = session.uploadTask(5, to: account, path: "in/a.mov", fromFile: "a.mov")
        task.resume()
        session.task(5).suspend()
        session.task(5).cancel()
        _ = session.downloadTask(6, from: account, path: "b.mov")
        let request = BackgroundTaskRequest(
            session: "films", account: account, .upload(from: "a.mov", to: "in/a.mov"))
        let download = BackgroundTaskRequest(
            session: "films", account: account, .download("b.mov"))
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
                task: 1, session: "films", sent: ByteCount(1), expected: ByteCount(2)))
        sessions.deliver(
            .didResume(
                task: 2, session: "films", offset: ByteCount(1), expected: ByteCount(2)))
        sessions.deliver(
            .didWriteData(
                task: 2, session: "films", written: ByteCount(2), expected: ByteCount(2)))
        sessions.deliver(.didFinishDownloading(task: 2, session: "films", location: "there"))
        sessions.deliver(.didComplete(task: 1, session: "films", .answered(status: 201)))
        sessions.deliver(.didFinishEvents(session: "films"))
        #expect(
            ear.heard == [
                "handle films", "sent 1", "resumed 2", "wrote 2", "downloaded 2 to there",
                "complete 1", "finished films",
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

    @Test func `a delegate need not hear of anything`() {
        let deaf = Deaf()
        let sessions = BackgroundSessions(host: Host())
        _ = sessions.session(withIdentifier: "films", delegate: deaf)
        sessions.deliver(
            .didSendBodyData(
                task: 1, session: "films", sent: ByteCount(1), expected: ByteCount(2)))
        sessions.deliver(
            .didResume(
                task: 2, session: "films", offset: ByteCount(1), expected: ByteCount(2)))
        sessions.deliver(
            .didWriteData(
                task: 2, session: "films", written: ByteCount(2), expected: ByteCount(2)))
        sessions.deliver(.didFinishDownloading(task: 2, session: "films", location: "there"))
        sessions.deliver(.didComplete(task: 1, session: "films", .failed(.cancelled)))
        sessions.deliver(.didFinishEvents(session: "films"))
    }
}

private final class Host: TransferHost, @unchecked Sendable {
    let container = "/apps/1"
    var commands: [BackgroundCommand] = []

    func keep(_: Secret, as _: CredentialHandle) {}
    func submit(_ command: Command) {
        if case .background(let command) = command { commands.append(command) }
    }
}

private final class Deaf: BackgroundSessionDelegate {}

private final class Ear: BackgroundSessionDelegate, BackgroundAppDelegate {
    var heard: [String] = []
    var handler: (() -> Void)?

    func handleEvents(
        forBackgroundSession identifier: String, completionHandler: @escaping () -> Void
    ) {
        heard.append("handle \(identifier)")
        handler = completionHandler
    }
    func backgroundTasksWereLost(_ tasks: [UInt64]) { heard.append("lost: \(tasks)") }
    func backgroundSessionRefused(_ refusal: TaskRefusal) {
        heard.append("refused: \(refusal.message)")
    }
    func task(
        _ task: UInt64, didSendBodyData sent: ByteCount,
        totalBytesExpectedToSend expected: ByteCount
    ) { heard.append("sent \(task)") }
    func task(
        _ task: UInt64, didResumeAtOffset offset: ByteCount,
        expectedTotalBytes expected: ByteCount
    ) { heard.append("resumed \(task)") }
    func task(
        _ task: UInt64, didWriteData written: ByteCount,
        totalBytesExpectedToWrite expected: ByteCount
    ) { heard.append("wrote \(task)") }
    func task(_ task: UInt64, didFinishDownloadingTo location: String) {
        heard.append("downloaded \(task) to \(location)")
    }
    func task(_ task: UInt64, didCompleteWith outcome: TaskOutcome) {
        heard.append("complete \(task)")
    }
    func didFinishEvents(forBackgroundSession identifier: String) {
        heard.append("finished \(identifier)")
    }
}
