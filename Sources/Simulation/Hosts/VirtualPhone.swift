import Device
import Quantities
import QueueStorage
import Recording
import RunLog
import RunPlan
import TransferEngine

/// A phone of the virtual world: the model of its system decides, and here it is carried out.
final class VirtualPhone {
    private var device: Device
    private var recorder: DeviceRecorder
    private let apps: [InstalledApp]
    /// `nil`: it has one way into the network, which is always there.
    private var network: PhoneNetwork?
    /// Its next deadline, as that is asked for after every event.
    private var networkDeadline: Instant?
    private var deadline: Instant?
    private var inputs: [DeviceInput] = []
    private var outputs: [DeviceOutput] = []
    private let plan: DevicePlan
    private var hasCharger = false
    private let disk: PhoneDisk
    /// Of the system; it is there where an app has something for it.
    private let daemon: VirtualDaemon?
    /// Its own ways into the network, among those of all phones.
    private let interfaces: Range<Int>
    private var chance: RandomStream
    /// Where bits flip: how often the power is lost has nothing to do with it.
    private var flips: RandomStream
    /// The crash point of this run, as long as it has not come.
    private var cut: ProcessCut?
    /// What its user does after it.
    private var afterCut: [(at: Instant, event: DeviceEvent)] = []

    init(
        _ phone: PhoneEntry, apps: [InstalledApp], disk: PhoneDisk, network: PhoneNetwork?,
        cut: ProcessCut?, seed: UInt64, countsCells: Bool
    ) {
        let number = phone.number
        self.cut = cut
        if case .atStoreWrite(let write) = cut?.occasion {
            disk.cut(atWrite: write, ofAll: cut?.losesPower == true)
        }
        self.network = network
        plan = phone.plan
        self.apps = apps
        self.disk = disk
        let first = phone.firstInterface
        interfaces = first..<(first + phone.interfaces.count)
        device = Device(plan.system, apps: apps.count)
        daemon =
            apps.contains { $0.counts[.background] > 0 }
            ? VirtualDaemon(
                ofPhone: number, resumes: plan.resumableUploads, apps: apps.map(\.numbers),
                on: disk, countsCells: countsCells)
            : nil
        for app in apps { app.files.downloads = daemon?.downloads }
        recorder = DeviceRecorder(
            device: number, appsBefore: phone.apps.lowerBound, apps: apps.count)
        chance = RandomStream(
            seed: seed, name: number == 0 ? "phone/power" : "phone-\(number + 1)/power")
        flips = RandomStream(
            seed: seed, name: number == 0 ? "phone/flips" : "phone-\(number + 1)/flips")
    }

    /// What the machines on it have counted, if they were to.
    var reachedCells: [ReachedCells] {
        (apps.map(\.reachedCells) + [daemon?.reachedCells]).compactMap(\.self)
    }

    /// Every app is opened once, the first one last: it stays in front.
    func begin(in surroundings: inout AppSurroundings) {
        if let system = plan.system {
            let now = surroundings.network.now
            recorder.recordStart(
                system, wallNanoseconds: device.wallNanoseconds(at: now), at: now,
                into: &surroundings.network.log)
        }
        recorder.recordDisk(
            disk.space, at: surroundings.network.now, into: &surroundings.network.log)
        network?.begin(in: &surroundings)
        networkDeadline = network?.nextDeadline
        for app in apps { app.network = network?.status }
        daemon?.start(network: network?.status, hasCharger: false, in: &surroundings)
        for app in apps.indices.reversed() { happens(.appOpened(app), in: &surroundings) }
    }

    // MARK: What happens to it

    func happens(_ event: DeviceEvent, in surroundings: inout AppSurroundings) {
        if event.isByHand, network?.isDozing == true {
            networkHappens(.doze(false), in: &surroundings)
        }
        inputs.append(.happens(event))
        work(in: &surroundings)
        // Of an app that does not run the model has nothing to say.
        if case .forceQuit(let app) = event, !apps[app].isRunning {
            daemon?.app(app, is: .thrownOut, in: &surroundings)
            work(in: &surroundings)
        }
    }

    func asks(
        _ command: AppPlan.Command, of app: Int, in surroundings: inout AppSurroundings
    ) {
        apps[app].perform(command, in: &surroundings)
        work(in: &surroundings)
    }

    /// The same of its ways into the network.
    func networkHappens(
        _ input: DeviceNetwork.Input, in surroundings: inout AppSurroundings
    ) {
        let status = network?.take(input, in: &surroundings)
        networkDeadline = network?.nextDeadline
        guard let status else { return }
        for app in apps { app.networkChanged(to: status, in: &surroundings) }
        daemon?.tell(.network(status), in: &surroundings)
        work(in: &surroundings)
    }

    func wake(in surroundings: inout AppSurroundings) {
        let now = surroundings.network.now
        if let networkDeadline, networkDeadline <= now {
            networkHappens(.wake, in: &surroundings)
        }
        if let deadline, deadline <= now { inputs.append(.wake) }
        if case .at(let moment) = cut?.occasion, moment <= now {
            cutOff(0, at: now)
            work(in: &surroundings)
        }
        while let next = afterCut.first, next.at <= now {
            afterCut.removeFirst()
            happens(next.event, in: &surroundings)
        }
        for app in apps { app.wake(in: &surroundings) }
        daemon?.wake(in: &surroundings)
        work(in: &surroundings)
    }

    /// News of a stream that one of its apps has opened. What nobody holds any more may go to any
    /// of them.
    func hear(
        _ event: NetworkEvent, of handle: StreamHandle, in surroundings: inout AppSurroundings
    ) {
        if let daemon, daemon.holds(handle) {
            daemon.hear(event, in: &surroundings)
            return work(in: &surroundings)
        }
        let app =
            apps.count == 1 ? apps[0] : apps.first { $0.holds(handle) } ?? apps[0]
        app.hear(event, in: &surroundings)
        if app.asksForSomething { work(in: &surroundings) }
    }

    var nextDeadline: Instant? {
        var next = deadline
        if let time = networkDeadline { next = min(next ?? time, time) }
        if case .at(let time) = cut?.occasion { next = min(next ?? time, time) }
        if let time = afterCut.first?.at { next = min(next ?? time, time) }
        for app in apps {
            guard let time = app.nextDeadline else { continue }
            next = min(next ?? time, time)
        }
        if let time = daemon?.nextDeadline(hearing: { apps[$0].canHear }) {
            next = min(next ?? time, time)
        }
        return next
    }

    /// Nobody is quicker to open an app.
    private static let handTime = TimeSpan.milliseconds(100)

    // MARK: What the model wants done

    /// Until the model has nothing left to be told at this moment.
    private func work(in surroundings: inout AppSurroundings) {
        collectRequests(in: &surroundings)
        while !inputs.isEmpty {
            let input = inputs.removeFirst()
            deadline = device.handle(input, at: surroundings.network.now, into: &outputs)
            let todo = outputs
            outputs.removeAll(keepingCapacity: true)
            for output in todo {
                if case .launch = output { surroundings.launches += 1 }
                recorder.record(
                    output, launch: surroundings.launches, at: surroundings.network.now,
                    into: &surroundings.network.log)
                carryOut(output, in: &surroundings)
            }
            collectRequests(in: &surroundings)
        }
    }

    /// Out of nothing.
    private func cutOff(_ app: Int, at now: Instant) {
        guard let cut else { return }
        self.cut = nil
        let later = now + cut.pause
        let opened = DeviceEvent.appOpened(app)
        afterCut =
            cut.losesPower
            ? [(later, .powerBack), (later + Self.handTime, opened)] : [(later, opened)]
        inputs.append(.happens(cut.losesPower ? .powerLost : .kill(app)))
    }

    private func collectRequests(in surroundings: inout AppSurroundings) {
        let now = surroundings.network.now
        if disk.isCut {
            disk.cutIsKnown()
            cutOff(apps.firstIndex(where: \.isCutOff) ?? 0, at: now)
        }
        while let item = daemon?.takeNews(at: now, hearing: { apps[$0].canHear }) {
            apps[Int(item.app)].tell(.daemon(item.news), in: &surroundings)
        }
        for app in daemon?.takeWakes() ?? [] { inputs.append(.happens(.appWoken(app))) }
        for (place, app) in apps.enumerated() where app.asksForSomething {
            for request in app.takeRequests() {
                switch request {
                case .beginTask(let task): inputs.append(.beginTask(place, task.number))
                case .endTask(let task): inputs.append(.endTask(place, task.number))
                case .daemon(let request): daemon?.asked(request, by: place, at: now)
                }
            }
        }
    }

    private func carryOut(_ output: DeviceOutput, in surroundings: inout AppSurroundings) {
        switch output {
        case .launch(let app, let inBackground):
            let isUp = apps[app].launch(
                recorder.launch(ofApp: app), inBackground: inBackground, in: &surroundings)
            if !isUp { inputs.append(.happens(.crash(app))) }
            daemon?.app(app, is: inBackground ? .behind : .inFront, in: &surroundings)
        case .enter(let app, let state, _):
            apps[app].enter(state, in: &surroundings)
            daemon?.app(app, is: DaemonClientStage(state), in: &surroundings)
        case .expire(let app, let tasks, _):
            for task in tasks {
                apps[app].tell(
                    .backgroundTimeExpires(BackgroundTaskID(task)), in: &surroundings)
            }
        case .end(let app, let death):
            apps[app].end(in: &surroundings)
            daemon?.app(
                app, is: death == .forceQuit ? .thrownOut : .dead, in: &surroundings)
        case .clearData(let app):
            apps[app].clearData(in: &surroundings)
            daemon?.clear(app, as: apps[app].numbers, in: &surroundings)
        case .flipDaemonBits(let count):
            daemon?.flipBits(count, by: &flips, in: &surroundings)
        case .flipBits(let app, let count): apps[app].flipBits(count, by: &flips)
        case .power(let change): carryOut(change, in: &surroundings)
        case .disk(let condition, _): disk.space.condition = condition
        case .note(.charger(let isConnected)):
            hasCharger = isConnected
            daemon?.tell(.charger(isConnected: isConnected), in: &surroundings)
        // Paths are relative to the container, wherever it is.
        case .moveContainer, .note: break
        }
    }

    /// A phone that is off has no network: what its stack had taken is gone, and nobody is told.
    private func carryOut(_ change: PowerChange, in surroundings: inout AppSurroundings) {
        switch change {
        case .lost, .restarting:
            if change == .restarting { daemon?.finishUp(in: &surroundings) }
            for handle in surroundings.streams.handles
            where interfaces.contains(surroundings.network.transport.interface(of: handle)) {
                surroundings.network.transport.lose(handle)
            }
            daemon?.end(in: &surroundings)
            takeNetwork(down: true, in: &surroundings)
            // A restart in good order syncs what is open.
            guard change == .lost else { return }
            for app in apps { app.losePower(by: &chance) }
            daemon?.losePower(by: &chance)
        case .back: break
        case .up:
            takeNetwork(down: false, in: &surroundings)
            daemon?.start(
                network: network?.status, hasCharger: hasCharger, in: &surroundings)
        }
    }

    private func takeNetwork(down: Bool, in surroundings: inout AppSurroundings) {
        guard network != nil else {
            return surroundings.network.transport.take(interfaces.lowerBound, down: down)
        }
        networkHappens(.power(on: !down), in: &surroundings)
    }
}
