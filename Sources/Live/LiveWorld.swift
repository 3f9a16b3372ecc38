import Capture
import Device
import DocrootServer
import Foundation
import Glibc
import LinkModels
package import Quantities
package import RunLog
import RunPlan

/// A live run: the server in this process, the app in a child that is really killed and really
/// started again, real sockets between them, and a capture that watches.
///
/// Call `advance` until it tells an outcome, and drain the log as often as you like. When the world
/// goes, by whatever way, nothing of it is left: no process, no socket, no folder.
package final class LiveWorld {
    // Goes first: a process must not outlive the folders it works in.
    var app: AppProcess?
    var directory: RunDirectory
    let setup: LiveSetup
    let clock: RunClock
    private let interruption: Interruption
    private var loop: EventLoop
    private var server: LiveServerHost
    private var tap: CaptureTap?
    private var timeline: Timeline
    var files: LocalFiles
    private var merged = MergedLog()
    var quiet: QuietWatch
    private var roll = ConnectionRoll()
    /// What happened in this process during a turn.
    var ownLog = RunLogSink()
    /// How many of these the timeline has been told of.
    private var toldEvents = 0
    var phone: LivePhone
    var lastLaunch: UInt32 = 0
    private var hasCrashed = false
    private var isInterrupted = false

    /// Often enough for somebody who watches.
    private static let longestTurn = TimeSpan.milliseconds(100)

    /// Makes everything ready, starts the clock and launches the app.
    package init(_ setup: LiveSetup) throws(LiveError) {
        let plan = setup.plan
        self.setup = setup
        timeline = Timeline(plan.timeline)
        files = LocalFiles(plan.files)
        quiet = QuietWatch(plannedSessions: plan.sessions.count, app: plan.app)
        var captureProblem: CaptureError?
        do throws(SystemError) {
            directory = try RunDirectory()
            for file in plan.files { try directory.write(file) }
            loop = try EventLoop()
            server = try LiveServerHost(
                in: directory.server, versions: plan.fileVersions,
                FaultScript(plan.faults, seed: plan.seed), on: loop)
            interruption = try Interruption()
            try loop.watch(
                interruption.descriptor, as: .init(kind: .interruption), for: .readable)
            tap = Self.openTap(port: server.port, setup.captureFile, problem: &captureProblem)
            if let descriptor = tap?.descriptor {
                try loop.watch(descriptor, as: .init(kind: .capture), for: .readable)
            }
        } catch {
            throw .system(error)
        }
        app = nil
        clock = RunClock()
        phone = LivePhone(plan.device, at: clock.now, into: &ownLog)
        recordBeginning(captureProblem)
        try happens(.appOpened(0))
    }

    /// The moment on the run's clock, for somebody who watches.
    package var now: Instant { clock.now }

    /// Goes on for one turn, a tenth of a second at most; the outcome once the run is over.
    package func advance(
        into log: inout RunLogSink
    ) throws(LiveError) -> LiveOutcome? {
        do throws(SystemError) {
            for ready in try loop.wait(until: nextDeadline, by: clock) {
                try serve(ready)
            }
        } catch {
            throw .system(error)
        }
        if isInterrupted { throw .interrupted }
        server.endTurn(on: loop, by: clock, into: &ownLog)
        watchCapture(into: &log)
        let heardAt = clock.now
        try hearApp()
        try workOnPhone()
        try playTimeline()
        recordDeadConnections()
        tellTimeline()
        ownLog.drain(into: &merged)
        toldEvents = 0
        merged.release(heardAt: heardAt, into: &log)
        guard let ending else { return nil }
        return try end(ending, into: &log)
    }

    // MARK: Beginning and end

    private static func openTap(
        port: UInt16, _ file: String?, problem: inout CaptureError?
    ) -> CaptureTap? {
        guard let file else { return nil }
        do throws(CaptureError) {
            return try CaptureTap(port: port, CapturePlan(file: file))
        } catch {
            problem = error
            return nil
        }
    }

    private func recordBeginning(_ captureProblem: CaptureError?) {
        let rate = setup.plan.uplink.bottleneck.rate
        limited(
            "delay, loss and queues of the links did not apply; "
                + "what the app sends was paced to \(rate)",
            remedy: "run the scenario simulated to see them")
        if !setup.plan.crossTraffic.isEmpty {
            limited(
                "what others send over the links did not apply",
                remedy: "run the scenario simulated to see it")
        }
        if setup.plan.network != nil {
            limited(
                "the phone's interfaces, and what happens to them, did not apply: all went over "
                    + "loopback, which was always there",
                remedy: "run the scenario simulated to see it")
        }
        if setup.plan.tcp != TCPSettings() {
            limited(
                "what “tcp” says did not apply, TLS included; the kernel's TCP has its own mind",
                remedy: "run the scenario simulated to see it")
        }
        recordLimits(
            of: setup.plan.timeline.compactMap {
                if case .device(let event, 0) = $0.action { event } else { nil }
            })
        if AppRoll(setup.plan).entries.count > 1 {
            limited(
                "only the first app was played", remedy: "run the scenario simulated to see all")
        }
        if let captureProblem { captureEnded(captureProblem, having: "nothing") }
        for fact in files.facts { ownLog.record(.file(fact), at: clock.now) }
    }

    func limited(_ what: String, remedy: String) {
        ownLog.record(.run(.limited(what: what, remedy: remedy)), at: clock.now)
    }

    private var ending: RunEnding? {
        if hasCrashed { return .crashed }
        let isOver = timeline.nextDeadline == nil && server.isQuiet && roll.isSettled
        if isOver, app == nil || quiet.isIdle { return .quiet }
        return clock.now >= .start + setup.plan.limit ? .limit : nil
    }

    private func end(
        _ ending: RunEnding, into log: inout RunLogSink
    ) throws(LiveError) -> LiveOutcome {
        if app != nil {
            _ = app?.kill()
            try hearLines()
            app = nil
        }
        finishCapture(into: &log)
        ownLog.drain(into: &merged)
        merged.releaseAll(into: &log)
        return LiveOutcome(ending: ending, at: clock.now)
    }

    // MARK: One turn

    private var nextDeadline: Instant {
        if server.isBusy { return clock.now }
        let deadlines = [
            timeline.nextDeadline, server.nextDeadline, phone.deadline, .start + setup.plan.limit,
            clock.now + Self.longestTurn,
        ]
        return deadlines.compactMap { $0 }.min() ?? clock.now
    }

    private func serve(_ ready: EventLoop.Ready) throws(SystemError) {
        switch ready.source.kind {
        case .listener, .serverConnection, .disk:
            try server.serve(ready, on: loop, by: clock, into: &ownLog)
        case .appErrors:
            if app?.hearErrors() == false, let descriptor = app?.errors.number {
                loop.forget(descriptor)
            }
        case .interruption: isInterrupted = true
        // Both are attended to in every turn.
        case .appEvents, .capture: break
        case .appConnection, .lifeline, .statusListener, .statusVisitor: break
        }
    }

    private func watchCapture(into log: inout RunLogSink) {
        do throws(CaptureError) {
            _ = try tap?.take(by: clock, into: &log)
        } catch {
            captureEnded(error)
        }
    }

    private func finishCapture(into log: inout RunLogSink) {
        do throws(CaptureError) {
            guard let missed = try tap?.finish(by: clock, into: &log), missed > 0 else { return }
            limited(
                "\(missed) packets passed without being captured",
                remedy: "run on a machine that is less busy")
        } catch {
            captureEnded(error)
        }
    }

    /// The run is worth as much without: it goes on.
    private func captureEnded(_ error: CaptureError, having what: String = "not everything") {
        if let descriptor = tap?.descriptor { loop.forget(descriptor) }
        tap = nil
        limited(
            "\(what) was captured: \(error.what)",
            remedy: error.remedy ?? "see that the interface is up and the disk has space")
    }

    private func playTimeline() throws(LiveError) {
        tellTimeline()
        while let action = timeline.due(at: clock.now, into: &ownLog) {
            switch action {
            case .killApp: try happens(.kill(0))
            case .launchApp: try happens(.appOpened(0))
            // Of the others a live run says at its beginning that it has none.
            case .device(let event, 0): try happens(event)
            case .device: break
            case .switchFault(let name, let isOn): server.switchFault(name, on: isOn)
            case .heal(let healing):
                ownLog.record(healing.fact(at: clock.now), at: clock.now)
                try happens(.powerBack)
                for rule in setup.plan.faults { server.switchFault(rule.name, on: false) }
            case .changeFile(let change): try changeFile(change)
            // Said at the beginning: the machine's own network is left alone.
            case .network: break
            }
            tellTimeline()
        }
    }

    /// What happened in this process; of what happened in the app's, it is told as it is heard.
    private func tellTimeline() {
        guard timeline.isWatching else { return }
        while toldEvents < ownLog.events.count {
            toldEvents += 1
            timeline.read(ownLog.events[toldEvents - 1], at: clock.now, into: &ownLog)
        }
    }

    private func changeFile(_ change: FileChange) throws(LiveError) {
        // Other apps, and their files, are not played here.
        guard files.has(change.path) else { return }
        let fact = files.apply(change, at: clock.now)
        // Told before it is done: no reader can be faster than the log.
        ownLog.record(.file(fact), at: clock.now)
        do throws(SystemError) {
            switch fact {
            case .stands(let path, let version, let size):
                let file = PlannedFile(path: path, version: version, size: size)
                try directory.replace(file, keepingDate: change.kind == .editedUnseen)
            case .touched(let path): try directory.touch(path)
            case .removed(let path): directory.remove(path)
            }
        } catch {
            throw .system(error)
        }
    }

    private func recordDeadConnections() {
        roll.serverSaw(server.takeEnds())
        for fact in roll.takeEnds() { ownLog.record(.connection(fact), at: clock.now) }
    }

    // MARK: The app's process

    func launchApp(inBackground: Bool) throws(LiveError) {
        phone.launches += 1
        let path = directory.orders(forLaunch: lastLaunch)
        let orders = AppOrders(
            scenario: setup.scenario, seed: setup.plan.seed, launch: lastLaunch,
            ownLaunch: phone.launches,
            sessionsBefore: phone.sessionsBefore, isInBackground: inBackground,
            container: directory.container, serverPort: server.port,
            startNanoseconds: clock.startNanoseconds)
        do { try orders.write(to: path) } catch {
            throw .orders(path: path, reason: "\(error)")
        }
        do throws(SystemError) {
            // Connections of an earlier launch are counted before those of this one begin.
            try server.serve(
                .init(source: .init(kind: .listener), isReadable: true, isWritable: false),
                on: loop, by: clock, into: &ownLog)
            roll.appLaunched(serverHasTaken: server.connectionCount)
            let process = try AppProcess(launch: lastLaunch, setup.app, orders: path)
            try loop.watch(
                process.events.number, as: .init(kind: .appEvents), for: .readable)
            try loop.watch(
                process.errors.number, as: .init(kind: .appErrors), for: .readable)
            app = consume process
        } catch {
            throw .system(error)
        }
    }

    private func hearApp() throws(LiveError) {
        // One that was not killed and says no more has ended by itself.
        guard try hearLines(), let exit = app?.kill() else { return }
        crashed(exit)
    }

    func crashed(_ exit: AppProcess.Exit) {
        _ = app?.hearErrors()
        hasCrashed = true
        let words = [exit.description, app?.complaint ?? ""].filter { !$0.isEmpty }
        ownLog.record(
            .device(.appCrashed(launch: lastLaunch, how: words.joined(separator: ": "))),
            at: clock.now)
        buryApp()
    }

    func buryApp() {
        roll.appDied()
        quiet.appEnded()
        app = nil
    }

    /// Whether the app has no more to say.
    @discardableResult
    func hearLines() throws(LiveError) -> Bool {
        guard let hearing = app?.hear() else { return false }
        for line in hearing.lines {
            if let request = AppRequest(line: line) {
                phone.take(request)
                continue
            }
            let event: RunEvent
            do throws(EventLines.Unreadable) {
                event = try EventLines.event(from: Data(line), number: 1)
            } catch {
                throw .unreadableEvent(launch: lastLaunch, reason: error.reason)
            }
            timeline.read(event, at: clock.now, into: &ownLog)
            quiet.read(event)
            roll.read(event)
            merged.read(event)
        }
        return hearing.isOver
    }
}
