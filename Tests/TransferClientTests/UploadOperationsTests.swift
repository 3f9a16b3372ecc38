import Glibc
import Quantities
import Synchronization
import Testing
import TransferClient
import TransferEngine

/// Behaviour U as an app sees it: three lists and one notification.
@Suite struct UploadOperationsTests {
    private let host = Host()
    private let operations: UploadOperations
    private let ear = Ear()

    init() {
        operations = UploadOperations(host: host)
        operations.addObserver(ear)
    }

    private func upload(_ number: UInt64) -> UploadOperation {
        operations.upload(
            number, fromFile: "films/a.mov",
            to: Account(host: "docroot", port: 80, credentials: CredentialHandle("app")),
            path: "in/a.mov")
    }

    private func tell(_ number: UInt64, _ news: OperationNews) {
        operations.deliver(news, of: OperationID(number))
    }

    @Test func `an operation is in one list, is told of, and names its file (U1, U3, U4)`() {
        let operation = upload(1)
        #expect(operation.fileName == "a.mov")
        #expect(operations.ongoing.isEmpty, "nobody has said yet that it is")
        tell(1, .added)
        #expect(operations.ongoing.map(\.number) == [1])
        tell(1, .completed)
        #expect(operations.ongoing.isEmpty)
        #expect(operations.completed.map(\.number) == [1])
        tell(1, .agedOut)
        #expect(operations.completed.isEmpty)
        #expect(ear.heard == ["1 added", "1 completed", "1 agedOut"])
    }

    @Test func `who gives no number gets the next one`() {
        let account = Account(host: "docroot", port: 80, credentials: CredentialHandle("app"))
        _ = upload(7)
        // The engine will refuse it: nothing comes after it.
        _ = upload(.max)
        let next = operations.upload(fromFile: "a.mov", to: account, path: "in/a.mov")
        let last = operations.upload(fromFile: "b.mov", to: account, path: "in/b.mov")
        #expect([next, last].map(\.number) == [8, 9])
    }

    @Test func `many threads get different numbers, and are heard in their order`() async {
        host.isSlow = true
        let operations = operations
        let account = Account(host: "docroot", port: 80, credentials: CredentialHandle("app"))
        let numbers = await withTaskGroup(of: [UInt64].self) { group in
            for _ in 0..<4 {
                group.addTask {
                    (0..<100).map { _ in
                        operations.upload(fromFile: "a.mov", to: account, path: "a.mov").number
                    }
                }
            }
            return await group.reduce(into: []) { $0 += $1 }
        }
        #expect(numbers.sorted() == Array(1...400))
        // A refusal without a number is of the first that waits.
        let submitted = host.commands.compactMap { command -> UInt64? in
            if case .start(let id, _) = command { id.number } else { nil }
        }
        #expect(submitted == Array(1...400))
    }

    @Test func `each sequence has what observers hear, in order (U3)`() async {
        let (first, second) = (operations.events(), operations.events())
        let operation = upload(1)
        tell(1, .added)
        tell(1, .progress(done: ByteCount(1), total: ByteCount(4)))
        tell(1, .completed)
        for events in [first, second] {
            var changes: [UploadOperationChange] = []
            for await event in events {
                #expect(event.operation === operation)
                changes.append(event.change)
                if event.change == .completed { break }
            }
            #expect(changes == [.added, .progress, .completed])
        }
    }

    @Test func `the sequences end with their host`() async {
        let before = operations.events()
        operations.hostHasEnded()
        for events in [before, operations.events()] {
            for await event in events { Issue.record("\(event.change)") }
        }
    }

    @Test func `progress is a fraction, and does not move it in its list (U4)`() {
        let operation = upload(1)
        let other = upload(2)
        tell(1, .added)
        tell(2, .added)
        tell(1, .progress(done: ByteCount(1), total: ByteCount(4)))
        #expect(operation.fraction == 0.25)
        #expect(operations.ongoing.map(\.number) == [1, 2])
        tell(2, .progress(done: .zero, total: .zero))
        #expect(other.fraction == 1)
    }

    @Test func `all may be cancelled while their list is walked (U5)`() {
        let held = (1...3).map { upload($0) }
        for number in 1...3 { tell(UInt64(number), .added) }
        for operation in operations.ongoing {
            operation.task.cancel()
            tell(operation.number, .failed(.transport(.cancelled)))
        }
        #expect(operations.failed.map(\.number) == [1, 2, 3])
        #expect(held.map(\.error) == Array(repeating: .transport(.cancelled), count: 3))
        #expect(
            host.commands.suffix(3) == (1...3).map { .cancel(OperationID($0)) })
    }

    @Test func `one that has failed is retried, listed or not (U6)`() {
        let operation = upload(1)
        tell(1, .added)
        tell(1, .failed(.tokenExpired))
        operations.retry(operation)
        #expect(operations.failed.map(\.number) == [1], "nobody has said yet that it is")
        tell(1, .added)
        #expect(operations.failed.isEmpty && operations.ongoing.map(\.number) == [1])
        #expect(operation.error == nil)
        tell(1, .failed(.tokenExpired))
        tell(1, .agedOut)
        operations.retry(operation)
        tell(1, .added)
        #expect(operations.ongoing.map(\.number) == [1])
    }

    @Test func `one that is retried twice and fails twice is in one list (U1)`() {
        let operation = upload(1)
        tell(1, .added)
        tell(1, .failed(.tokenExpired))
        operations.retry(operation)
        operations.retry(operation)
        for _ in 1...2 {
            tell(1, .added)
            #expect(operations.ongoing.count == 1 && operations.failed.isEmpty)
            tell(1, .failed(.tokenExpired))
            #expect(operations.ongoing.isEmpty && operations.failed.count == 1)
        }
    }

    @Test func `what is refused is in no list`() {
        let operation = upload(1)
        operations.deliver(.numberInUse(OperationID(1)))
        tell(1, .completed)
        #expect(operations.completed.isEmpty, "that was another one's end")
        #expect(operation.error == nil)
        #expect(ear.heard == ["refused"])
    }

    @Test func `a number that was refused is free for the next upload`() {
        let refused = upload(1)
        operations.deliver(.accountWithoutHost)
        let next = upload(1)
        tell(1, .added)
        #expect(operations.ongoing.first === next)
        #expect(operations.ongoing.first !== refused)
    }

    @Test func `a refused command that begins nothing takes no waiting upload away`() {
        operations.flush()
        let operation = upload(1)
        operations.deliver(.notInitialised(nil))
        tell(1, .added)
        #expect(operations.ongoing.map(\.number) == [operation.number])
        _ = upload(2)
        operations.deliver(.notInitialised(OperationID(2)))
        tell(2, .added)
        #expect(operations.ongoing.map(\.number) == [1])
    }

    @Test func `one that nobody holds is forgotten`() {
        do {
            let operation = upload(1)
            tell(1, .added)
            tell(operation.number, .failed(.tokenExpired))
        }
        #expect(!host.commands.contains(.forget(OperationID(1))), "its list holds it")
        tell(1, .agedOut)
        #expect(host.commands.last == .forget(OperationID(1)))
    }

    @Test func `every observer hears everything, once, until it is removed or gone (U8)`() {
        let other = Ear()
        operations.addObserver(other)
        operations.addObserver(other)
        let operation = upload(1)
        do {
            let shortLived = Ear()
            operations.addObserver(shortLived)
        }
        tell(1, .added)
        tell(1, .failed(.tokenExpired))
        tell(1, .flushed)
        let expected = ["1 added", "1 failed(TransferEngine.OperationError.tokenExpired)"]
        #expect(ear.heard == expected + ["1 flushed"])
        #expect(other.heard == ear.heard)
        operations.removeObserver(other)
        operations.retry(operation)
        operations.deliver(.numberInUse(OperationID(1)))
        #expect(ear.heard.last == "refused")
        #expect(other.heard.count == 3)
        #expect(UploadNotification.name == "kOperationProgressChangedNotification")
    }

    @Test func `an observer that is removed in a notification is not told of it any more`() {
        let other = Ear()
        let remover = Remover { operations.removeObserver(other) }
        operations.addObserver(remover)
        operations.addObserver(other)
        _ = upload(1)
        tell(1, .added)
        #expect(other.heard.isEmpty)
        #expect(ear.heard == ["1 added"])
    }

    @Test func `the progress object tells bytes, and stays when the operation is retried (U9)`() {
        let operation = upload(1)
        let progress = operation.progress
        var told: [UInt64] = []
        progress.onChange = { told.append($0.completed.bytes) }
        tell(1, .added)
        #expect(progress.total == nil && progress.fraction == 0 && !progress.isFinished)
        tell(1, .progress(done: ByteCount(1), total: ByteCount(3)))
        tell(1, .progress(done: ByteCount(3), total: ByteCount(3)))
        #expect(progress.isFinished && progress.fraction == 1)
        tell(1, .failed(.tokenExpired))
        operations.retry(operation)
        tell(1, .added)
        #expect(told == [0, 1, 3, 0])
        #expect(operation.progress === progress)
    }

    @Test func `a task belongs to one attempt, and one that is over cancels nothing (U9)`() {
        let operation = upload(1)
        let first = operation.task
        tell(1, .added)
        tell(1, .progress(done: ByteCount(1), total: ByteCount(3)))
        tell(1, .failed(.tokenExpired))
        #expect(first.state == .completed && first.error == .tokenExpired)
        #expect(first.sent == ByteCount(1) && first.expected == ByteCount(3))
        operations.retry(operation)
        let second = operation.task
        #expect(second !== first && second.state == .running && second.sent == .zero)
        first.cancel()
        #expect(!host.commands.contains(.cancel(OperationID(1))))
        // Cancelled before the engine has said that the retry is ongoing.
        second.cancel()
        #expect(second.state == .cancelling)
        #expect(host.commands.suffix(2) == [.retry(OperationID(1)), .cancel(OperationID(1))])
        tell(1, .added)
        #expect(operation.task === second)
        tell(1, .failed(.transport(.cancelled)))
        #expect(second.state == .completed && second.error == .transport(.cancelled))
        #expect(first.error == .tokenExpired)
    }

    @Test func `the task of a refused upload is over, and that of an ongoing one is not`() {
        let refused = upload(1)
        operations.deliver(.accountWithoutHost)
        #expect(refused.task.state == .completed)
        let operation = upload(2)
        tell(2, .added)
        let task = operation.task
        operations.retry(operation)
        operations.deliver(.notFailed(OperationID(2), .ongoing))
        #expect(operation.task === task && task.state == .running)
    }

    @Test func `without an observer everything works`() {
        operations.removeObserver(ear)
        _ = upload(1)
        tell(1, .added)
        operations.flush()
        #expect(operations.ongoing.map(\.number) == [1])
        #expect(host.commands.last == .flush)
    }
}

private final class Host: CommandDoor {
    let container = "/apps/1"
    private let submitted = Mutex<[OperationCommand]>([])
    /// Whether every other command takes its time.
    private let slow = Atomic(false)
    var isSlow: Bool {
        get { slow.load(ordering: .relaxed) }
        set { slow.store(newValue, ordering: .relaxed) }
    }
    var commands: [OperationCommand] { submitted.withLock { $0 } }
    func keep(_: Secret, as _: CredentialHandle) {}
    func submit(_ command: Command) {
        guard case .operation(let command) = command else { return }
        if isSlow, case .start(let id, _) = command, id.number % 2 == 1 { usleep(100) }
        submitted.withLock { $0.append(command) }
    }
}

private final class Ear: UploadOperationsObserver {
    var heard: [String] = []
    func uploadOperationsChanged(_ notification: UploadNotification) {
        heard.append("\(notification.operation.number) \(notification.change)")
    }
    func uploadOperationsRefused(_ refusal: OperationRefusal) { heard.append("refused") }
}

private final class Remover: UploadOperationsObserver {
    private let remove: () -> Void
    init(_ remove: @escaping () -> Void) { self.remove = remove }
    func uploadOperationsChanged(_: UploadNotification) { remove() }
}
