import Capture
import Device
import DocrootServer
import Foundation
import Glibc
import LinkModels
package import Quantities
package import RunLog
import RunPlan

/// A live run: the server in this process, each app in a child that is really killed and really
/// started again, real sockets between them, and a capture that watches.
///
/// Call `advance` until it tells an outcome, and drain the log as often as you like. When the world
/// goes, by whatever way, nothing of it is left: no process, no socket, no folder.
package final class LiveWorld {
    // Go first: a process must not outlive the folders it works in.
    let apps: [LiveApp]
    let directory: RunDirectory
    let setup: LiveSetup
    let clock: RunClock
    private let interruption: Interruption
    var loop: EventLoop
    var server: LiveServerHost
    private var tap: CaptureTap?
    var timeline: Timeline
    private var portal: LivePortal?
    var merged = MergedLog()
    var roll = ConnectionRoll()
    /// What happened in this process during a turn.
    var ownLog = RunLogSink()
    /// How many of these the timeline has been told of.
    private var toldEvents = 0
    var phones: [LivePhone]
    /// Of all apps.
    var lastLaunch: UInt32 = 0
    /// How many items of all apps have their names already.
    var counted: ItemCounts
    var hasCrashed = false
    private var isInterrupted = false

    /// Often enough for somebody who watches.
    private static let longestTurn = TimeSpan.milliseconds(100)
    /// A process whose pipe is full gets so long to hear some of it.
    private static let sayingPause = TimeSpan.milliseconds(5)

    /// Makes everything ready, starts the clock and launches the app.
    package init(_ setup: LiveSetup) throws(LiveError) {
        let plan = setup.plan
        self.setup = setup
        timeline = Timeline(plan.timeline)
        let roll = AppRoll(plan)
        counted = roll.counts
        var daemons: [LiveDaemon?] = []
        var disks: [SharedDisk?] = []
        var captureProblem: CaptureError?
        do throws(SystemError) {
            directory = try RunDirectory()
            for phone in plan.phones {
                disks.append(try Self.disk(of: phone, plan, in: directory))
            }
            apps = try Self.install(roll, of: plan, in: directory)
            for phone in plan.phones {
                daemons.append(try Self.daemon(of: phone, roll, in: directory))
            }
            loop = try EventLoop()
            portal = Self.choosesNetworks(plan) ? try LivePortal(on: loop) : nil
            server = try LiveServerHost(
                in: directory.server, versions: KnownVersions(plan),
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
        clock = RunClock()
        let portalPort = portal?.port
        phones = plan.phones.map { phone in
            LivePhone(
                phone, disk: disks[phone.number], daemon: daemons[phone.number],
                portalPort: portalPort, seed: plan.seed)
        }
        recordBeginning(captureProblem)
        for phone in phones.indices { phones[phone].begin(at: clock.now, into: &ownLog) }
        // The first one last: it stays in front.
        for phone in phones.indices {
            try startDaemon(of: phone)
            for place in phones[phone].apps.indices.reversed() {
                try happens(.appOpened(place - phones[phone].apps.lowerBound), to: phone)
            }
        }
    }

    /// A daemon, too, must not outlive the folder it works in.
    deinit { for phone in phones { phone.daemon?.process = nil } }

    /// Whether something can happen to a phone's network.
    private static func choosesNetworks(_ plan: RunPlan) -> Bool {
        plan.phones.contains { $0.network != nil }
    }

    /// Where an app has something for it.
    private static func daemon(
        of phone: PhoneEntry, _ roll: AppRoll, in directory: borrowing RunDirectory
    ) throws(SystemError) -> LiveDaemon? {
        let hasTasks = phone.apps.contains { !roll.entries[$0].plan.app.tasks.isEmpty }
        guard hasTasks else { return nil }
        return LiveDaemon(
            ofPhone: phone.number, in: try directory.daemon(ofPhone: phone.number))
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
        try hearApps()
        try hearDaemons()
        sayOnToAll()
        try workOnPhones()
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
            return try CaptureTap(
                port: port, interfaceOf: { LoopbackNetwork.interface(of: $0) },
                CapturePlan(file: file))
        } catch {
            problem = error
            return nil
        }
    }

    private func recordBeginning(_ captureProblem: CaptureError?) {
        let interfaces = setup.plan.phones.flatMap(\.interfaces)
        let rates = { (way: KeyPath<InterfacePlan, LinkPlan>) in
            interfaces.map { $0[keyPath: way] }.map { link in
                "\(link.bottleneck.rate)" + (interfaces.count > 1 ? " on \(link.name)" : "")
            }.joined(separator: ", ")
        }
        limited(
            "delay, loss and queues of the links did not apply; "
                + "outgoing data was paced to \(rates(\.uplink)), incoming data to "
                + "\(rates(\.downlink))",
            remedy: "simulate the scenario to see them")
        if !setup.plan.crossTraffic.isEmpty {
            limited(
                "the traffic of others on the links did not apply",
                remedy: "simulate the scenario to see it")
        }
        if interfaces.contains(where: { $0.translator != nil }) {
            limited(
                "“nat” did not apply: the loopback interface never forgets a connection",
                remedy: "simulate the scenario to see it")
        }
        if Self.choosesNetworks(setup.plan) {
            limited(
                "the phone's interfaces were addresses of the loopback interface: a lost network "
                    + "held bytes back instead of losing them, and the server noticed at once "
                    + "when a process ended",
                remedy: "simulate the scenario to see packets lost")
        }
        if setup.plan.tcp != TCPSettings() {
            limited(
                "“tcp” did not apply, TLS included: the kernel's TCP was used",
                remedy: "simulate the scenario to see it")
        }
        recordLimits(
            of: setup.plan.timeline.compactMap {
                if case .device(let event, _) = $0.action { event } else { nil }
            })
        let hasDaemon = phones.contains { $0.daemon != nil }
        if apps.count > 1 || hasDaemon {
            limited(
                "each app had the full rates of the links"
                    + (hasDaemon ? ", and so had the transfer daemon" : ""),
                remedy: "simulate the scenario to see them share the links")
        }
        if let captureProblem { captureEnded(captureProblem, having: "nothing") }
        for app in apps {
            for fact in app.files.facts { ownLog.record(.file(fact), at: clock.now, app: app.name) }
        }
    }

    func limited(_ what: String, remedy: String) {
        ownLog.record(.run(.limited(what: what, remedy: remedy)), at: clock.now)
    }

    private var ending: RunEnding? {
        if hasCrashed { return .crashed }
        let isOver =
            timeline.nextDeadline == nil && server.isQuiet(besides: roll.unimportant)
            && roll.isSettled && phones.allSatisfy(isDaemonQuiet)
        // What somebody has just been told to do has not begun yet.
        if isOver, apps.allSatisfy({ $0.isSettled && isQuiet($0) }) { return .quiet }
        return clock.now >= .start + setup.plan.limit ? .limit : nil
    }

    /// An app says that a session has ended before it gives its time in the background back.
    private func isQuiet(_ app: LiveApp) -> Bool {
        guard app.process != nil else { return true }
        guard app.quiet.isIdle else { return false }
        return app.quiet.isLeftOpen || !phones[app.phone].device.holdsTasks(of: app.place)
    }

    private func end(
        _ ending: RunEnding, into log: inout RunLogSink
    ) throws(LiveError) -> LiveOutcome {
        for app in apps where app.process != nil {
            _ = app.process?.kill()
            try hearLines(of: app)
            app.process = nil
        }
        for phone in phones.indices { try endDaemon(of: phone) }
        finishCapture(into: &log)
        ownLog.drain(into: &merged)
        merged.releaseAll(into: &log)
        return LiveOutcome(ending: ending, at: clock.now)
    }

    // MARK: One turn

    private var nextDeadline: Instant {
        if server.isBusy { return clock.now }
        let deadlines = [
            isSomebodyHeldUp ? clock.now + Self.sayingPause : nil,
            timeline.nextDeadline, server.nextDeadline, .start + setup.plan.limit,
            clock.now + Self.longestTurn,
        ]
        return (deadlines + phones.map(\.deadline)).compactMap { $0 }.min() ?? clock.now
    }

    private func serve(_ ready: EventLoop.Ready) throws(SystemError) {
        switch ready.source.kind {
        case .listener, .serverConnection, .disk:
            try server.serve(ready, on: loop, by: clock, into: &ownLog)
        case .appErrors:
            let app = apps[Int(ready.source.number)]
            if app.process?.hearErrors() == false, let descriptor = app.process?.errors.number {
                loop.forget(descriptor)
            }
        case .daemonErrors:
            let daemon = phones[Int(ready.source.number)].daemon
            if daemon?.process?.hearErrors() == false,
                let descriptor = daemon?.process?.errors.number
            {
                loop.forget(descriptor)
            }
        case .portal, .portalVisitor:
            try portal?.serve(ready, on: loop, at: clock.now, into: &ownLog)
        case .interruption: isInterrupted = true
        // These are attended to in every turn.
        case .appEvents, .daemonEvents, .capture: break
        case .processConnection, .lifeline, .statusListener, .statusVisitor: break
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
                "the capture missed \(missed) packets",
                remedy: "run on a less busy machine")
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
            remedy: error.remedy ?? "check that the interface is up and the disk has space")
    }

    private func playTimeline() throws(LiveError) {
        tellTimeline()
        while let action = timeline.due(at: clock.now, into: &ownLog) {
            switch action {
            case .killApp: try happens(.kill(0), to: 0)
            case .launchApp: try happens(.appOpened(0), to: 0)
            case .device(let event, let phone): try happens(event, to: phone)
            case .switchFault(let name, let isOn): server.switchFault(name, on: isOn)
            case .heal(let healing):
                ownLog.record(healing.fact(at: clock.now), at: clock.now)
                for phone in phones.indices {
                    for event in DeviceEvent.healing { try happens(event, to: phone) }
                }
                for rule in setup.plan.faults { server.switchFault(rule.name, on: false) }
                for phone in phones.indices { networkHappens(.heals, to: phone) }
            case .changeFile(let change): try changeFile(change)
            case .network(let input, let phone): networkHappens(input, to: phone)
            case .asks(let command): asks(command)
            }
            tellTimeline()
        }
    }

    /// Nobody can have an app do something that does not run or is suspended.
    private func asks(_ command: AppPlan.Command) {
        let (app, command) = AppRoll(setup.plan).owner(of: command)
        apps[app].asks(command)
    }

    /// What happened in this process; of what happened in the app's, it is told as it is heard.
    private func tellTimeline() {
        guard timeline.isWatching else { return }
        while toldEvents < ownLog.events.count {
            toldEvents += 1
            timeline.read(ownLog.events[toldEvents - 1], at: clock.now, into: &ownLog)
        }
    }

    private func recordDeadConnections() {
        roll.serverSaw(server.takeEnds())
        for end in roll.takeEnds() {
            ownLog.record(.connection(end.fact), at: clock.now, app: end.app)
        }
    }
}
