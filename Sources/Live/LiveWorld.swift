import Capture
import Device
import DocrootServer
import Foundation
import Glibc
import LinkModels
package import Quantities
package import RunLog
import RunPlan
import TransferHost

/// A live run: the server in this process, each app in a child process that is really killed and
/// restarted, real sockets between them, and a capture.
///
/// Call `advance` until it returns an outcome, and drain the log at any time. When the world is
/// deallocated, no process, socket or folder is left.
package final class LiveWorld {
    // Deallocated first: a process must not outlive its folders.
    let apps: [LiveApp]
    let directory: RunDirectory
    let setup: LiveSetup
    let clock: MachineClock
    private let interruption: Interruption
    var loop: EventLoop
    /// The TLS that processes are told of.
    let security: ServerSecurity?
    var server: LiveServerHost
    let deadPort: DeadPort
    private var tap: CaptureTap?
    var timeline: Timeline
    private var portal: LivePortal?
    var merged = MergedLog()
    var roll = ConnectionRoll()
    /// Events of this process during a turn.
    var ownLog = RunLogSink()
    /// How many of these events the timeline has read.
    private var toldEvents = 0
    var phones: [LivePhone]
    /// The number of the latest launch of any app.
    var lastLaunch: UInt32 = 0
    /// How many items of all apps have names.
    var counted: ItemCounts
    var hasCrashed = false
    private var isInterrupted = false

    /// The longest turn, so that progress can be shown.
    private static let longestTurn = TimeSpan.milliseconds(100)
    /// The pause before writing to a full pipe again.
    private static let sayingPause = TimeSpan.milliseconds(5)

    /// Prepares everything, starts the clock and launches the apps.
    package init(_ setup: LiveSetup) throws(LiveError) {
        let plan = setup.plan
        self.setup = setup
        timeline = Timeline(plan.timeline)
        let roll = AppRoll(plan)
        counted = roll.counts
        var equipped: [LivePhone] = []
        var captureProblem: CaptureError?
        do throws(SystemError) { directory = try RunDirectory() } catch { throw .system(error) }
        let identity = try Self.identity(for: plan, in: directory)
        security = identity?.security
        do throws(SystemError) {
            apps = try Self.install(roll, of: plan, in: directory)
            loop = try EventLoop()
            portal = Self.choosesNetworks(plan) ? try LivePortal(on: loop) : nil
            let portalPort = portal?.port
            for phone in plan.phones {
                equipped.append(
                    LivePhone(
                        phone, disk: try Self.disk(of: phone, plan, in: directory),
                        daemon: try Self.daemon(of: phone, roll, in: directory),
                        portalPort: portalPort, seed: plan.seed))
            }
            server = try LiveServerHost(
                in: directory.server, versions: KnownVersions(plan), plan.serverSettings,
                securedBy: identity?.context, pacedBehind: plan.pacedDoor, on: loop)
            deadPort = try DeadPort()
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
        clock = MachineClock()
        phones = equipped
        recordBeginning(captureProblem)
        for phone in phones.indices { phones[phone].begin(at: clock.now, into: &ownLog) }
        // The first app is opened last, so that it stays in front.
        for phone in phones.indices {
            try startDaemon(of: phone)
            for place in phones[phone].apps.indices.reversed() {
                try happens(.appOpened(place - phones[phone].apps.lowerBound), to: phone)
            }
        }
    }

    /// A daemon must not outlive its folder, either.
    deinit { for phone in phones { phone.daemon?.process = nil } }

    /// Whether the plan has networks that change.
    private static func choosesNetworks(_ plan: RunPlan) -> Bool {
        plan.phones.contains { $0.network != nil }
    }

    /// Makes a phone's daemon if an app has tasks for it.
    private static func daemon(
        of phone: PhoneEntry, _ roll: AppRoll, in directory: borrowing RunDirectory
    ) throws(SystemError) -> LiveDaemon? {
        let hasTasks = phone.apps.contains { !roll.entries[$0].plan.app.tasks.isEmpty }
        guard hasTasks else { return nil }
        return LiveDaemon(
            ofPhone: phone.number, in: try directory.daemon(ofPhone: phone.number))
    }

    package var now: Instant { clock.now }

    /// Plays one turn of at most a tenth of a second. Returns the outcome once the run is over.
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
        attendToProcesses()
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
                port: port,
                interfaceOf: { address in
                    guard case .v4(let number) = address else { return 0 }
                    return LoopbackNetwork.interface(of: number)
                }, CapturePlan(file: file))
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
                "the traffic of others on the links did not apply, nor did named flows send",
                remedy: "simulate the scenario to see them")
        }
        if !setup.plan.visits.isEmpty {
            limited(
                "the visits of other clients did not take place",
                remedy: "simulate the scenario to see them")
        }
        if interfaces.contains(where: { $0.translator != nil }) {
            limited("“nat” did not apply: the loopback interface never forgets a connection")
        }
        if !interfaces.flatMap({ $0.uplink.sizeLimits + $0.downlink.sizeLimits }).isEmpty {
            limited("“mtu” did not apply: the loopback interface carries packets of any size")
        }
        if interfaces.contains(where: { $0.radio != nil }) {
            limited("“radio” did not apply: nothing waited for a radio")
        }
        if setup.plan.names != nil {
            limited("“names” did not apply: nobody had to ask for the server's address")
        }
        if Self.choosesNetworks(setup.plan) {
            limited(
                "the phone's interfaces were addresses of the loopback interface: a lost network "
                    + "held bytes back instead of losing them, and the server noticed at once "
                    + "when a process ended",
                remedy: "simulate the scenario to see packets lost")
        }
        if setup.plan.tcp.security.isResumed {
            limited("each TLS handshake was a full one: no session was resumed")
        }
        if setup.plan.tcp != TCPSettings(security: setup.plan.tcp.security) {
            limited("“tcp” did not apply: the kernel's TCP was used")
        }
        let losesPower = setup.plan.timeline.contains {
            if case .device(.powerLost, _) = $0.action { true } else { false }
        }
        if losesPower {
            limited(
                "“power lost” only killed the processes: their unsynced writes were kept, and "
                    + "their connections were reset",
                remedy: "simulate the scenario to see a real loss of power")
        }
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

    func limited(_ what: String, remedy: String = "simulate the scenario to see it") {
        ownLog.record(.run(.limited(what: what, remedy: remedy)), at: clock.now)
    }

    private var ending: RunEnding? {
        if hasCrashed { return .crashed }
        let isOver =
            timeline.nextDeadline == nil && server.isQuiet(besides: roll.unimportant)
            && roll.isSettled && phones.allSatisfy(isDaemonQuiet)
        // An app that was just told to do something has not begun yet.
        if isOver, apps.allSatisfy({ $0.isSettled && isQuiet($0) }) { return .quiet }
        return clock.now >= .start + setup.plan.limit ? .limit : nil
    }

    /// An app reports the end of a session before it gives its background time back.
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
        return LiveOutcome(ending: ending, at: clock.now, deeds: timeline.deeds)
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
        case .listener, .serverConnection, .datagrams, .disk:
            try server.serve(ready, on: loop, by: clock, into: &ownLog)
        case .portal, .portalVisitor:
            let pages = phones.flatMap(\.network.pagePortals)
            try portal?.serve(
                ready, withPageOn: pages, on: loop, at: clock.now, into: &ownLog)
        case .interruption: isInterrupted = true
        // Processes and the capture are attended to in every turn.
        default: break
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

    /// Reports a capture that ended; the run goes on without it.
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
            // The record says so from the beginning.
            case .visit: break
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

    /// Makes an app do something; an app that does not run, or is suspended, ignores it.
    private func asks(_ command: AppPlan.Command) {
        let (app, command) = AppRoll(setup.plan).owner(of: command)
        apps[app].asks(command)
    }

    /// Tells the timeline of this process's events. It reads events of other processes when they
    /// are heard.
    private func tellTimeline() {
        guard timeline.isWatching else { return }
        while toldEvents < ownLog.events.count {
            toldEvents += 1
            timeline.read(ownLog.events[toldEvents - 1], at: clock.now, into: &ownLog)
        }
    }

    private func recordDeadConnections() {
        let silenced = roll.silenced
        if !silenced.isEmpty {
            server.countWhatCame(from: silenced, on: loop, clock, into: &ownLog)
        }
        roll.serverSaw(server.takeEnds())
        for end in roll.takeEnds() {
            ownLog.record(.connection(end.fact), at: clock.now, app: end.app)
        }
    }
}
