import Foundation
import Testing

/// The library as a program of another package sees it: what is not public is not there.
@Suite struct LibraryTests {
    /// An app and its host: the queue on one side, the engine on the other, a mailbox between them.
    private static let app = """
        import Quantities
        import TransferClient
        import TransferEngine

        final class Screen: TransferQueueDelegate {
            func didDeactivate(_ session: SessionID, with result: SessionResult) {
                print(session, result)
            }
        }

        let mailbox = CommandMailbox(container: "/apps/1")
        let faces = TransferFaces(host: mailbox)
        let queue = faces.queue
        let screen = Screen()
        queue.delegate = screen
        let home = TransferAccount(
            host: "nobody.example", credentials: CredentialHandle("the app's"), in: queue)
        let session = TransferSession(with: home, upload: true)
        session.addPath("video.mov", to: "incoming/video.mov")
        queue.enqueue(session)
        queue.start()

        var engine = TransferEngine()
        var outputs: [EngineOutput] = []
        for input in [.restored([])] + mailbox.takeAll() {
            let deadline: Instant? = engine.handle(input, at: .start, into: &outputs)
            for case .tell(let news) in outputs { faces.deliver(news) }
            print(outputs.count, deadline?.sinceStart ?? .zero)
        }
        """

    /// A screen on the main actor, which reads what the queue tells.
    private static let screen = """
        import TransferClient
        import TransferEngine

        @MainActor
        final class Screen {
            private(set) var rows: [SessionID] = []
            private let queue: TransferQueue

            init(of queue: TransferQueue) {
                self.queue = queue
                let events = queue.events()
                Task { for await event in events { show(event) } }
            }

            private func show(_ event: QueueEvent) {
                rows = queue.sessions
                if case .session(let session, .didDeactivate(let result)) = event {
                    print(session, result)
                }
            }
        }

        let screen = Screen(of: TransferQueue(host: CommandMailbox(container: "/apps/1")))
        print(screen.rows)
        """

    /// Other screens, of the interfaces beside the queue.
    private static let otherScreens = """
        import TransferClient
        import TransferEngine

        @MainActor
        final class Operations {
            private(set) var fractions: [Double] = []
            private let operations: UploadOperations

            init(of operations: UploadOperations) {
                self.operations = operations
                let events = operations.events()
                Task {
                    for await event in events where event.change == .progress {
                        fractions = operations.ongoing.map { $0.fraction }
                        if fractions.isEmpty { event.operation.task.cancel() }
                    }
                }
            }
        }

        @MainActor
        final class Film: BackgroundSessionDelegate {
            private var status = ResumableTransferStatus.noEntry
            private var tasks: [BackgroundTask] = []

            func show(_ transfer: ResumableTransfer) async {
                for await event in transfer.events() {
                    status = transfer.status
                    if case .cameToRest(nil) = event { return }
                }
            }

            func add(_ task: BackgroundTask, and operation: UploadOperation) {
                tasks.append(task)
                Task.detached {
                    task.resume()
                    operation.task.cancel()
                }
            }
        }

        let faces = TransferFaces(host: CommandMailbox(container: "/apps/1"))
        print(Operations(of: faces.operations).fractions, Film())
        """

    private static let daemon = """
        import Protocols
        import Quantities
        import TransferEngine

        var daemon = TransferDaemon(of: "a phone", connectionsBefore: 0, resumes: .six)
        var outputs: [DaemonOutput] = []
        _ = daemon.handle(.restored([]), at: .start, into: &outputs)
        for case .note(let note) in outputs { print(note) }
        """

    /// The tests' own modules lie beside them.
    private static func answer(
        to text: String, _ flags: String..., in name: String = "main.swift"
    ) throws -> Program.Answer {
        let folder = try TemporaryFolder()
        let file = folder.url.appending(path: name)
        try Data(text.utf8).write(to: file)
        let tests = URL(filePath: CommandLine.arguments[0]).resolvingSymlinksInPath()
        let built = tests.deletingLastPathComponent()
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        let compiler = try #require(
            path.split(separator: ":").map { "\($0)/swiftc" }
                .first { FileManager.default.isExecutableFile(atPath: $0) },
            "the tests were built by a compiler that nobody finds")
        let places = ["CSQLite", "CLinux", "COpenSSL"].map {
            Program.house.appending(path: "Sources/\($0)")
        }
        let modules = places + [built.appending(path: "Modules")]
        return try Program.run(
            ["-typecheck", "-swift-version", "6", "-warnings-as-errors"] + flags
                + modules.flatMap { ["-I", $0.path] } + [
                    "-module-cache-path", built.appending(path: "ModuleCache").path, file.path,
                ], of: compiler, in: folder.url, environment: ["PATH": path])
    }

    @Test(arguments: [app, screen, otherScreens, daemon])
    func `a program of another package is compiled`(text: String) throws {
        let answer = try Self.answer(to: text)
        #expect(answer.code == 0, "\(answer.errors)")
    }

    @Test func `so is the program of the README`() throws {
        let text = try Program.page("Tests/Uploader/Uploader.swift")
        let answer = try Self.answer(to: text, "-parse-as-library", in: "Uploader.swift")
        #expect(answer.code == 0, "\(answer.errors)")
    }

    @Test func `what is the lab's alone is not there for it`() throws {
        let text = "import TransferEngine\n_ = ReachedCells()\n"
        let answer = try Self.answer(to: text)
        #expect(answer.errors.contains("cannot find 'ReachedCells' in scope"), "\(answer.errors)")
        #expect(answer.code == 1)
    }
}
