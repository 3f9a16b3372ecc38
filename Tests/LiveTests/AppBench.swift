import Content
import Foundation
import Glibc
import LinkModels
import Quantities
import RunLog
import RunPlan
import Testing
import TransferHost

@testable import Live

/// An app on a container of its own, on a thread instead of in a process: what it tells comes
/// through a pipe as it would there, and letting go of its lifeline ends it in the middle.
final class AppBench {
    let plan: RunPlan
    private let clock: MachineClock
    private let directory: RunDirectory
    private let container: AppContainer
    private let port: UInt16
    private var launches: UInt32 = 0
    private var running: Running?
    private(set) var events: [RunEvent] = []
    private(set) var requests: [AppRequest] = []
    /// Requests that its phone answers.
    var taskRequests: [AppRequest] {
        requests.filter { request in
            switch request {
            case .beginTask, .endTask, .endFetch: true
            case .connected, .abandoned, .countsOn, .daemon, .hasHeard: false
            }
        }
    }
    /// The phone's network as a launch is told of it.
    var standing: NetworkStanding

    /// One launch.
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
        port = serverPort
        directory = try RunDirectory()
        container = try directory.container(ofApp: 0, onPhone: 0)
        for file in plan.files { try container.write(file) }
        let rate = plan.uplink.bottleneck.rate.bitsPerSecond
        standing = NetworkStanding(interfaces: [.init(number: 0, bitsPerSecond: rate)])
    }

    deinit { hangUp() }

    func remove(_ path: String) throws {
        try FileManager.default.removeItem(atPath: container.path + "/" + path)
    }

    func launch() throws {
        launches += 1
        let running = try Running()
        self.running = running
        let orders = AppOrders(
            scenario: ScenarioText(text: "", path: ""), seed: plan.seed, launch: launches,
            ownLaunch: launches, network: standing, container: container.path,
            keychain: container.path + ".keychain", serverPort: port, deadPort: 1,
            startNanoseconds: clock.startNanoseconds)
        let ends = ProcessLines(
            events: running.events.writing.number, lifeline: running.lifeline.reading.number)
        let (plan, done) = (plan, running.done)
        Thread.detachNewThread {
            do {
                try LiveAppHost(orders, plan: plan, lines: ends).run()
            } catch {
                Issue.record("the app broke down: \(error)")
            }
            done.signal()
        }
    }

    func tell(_ message: PhoneMessage) {
        guard let running else { return }
        let bytes = Array(message.line.utf8)
        #expect(write(running.lifeline.writing.number, bytes, bytes.count) == bytes.count)
    }

    /// Ends the launch wherever it is.
    func hangUp() {
        guard let running else { return }
        // The number stays the pipe's own, and what it stood for is let go.
        let nothing = open("/dev/null", O_WRONLY)
        #expect(dup2(nothing, running.lifeline.writing.number) >= 0)
        close(nothing)
        running.done.wait()
        hear()
        self.running = nil
    }

    func hear() {
        guard let running else { return }
        var chunk = [UInt8](repeating: 0, count: 64 * 1024)
        while true {
            let count = read(running.events.reading.number, &chunk, chunk.count)
            guard count > 0 else { break }
            running.lines.append(chunk[..<count])
        }
        for line in running.lines.takeLines() {
            if let request = AppRequest(line: line) {
                if case .hasHeard = request { continue }
                requests.append(request)
                continue
            }
            do {
                events.append(try EventLines.event(from: Data(line), number: events.count + 1))
            } catch {
                Issue.record("no event: \(error)")
            }
        }
    }

    func hasTold(_ isIt: (RunEvent.Fact) -> Bool) -> Bool {
        hear()
        return events.contains { isIt($0.fact) }
    }

    var hasCompleted: (RunEvent.Fact) -> Bool {
        let last = ItemName(UInt64(plan.sessions.count))
        return { $0 == .queue(.callback(last, .didDeactivate(.completed))) }
    }
}

extension RunPlan {
    /// Files of this size, each uploaded by a session of its own.
    static func uploads(
        _ count: UInt32, of size: UInt64, megabits: UInt64, by rules: AppPlan.Rule...
    ) -> RunPlan {
        let link = { (name: String) in
            LinkPlan(
                name: name, filters: [], delay: .zero,
                bottleneck: BottleneckPlan(
                    rate: Bitrate(bitsPerSecond: megabits * 1_000_000),
                    queue: .dropTail(limit: ByteCount(100_000))))
        }
        let numbers = 1...count
        let app = PlannedApp(
            files: numbers.map {
                PlannedFile(
                    path: "films/\($0).mov", version: FileVersion(file: $0, edit: 0),
                    size: ByteCount(size))
            },
            sessions: numbers.map {
                PlannedSession(source: "films/\($0).mov", destination: "incoming/\($0).mov")
            },
            app: AppPlan(rules))
        return RunPlan(
            name: "uploads", seed: 1, device: DevicePlan(apps: [app]),
            interfaces: [InterfacePlan(uplink: link("uplink"), downlink: link("downlink"))],
            timeline: [], limit: .seconds(60))
    }

    func content(of file: Int) -> Data {
        let file = files[file]
        return Data(
            DeterministicBytes.bytes(
                of: ContentRange(file.version, offset: .zero, length: file.size)))
    }
}
