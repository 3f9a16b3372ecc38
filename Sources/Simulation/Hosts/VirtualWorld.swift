package import Capture
import Device
import DocrootServer
import LinkModels
package import Quantities
import Recording
package import RunLog
package import RunPlan
package import TransferEngine

/// The virtual world: it carries out a plan in virtual time and records everything that happens.
///
/// Call `advance` until it returns false, and drain the log in between.
package struct VirtualWorld: ~Copyable {
    private var environment: ProcessEnvironment
    private var server: VirtualServer
    private let phones: [VirtualPhone]
    /// Phone of each interface.
    private let owners: [Int]
    private var portal = VirtualPortal()
    private var timeline: Timeline
    /// Number of events that the timeline has read since the log was drained.
    private var toldEvents = 0
    private let faults: [String]
    private let roll: AppRoll
    /// Windows of the senders since the log was drained; `nil` if nobody asks for them.
    private var windows: [CongestionWindow]?
    /// Disk of the first phone.
    private let disk: PhoneDisk

    private enum TimerSlot: Int32 { case phone, timeline, server }
    /// Current times of the timers, by slot, because most events change none of them.
    private var timerTimes: [Instant?] = [nil, nil, nil]
    /// Whether a phone's deadline may have changed; most events concern only the server.
    private var phonesHaveHeard = true

    /// Creates a world. Recording flights, counting state-table cells and following congestion
    /// windows cannot change the run.
    package init(
        _ plan: RunPlan, tap: consuming PacketTap? = nil, recordsFlights: Bool = false,
        countsCells: Bool = false, followsWindows: Bool = false
    ) {
        windows = followsWindows ? [] : nil
        let entries = plan.phones
        let network = VirtualNetwork(
            entries.flatMap(\.interfaces), tcp: plan.tcp,
            crossTraffic: plan.crossTraffic, names: plan.names,
            pacedDoor: plan.pacedDoor, seed: plan.seed, ties: plan.ties,
            followsWindows: followsWindows, tap: tap)
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
        let port = plan.usualPort
        server = VirtualServer(
            plan.serverSettings, port: port, visits: plan.visits, seed: plan.seed)
        phones = Self.phones(
            entries, roll, disks, cut: plan.cut, seed: plan.seed, countsCells: countsCells,
            server: ServerAddress(
                host: "docroot", port: port, usesTLS: plan.tcp.security != .none),
            users: plan.server.accounts)
        environment.network.transport.listen(.server, port: port)
        environment.network.transport.listen(.portal, port: 80)
        environment.announceFiles()
        for phone in phones { phone.begin(in: &environment) }
        tellTimeline()
        setTimers()
    }

    package var now: Instant { environment.network.now }

    /// Whether time stands still, as a process has something to do again and again.
    package var isEndless: Bool { environment.isEndless }

    /// Flight recordings, if the run makes any.
    package var flights: VirtualFlights? { environment.flights }

    /// Number of times that each state-table cell was reached, over all machines.
    package var reachedCells: ReachedCells {
        var all = ReachedCells()
        for phone in phones { for cells in phone.reachedCells { all += cells } }
        return all
    }

    /// Entries of the timeline that have happened.
    package var deeds: [TimelineDeed] { timeline.deeds }

    /// Number of writes to the stores of the first phone.
    package var storeWrites: PhoneDisk.StoreWrites { disk.writes }

    /// Carries out events up to and including `limit`, or until it is time to drain the log;
    /// returns false if nothing is left to do by then.
    package mutating func advance(until limit: Instant) -> Bool {
        guard environment.network.transport.advance(until: limit) else { return false }
        while let event = environment.network.takeEvent() {
            if windows != nil { noteWindow(after: event) }
            dispatch(event)
            guard !isEndless else { return false }
        }
        tellTimeline()
        setTimers()
        return true
    }

    /// Time of the next event, or `nil` if there will be none.
    package var nextEventTime: Instant? {
        mutating get { environment.network.transport.nextEventTime }
    }

    package mutating func drainLog(into reader: inout some RunLogReader) {
        toldEvents = 0
        environment.network.transport.drainLog(into: &reader)
        let ofFlows = environment.network.transport.takeWindows()
        guard let windows, !windows.isEmpty || !ofFlows.isEmpty else { return }
        reader.read(
            windows: ofFlows.isEmpty ? windows : (windows + ofFlows).sorted { $0.at < $1.at })
        self.windows = []
    }

    /// Drains the log if it is time to. Asking from outside would copy the world each time.
    package mutating func drainRipeLog(into reader: inout some RunLogReader) {
        if environment.network.transport.isLogRipe { drainLog(into: &reader) }
    }

    /// Throws once packets can no longer be written to the capture files.
    package func checkTap() throws(CaptureError) { try environment.network.transport.checkTap() }

    /// Flushes the capture files.
    package func finishTap() throws(CaptureError) { try environment.network.transport.finishTap() }

    /// Closes the books of the links, and tells what the apps show and what is left on the phones
    /// and on the server. Nothing may happen afterwards.
    package mutating func end() {
        for phone in phones { phone.recordEnd(in: &environment) }
        server.tellLeftovers(on: &environment.network)
        environment.network.transport.closeBooks()
    }

    // MARK: What the network tells

    /// Notes the window of the end whose content has just come through.
    private mutating func noteWindow(after event: NetworkEvent) {
        switch event {
        case .connected(let handle), .roomAvailable(let handle):
            guard !handle.isPaced else { return }
            windows?.append(environment.network.transport.window(handle))
        case .readable(let handle):
            guard !handle.isPaced else { return }
            windows?.append(environment.network.transport.window(handle.otherEnd))
        case .accepted, .peerFinished, .ended, .timer: break
        }
    }

    private mutating func dispatch(_ event: NetworkEvent) {
        if case .timer(let slot) = event { timerTimes[Int(slot)] = nil }
        switch event {
        case .timer(TimerSlot.phone.rawValue):
            phonesHaveHeard = true
            for phone in phones { phone.wake(in: &environment) }
        case .timer(TimerSlot.server.rawValue): server.wake(on: &environment.network)
        case .timer: playTimeline()
        case .accepted(let handle, .portal, _):
            let answersPage = environment.network.transport.portalAnswersPage(handle)
            portal.accepted(handle, answersPage: answersPage)
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
        for phone in phones { next.advance(to: phone.nextDeadline) }
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
            let before = environment.network.log.events.count
            defer {
                if environment.network.log.events.count == before { timeline.lastDeedIsVoid() }
            }
            switch action {
            case .killApp: phones[0].happens(.kill(0), in: &environment)
            case .launchApp: phones[0].happens(.appOpened(0), in: &environment)
            case .device(let event, let phone): phones[phone].happens(event, in: &environment)
            case .switchFault(let name, let isOn):
                server.switchFault(name, on: isOn, of: &environment.network)
            case .visit(let name): server.visit(name, on: &environment.network)
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

    /// Feeds new events to the timeline, whose actions may cause further events. Does nothing
    /// unless an entry of the timeline waits for an event.
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
        seed: UInt64, countsCells: Bool, server: ServerAddress,
        users: [ServerUser]
    ) -> [VirtualPhone] {
        var before = ItemCounts()
        var apps: [InstalledApp] = []
        for (index, entry) in roll.entries.enumerated() {
            let identity = AppIdentity(index: index, phone: entry.device)
            let numbers = AppNumbers(name: identity.name, before: before)
            before += entry.plan.counts
            let device = entries[entry.device].plan
            apps.append(
                InstalledApp(
                    AppScript(
                        entry.plan.sessions, entry.plan.app, server: server, users: users),
                    numbers, identity: identity, counts: entry.plan.counts,
                    making: TransferEngine.Making(
                        asksForBackgroundTime: device.asksForBackgroundTime,
                        tellsOfPaths: device.tellsOfPaths, identity: 0,
                        platform: device.platform),
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
