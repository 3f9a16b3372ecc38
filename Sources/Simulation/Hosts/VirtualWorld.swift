package import Capture
import Device
import DocrootServer
import LinkModels
package import Quantities
import Recording
package import RunLog
package import RunPlan
package import TransferEngine

/// The virtual world: carries out a plan in virtual time, and writes down everything that happens.
///
/// Call `step()` until it says that nothing is left, or until the plan's limit; drain the log in
/// between.
package struct VirtualWorld: ~Copyable {
    private var environment: ProcessEnvironment
    private var server: VirtualServer
    private let phones: [VirtualPhone]
    /// Whose the ways into the network are, by their numbers.
    private let owners: [Int]
    private var portal = VirtualPortal()
    private var timeline: Timeline
    /// How many events of the log, since it was drained, the timeline has been told of.
    private var toldEvents = 0
    private let faults: [String]
    private let roll: AppRoll
    /// Of the first phone.
    private let disk: PhoneDisk

    /// The timers of those who live above the network.
    private enum TimerSlot: Int32 { case phone, timeline, server }
    /// What they are set to, by their slots: most events change none of them.
    private var timerTimes: [Instant?] = [nil, nil, nil]
    /// Whether a phone may have another deadline than before: most events are the server's alone.
    private var phonesHaveHeard = true

    /// Whether the processes' inputs are to be recorded, and whether somebody will ask how often
    /// the cells of state tables were reached; nothing in the world can tell.
    package init(
        _ plan: RunPlan, tap: consuming PacketTap? = nil, recordsFlights: Bool = false,
        countsCells: Bool = false
    ) {
        let entries = plan.phones
        let network = VirtualNetwork(
            entries.flatMap(\.interfaces), tcp: plan.tcp,
            crossTraffic: plan.crossTraffic, seed: plan.seed, ties: plan.ties, tap: tap)
        let roll = AppRoll(plan)
        self.roll = roll
        let disks = entries.map { phone in
            PhoneDisk(
                DiskSpace(
                    capacity: phone.plan.diskCapacity,
                    used: roll.sizeOfFiles(onDevice: phone.number)))
        }
        disk = disks[0]
        owners = entries.flatMap { phone in phone.interfaces.map { _ in phone.number } }
        environment = ProcessEnvironment(
            network: SecuredNetwork(network, plan.tcp.security),
            containers: roll.entries.map { VirtualContainer($0.plan.files, on: disks[$0.device]) },
            firstInterfaces: entries.map(\.firstInterface),
            counted: roll.counts)
        if recordsFlights { environment.flights = VirtualFlights() }
        timeline = Timeline(plan.timeline)
        faults = plan.faults.map(\.name)
        // The ports of HTTP and of HTTPS.
        let port: UInt16 = plan.tcp.security == .none ? 80 : 443
        server = VirtualServer(
            ServerSettings(faults: FaultScript(plan.faults, seed: plan.seed)), port: port)
        phones = Self.phones(
            entries, roll, disks, cut: plan.cut, seed: plan.seed, countsCells: countsCells,
            server: ServerAddress(host: "docroot", port: port))
        environment.network.transport.listen(.server, port: port)
        environment.network.transport.listen(.portal, port: 80)
        environment.announceFiles()
        for phone in phones { phone.begin(in: &environment) }
        tellTimeline()
        setTimers()
    }

    package var now: Instant { environment.network.now }

    /// What the flight recorders have written, if there were any.
    package var flights: VirtualFlights? { environment.flights }

    /// How often the cells of state tables were reached, by all machines together.
    package var reachedCells: ReachedCells {
        var all = ReachedCells()
        for phone in phones { for cells in phone.reachedCells { all += cells } }
        return all
    }

    /// How often stores on the first phone were written to.
    package var storeWrites: PhoneDisk.StoreWrites { disk.writes }

    /// Lets things happen up to and including `limit`, or until the log is ripe; `false` when
    /// nothing is left to happen by then.
    package mutating func advance(until limit: Instant) -> Bool {
        guard environment.network.transport.advance(until: limit) else { return false }
        while let event = environment.network.takeEvent() { dispatch(event) }
        tellTimeline()
        setTimers()
        return true
    }

    /// When something will happen next, or `nil` if nothing ever will.
    package var nextEventTime: Instant? {
        mutating get { environment.network.transport.nextEventTime }
    }

    package mutating func drainLog(into reader: inout some RunLogReader) {
        toldEvents = 0
        environment.network.transport.drainLog(into: &reader)
    }

    /// Drains the log if it is time for that; to be asked that from outside costs a copy of the
    /// world each time.
    package mutating func drainRipeLog(into reader: inout some RunLogReader) {
        if environment.network.transport.isLogRipe { drainLog(into: &reader) }
    }

    /// Throws as soon as the packets that were asked for cannot be written any more.
    package func checkTap() throws(CaptureError) { try environment.network.transport.checkTap() }

    /// Brings the packets that were asked for to their files.
    package func finishTap() throws(CaptureError) { try environment.network.transport.finishTap() }

    /// Closes the links' books; nothing may happen afterwards.
    package mutating func end() { environment.network.transport.closeBooks() }

    // MARK: What the network tells

    private mutating func dispatch(_ event: NetworkEvent) {
        if case .timer(let slot) = event { timerTimes[Int(slot)] = nil }
        switch event {
        case .timer(TimerSlot.phone.rawValue):
            phonesHaveHeard = true
            for phone in phones { phone.wake(in: &environment) }
        case .timer(TimerSlot.server.rawValue): server.wake(on: &environment.network)
        case .timer: playTimeline()
        case .accepted(let handle, .portal, _): portal.accepted(handle)
        case .accepted(let handle, _, _):
            server.accepted(handle, on: &environment.network)
        case .connected(let handle): tellPhone(event, of: handle)
        case .readable(let handle):
            guard !handle.isOpener else { return tellPhone(event, of: handle) }
            if portal.has(handle) {
                portal.readable(handle, of: &environment.network)
            } else {
                server.readable(handle, of: &environment.network)
            }
        case .roomAvailable(let handle):
            guard !handle.isOpener else { return tellPhone(event, of: handle) }
            if !portal.has(handle) { server.roomAvailable(on: handle, of: &environment.network) }
        case .peerFinished(let handle):
            guard !handle.isOpener else { return tellPhone(event, of: handle) }
            disconnected(handle)
        case .ended(let handle, let end):
            recordEnd(of: handle, end)
            guard !handle.isOpener else { return tellPhone(event, of: handle) }
            disconnected(handle)
            portal.ended(handle)
            environment.network.release(handle)
        }
    }

    private mutating func disconnected(_ handle: StreamHandle) {
        if portal.has(handle) {
            environment.network.finish(handle)
        } else {
            server.disconnected(handle, of: &environment.network)
        }
    }

    private mutating func tellPhone(_ event: NetworkEvent, of handle: StreamHandle) {
        phonesHaveHeard = true
        let phone =
            phones.count == 1 ? 0 : owners[environment.network.transport.interface(of: handle)]
        phones[phone].hear(event, of: handle, in: &environment)
    }

    private mutating func recordEnd(of handle: StreamHandle, _ end: ConnectionEnd) {
        let transmitted = environment.network.transmitted(handle)
        environment.streams.ended(
            handle, end, transmitted: transmitted, at: now, into: &environment.network.log)
    }

    private mutating func setTimers() {
        if phonesHaveHeard { setPhoneTimer() }
        setTimer(.timeline, at: timeline.nextDeadline)
        setTimer(.server, at: server.nextDeadline)
    }

    private mutating func setPhoneTimer() {
        phonesHaveHeard = false
        var next: Instant?
        for phone in phones {
            guard let time = phone.nextDeadline else { continue }
            next = min(next ?? time, time)
        }
        setTimer(.phone, at: next)
    }

    private mutating func setTimer(_ slot: TimerSlot, at time: Instant?) {
        let time = time.map { max($0, now) }
        guard time != timerTimes[Int(slot.rawValue)] else { return }
        timerTimes[Int(slot.rawValue)] = time
        if let time {
            environment.network.transport.setTimer(slot: slot.rawValue, at: time)
        } else {
            environment.network.transport.cancelTimer(slot: slot.rawValue)
        }
    }

    private mutating func playTimeline() {
        while let action = timeline.due(at: now, into: &environment.network.log) {
            phonesHaveHeard = true
            switch action {
            case .killApp: phones[0].happens(.kill(0), in: &environment)
            case .launchApp: phones[0].happens(.appOpened(0), in: &environment)
            case .device(let event, let phone): phones[phone].happens(event, in: &environment)
            case .switchFault(let name, let isOn):
                server.switchFault(name, on: isOn, of: &environment.network)
            case .heal(let healing): heal(healing)
            case .changeFile(let change):
                environment.apply(change)
            case .network(let input, let phone):
                phones[phone].networkHappens(input, in: &environment)
            case .asks(let command):
                let (app, command) = roll.owner(of: command)
                let entry = roll.entries[app]
                phones[entry.device].asks(command, of: entry.place, in: &environment)
            }
        }
    }

    private mutating func heal(_ healing: Healing) {
        environment.network.log.record(healing.fact(at: now), at: now)
        for phone in phones {
            for event in DeviceEvent.healing { phone.happens(event, in: &environment) }
        }
        for name in faults { server.switchFault(name, on: false, of: &environment.network) }
        for phone in phones { phone.networkHappens(.heals, in: &environment) }
    }

    /// What has happened may be what an entry waits for, and what that does may be what another
    /// one waits for. Without such entries nothing is looked at.
    private mutating func tellTimeline() {
        guard timeline.isWatching else { return }
        while toldEvents < environment.network.log.events.count {
            let event = environment.network.log.events[toldEvents]
            toldEvents += 1
            timeline.read(event, at: now, into: &environment.network.log)
            playTimeline()
        }
    }
}

extension VirtualWorld {
    private static func phones(
        _ entries: [PhoneEntry], _ roll: AppRoll, _ disks: [PhoneDisk], cut: ProcessCut?,
        seed: UInt64, countsCells: Bool, server: ServerAddress
    ) -> [VirtualPhone] {
        var before = ItemCounts()
        var apps: [InstalledApp] = []
        for (index, entry) in roll.entries.enumerated() {
            let identity = AppIdentity(index: index, phone: entry.device)
            let numbers = AppNumbers(name: identity.name, before: before)
            before += entry.plan.counts
            apps.append(
                InstalledApp(
                    AppScript(entry.plan.sessions, entry.plan.app, server: server),
                    numbers, identity: identity, counts: entry.plan.counts,
                    asksForBackgroundTime: entries[entry.device].plan.asksForBackgroundTime,
                    platform: entries[entry.device].plan.platform,
                    on: disks[entry.device], countsCells: countsCells))
        }
        return entries.map { phone in
            VirtualPhone(
                phone, apps: Array(apps[phone.apps]), disk: disks[phone.number],
                network: PhoneNetwork(phone), cut: phone.number == 0 ? cut : nil, seed: seed,
                countsCells: countsCells)
        }
    }
}
