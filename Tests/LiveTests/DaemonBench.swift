import Content
import Foundation
import Glibc
import LinkModels
import Quantities
import QueueStorage
import RunLog
import RunPlan
import Testing
import TransferEngine
import TransferHost

@testable import Live

/// A phone's transfer daemon with one app, on a thread instead of in a process: what it tells comes
/// through a pipe as it would there, and letting go of its lifeline ends it in the middle.
final class DaemonBench {
    private let plan: RunPlan
    private let clock: MachineClock
    private let directory: RunDirectory
    private let folder: String
    private let account: Account
    let container: AppContainer
    private var running: Running?
    private(set) var events: [RunEvent] = []
    private(set) var words: [DaemonWord] = []
    private var told: UInt64 = 0
    private var lastConnection: UInt32 = 0
    var standing: NetworkStanding

    static let session = "films"

    /// A run of the daemon from its start to its end.
    private final class Running {
        let events: DescriptorPipe
        let lifeline: DescriptorPipe
        let done = DispatchSemaphore(value: 0)
        var lines = LineBuffer()

        init() throws {
            events = try DescriptorPipe()
            lifeline = try DescriptorPipe()
            try events.reading.doNotBlock()
        }
    }

    init(_ plan: RunPlan, serverPort: UInt16, clock: MachineClock) throws {
        self.plan = plan
        self.clock = clock
        account = Account(
            host: TCPListener.host, port: serverPort, credentials: CredentialHandle("app"))
        directory = try RunDirectory()
        folder = try directory.daemon(ofPhone: 0)
        container = try directory.container(ofApp: 0, onPhone: 0)
        for file in plan.files { try container.write(file) }
        let rate = plan.uplink.bottleneck.rate.bitsPerSecond
        standing = NetworkStanding(interfaces: [.init(number: 0, bitsPerSecond: rate)])
    }

    deinit { hangUp() }

    func start() throws {
        let running = try Running()
        self.running = running
        told = 0
        let app = DaemonOrders.App(
            name: nil, tasksBefore: 0, clearings: 0, container: container.path,
            keychain: container.path + ".keychain")
        let orders = DaemonOrders(
            scenario: ScenarioText(text: "", path: ""), seed: plan.seed, phone: 0, apps: [app],
            lastConnection: lastConnection, network: standing, hasCharger: false,
            disk: nil, folder: folder, startNanoseconds: clock.startNanoseconds)
        let ends = ProcessLines(
            events: running.events.writing.number, lifeline: running.lifeline.reading.number)
        let (plan, done) = (plan, running.done)
        Thread.detachNewThread {
            do {
                try LiveDaemonHost(orders, plan: plan, lines: ends).run()
            } catch {
                Issue.record("the daemon broke down: \(error)")
            }
            done.signal()
        }
    }

    func tell(_ message: DaemonMessage) {
        guard let running else { return }
        told += 1
        let bytes = Array(message.line.utf8)
        #expect(write(running.lifeline.writing.number, bytes, bytes.count) == bytes.count)
    }

    /// The app runs in front, and makes its session.
    func launchApp(_ launch: UInt32 = 1) {
        tell(.app(0, .inFront, launch: launch))
        tell(.asked(by: 0, .attach(session: Self.session)))
    }

    /// The app makes a task, and resumes it.
    func makeTask(
        _ number: UInt64, at address: String, _ transfer: BackgroundTaskRequest.Transfer,
        limits: NetworkLimits = []
    ) {
        let request = BackgroundTaskRequest(
            session: Self.session, TaskRequest(address, of: account, limits: limits), transfer)
        tell(.asked(by: 0, .create(number, request)))
        tell(.asked(by: 0, .resume(number)))
    }

    /// Ends it wherever it is.
    func hangUp() {
        guard let running else { return }
        let nothing = open("/dev/null", O_WRONLY)
        #expect(dup2(nothing, running.lifeline.writing.number) >= 0)
        close(nothing)
        running.done.wait()
        hear()
        self.running = nil
    }

    /// Puts a folder in the store's place, so that it cannot be opened.
    func hideStore() throws {
        try FileManager.default.moveItem(atPath: store, toPath: store + ".hidden")
        try FileManager.default.createDirectory(
            atPath: store, withIntermediateDirectories: false)
    }

    func showStore() throws {
        try FileManager.default.removeItem(atPath: store)
        try FileManager.default.moveItem(atPath: store + ".hidden", toPath: store)
    }

    private var store: String { folder + "/" + TaskStore.name }

    func hear() {
        guard let running else { return }
        var chunk = [UInt8](repeating: 0, count: 64 * 1024)
        while true {
            let count = read(running.events.reading.number, &chunk, chunk.count)
            guard count > 0 else { break }
            running.lines.append(chunk[..<count])
        }
        for line in running.lines.takeLines() {
            if let word = DaemonWord(line: line) {
                words.append(word)
                continue
            }
            do {
                let event = try EventLines.event(from: Data(line), number: events.count + 1)
                events.append(event)
                guard case .connection(.opening(let name, _, _)) = event.fact else { continue }
                lastConnection = name.number
            } catch {
                Issue.record("no event: \(error)")
            }
        }
    }

    func hasSaid(_ isIt: (DaemonWord) -> Bool) -> Bool {
        hear()
        return words.contains(where: isIt)
    }

    func hasTold(_ isIt: (RunEvent.Fact) -> Bool) -> Bool {
        hear()
        return events.contains { isIt($0.fact) }
    }

    /// Whether the app was told how a task has finished.
    func hasFinished(_ number: UInt64, status: Int, launch: UInt32 = 1) -> Bool {
        hasSaid {
            guard
                case .tells(0, launch, .finished(number, Self.session, _, let outcome, nil)) = $0,
                case .answered(let response) = outcome
            else { return false }
            return response.status == status
        }
    }

    func hasFailed(_ number: UInt64, _ error: TaskError, launch: UInt32) -> Bool {
        hasSaid {
            guard case .tells(0, launch, .finished(number, Self.session, _, let outcome, _)) = $0
            else { return false }
            return outcome == .failed(error)
        }
    }

    /// Whether the daemon rests after everything that it was told.
    var rests: Bool {
        hear()
        return words.last == .rests(after: told)
    }

    /// A file of the daemon, below its folder.
    var files: [String] {
        get throws {
            let root = folder + "/downloads"
            guard FileManager.default.fileExists(atPath: root) else { return [] }
            return try FileManager.default.contentsOfDirectory(atPath: root).map {
                root + "/" + $0
            }
        }
    }
}
