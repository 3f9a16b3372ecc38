package import Capture
import Device
import DocrootServer
package import Quantities
package import RunLog
package import RunPlan

/// The virtual world: carries out a plan in virtual time, and writes down everything that happens.
///
/// Call `step()` until it says that nothing is left, or until the plan's limit; drain the log in
/// between.
package struct VirtualWorld: ~Copyable {
    private var surroundings: AppSurroundings
    private var server: VirtualServer
    private let phone: VirtualPhone
    private var portal = VirtualPortal()
    private var timeline: Timeline
    /// How many events of the log, since it was drained, the timeline has been told of.
    private var toldEvents = 0
    private let faults: [String]

    /// The timers of those who live above the network.
    private enum TimerSlot: Int32 { case phone, timeline, server }

    package init(_ plan: RunPlan, tap: consuming PacketTap? = nil) {
        let network = VirtualNetwork(
            plan.interfaces, tcp: plan.tcp, crossTraffic: plan.crossTraffic, seed: plan.seed,
            ties: plan.ties, tap: tap)
        surroundings = AppSurroundings(
            network: SecuredNetwork(network, plan.tcp.security),
            container: VirtualContainer(plan.files))
        timeline = Timeline(plan.timeline)
        faults = plan.faults.map(\.name)
        // The ports of HTTP and of HTTPS.
        let port: UInt16 = plan.tcp.security == .none ? 80 : 443
        server = VirtualServer(
            ServerSettings(faults: FaultScript(plan.faults, seed: plan.seed)), port: port)
        let script = AppScript(plan, server: ServerAddress(host: "docroot", port: port))
        let app = InstalledApp(
            script, asksForBackgroundTime: plan.device.asksForBackgroundTime)
        phone = VirtualPhone(
            plan.device, apps: [app],
            network: plan.network.map { PhoneNetwork(plan.interfaces, $0) }, seed: plan.seed)
        surroundings.network.transport.listen(.server, port: port)
        surroundings.network.transport.listen(.portal, port: 80)
        surroundings.container.announce(at: .start, into: &surroundings.network.log)
        phone.begin(in: &surroundings)
        tellTimeline()
        setTimers()
    }

    package var now: Instant { surroundings.network.now }

    /// Lets things happen up to and including `limit`, or until the log is ripe; `false` when
    /// nothing is left to happen by then.
    package mutating func advance(until limit: Instant) -> Bool {
        guard surroundings.network.transport.advance(until: limit) else { return false }
        while let event = surroundings.network.takeEvent() { dispatch(event) }
        tellTimeline()
        setTimers()
        return true
    }

    /// When something will happen next, or `nil` if nothing ever will.
    package var nextEventTime: Instant? {
        mutating get { surroundings.network.transport.nextEventTime }
    }

    package mutating func drainLog(into reader: inout some RunLogReader) {
        toldEvents = 0
        surroundings.network.transport.drainLog(into: &reader)
    }

    /// Whether it is time to drain the log.
    package var isLogRipe: Bool { surroundings.network.transport.isLogRipe }

    /// Throws as soon as the packets that were asked for cannot be written any more.
    package func checkTap() throws(CaptureError) { try surroundings.network.transport.checkTap() }

    /// Brings the packets that were asked for to their files.
    package func finishTap() throws(CaptureError) { try surroundings.network.transport.finishTap() }

    /// Closes the links' books; nothing may happen afterwards.
    package mutating func end() { surroundings.network.transport.closeBooks() }

    // MARK: What the network tells

    private mutating func dispatch(_ event: NetworkEvent) {
        switch event {
        case .timer(TimerSlot.phone.rawValue): phone.wake(in: &surroundings)
        case .timer(TimerSlot.server.rawValue): server.wake(on: &surroundings.network)
        case .timer: playTimeline()
        case .accepted(let handle, .portal, _): portal.accepted(handle)
        case .accepted(let handle, _, _):
            server.accepted(handle, on: &surroundings.network)
        case .connected: phone.hear(event, in: &surroundings)
        case .readable(let handle):
            guard !handle.isOpener else { return phone.hear(event, in: &surroundings) }
            if portal.has(handle) {
                portal.readable(handle, of: &surroundings.network)
            } else {
                server.readable(handle, of: &surroundings.network)
            }
        case .roomAvailable(let handle):
            guard !handle.isOpener else { return phone.hear(event, in: &surroundings) }
            if !portal.has(handle) { server.roomAvailable(on: handle, of: &surroundings.network) }
        case .peerFinished(let handle):
            guard !handle.isOpener else { return phone.hear(event, in: &surroundings) }
            disconnected(handle)
        case .ended(let handle, let end):
            recordEnd(of: handle, end)
            guard !handle.isOpener else { return phone.hear(event, in: &surroundings) }
            disconnected(handle)
            portal.ended(handle)
            surroundings.network.release(handle)
        }
    }

    private mutating func disconnected(_ handle: StreamHandle) {
        if portal.has(handle) {
            surroundings.network.finish(handle)
        } else {
            server.disconnected(handle, of: &surroundings.network)
        }
    }

    private mutating func recordEnd(of handle: StreamHandle, _ end: ConnectionEnd) {
        let transmitted = surroundings.network.transmitted(handle)
        let fact = surroundings.streams.ended(handle, end, transmitted: transmitted)
        if let fact { surroundings.network.log.record(fact, at: now) }
    }

    private mutating func setTimers() {
        setTimer(.phone, at: phone.nextDeadline)
        setTimer(.timeline, at: timeline.nextDeadline)
        setTimer(.server, at: server.nextDeadline)
    }

    private mutating func setTimer(_ slot: TimerSlot, at time: Instant?) {
        if let time {
            surroundings.network.transport.setTimer(slot: slot.rawValue, at: max(time, now))
        } else {
            surroundings.network.transport.cancelTimer(slot: slot.rawValue)
        }
    }

    private mutating func playTimeline() {
        while let action = timeline.due(at: now, into: &surroundings.network.log) {
            switch action {
            case .killApp: phone.happens(.kill(0), in: &surroundings)
            case .launchApp: phone.happens(.appOpened(0), in: &surroundings)
            case .device(let event): phone.happens(event, in: &surroundings)
            case .switchFault(let name, let isOn):
                server.switchFault(name, on: isOn, of: &surroundings.network)
            case .heal(let healing): heal(healing)
            case .changeFile(let change):
                surroundings.container.apply(change, at: now, into: &surroundings.network.log)
            case .network(let input): phone.networkHappens(input, in: &surroundings)
            }
        }
    }

    private mutating func heal(_ healing: Healing) {
        surroundings.network.log.record(healing.fact(at: now), at: now)
        phone.happens(.powerBack, in: &surroundings)
        for name in faults { server.switchFault(name, on: false, of: &surroundings.network) }
        phone.networkHappens(.heals, in: &surroundings)
    }

    /// What has happened may be what an entry waits for, and what that does may be what another
    /// one waits for. Without such entries nothing is looked at.
    private mutating func tellTimeline() {
        guard timeline.isWatching else { return }
        while toldEvents < surroundings.network.log.events.count {
            let event = surroundings.network.log.events[toldEvents]
            toldEvents += 1
            timeline.read(event, at: now, into: &surroundings.network.log)
            playTimeline()
        }
    }
}
