import Device
import Facts
import Quantities
import QueueStorage
import Recording
import RunLog
import RunPlan
import TransferEngine

/// A phone of the virtual world: it carries out the decisions of its system's model.
final class VirtualPhone {
    private var device: Device
    private var recorder: DeviceRecorder
    private let apps: [InstalledApp]
    /// The phone's network; `nil` for a single interface that is always up.
    private var network: PhoneNetwork?
    /// Deadline of the network, cached because it is needed after every event.
    private var networkDeadline: Instant?
    private var deadline: Instant?
    private var inputs: [DeviceInput] = []
    private var outputs: [DeviceOutput] = []
    private let plan: DevicePlan
    private var hasCharger = false
    private let disk: PhoneDisk
    /// The system's daemon, if an app has background transfers.
    private let daemon: VirtualDaemon?
    /// Numbers of the phone's interfaces among those of all phones.
    private let interfaces: Range<Int>
    private var chance: RandomStream
    /// Stream for bit flips, separate so that power losses do not change it.
    private var flips: RandomStream
    /// Crash point of the run, until it is reached.
    private var cut: ProcessCut?
    /// Events by the user's hand after the crash.
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
        device = Device(plan.system, apps: apps.count, startTime: plan.startTime)
        daemon =
            apps.contains { $0.counts[.background] > 0 }
            ? VirtualDaemon(
                ofPhone: number, resumes: plan.resumableUploads, apps: apps,
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

    var reachedCells: [ReachedCells] {
        (apps.map(\.reachedCells) + [daemon?.reachedCells]).compactMap(\.self)
    }

    /// Opens every app once; the first app comes last and stays in front.
    func begin(in environment: inout ProcessEnvironment) {
        if let system = plan.system {
            let now = environment.network.now
            recorder.recordStart(
                system, wallNanoseconds: device.wallNanoseconds(at: now), at: now,
                into: &environment.network.log)
        }
        recorder.recordDisk(
            disk.space, at: environment.network.now, into: &environment.network.log)
        network?.begin(in: &environment)
        networkDeadline = network?.nextDeadline
        for app in apps { app.network = network?.statusBehind }
        daemon?.start(network: network?.statusBehind, hasCharger: false, in: &environment)
        for app in apps.indices.reversed() { happens(.appOpened(app), in: &environment) }
    }

    // MARK: What happens to it

    func happens(_ event: DeviceEvent, in environment: inout ProcessEnvironment) {
        if event.isByHand, network?.isDozing == true {
            networkHappens(.doze(false), in: &environment)
        }
        inputs.append(.happens(event))
        work(in: &environment)
        // The model says nothing about an app that is not running.
        if case .forceQuit(let app) = event, !apps[app].isRunning {
            daemon?.app(app, is: .thrownOut, in: &environment)
            work(in: &environment)
        }
    }

    func asks(
        _ command: AppPlan.Command, of app: Int, in environment: inout ProcessEnvironment
    ) {
        apps[app].perform(command, in: &environment)
        work(in: &environment)
    }

    /// Records what its apps show at the end, and what they have left.
    func recordEnd(in environment: inout ProcessEnvironment) {
        for app in apps { app.recordEnd(in: &environment) }
    }

    /// Feeds an input to the phone's network machine.
    func networkHappens(
        _ input: DeviceNetwork.Input, in environment: inout ProcessEnvironment
    ) {
        let wasSaving = network?.isSavingBattery
        let hearers = apps.indices.filter { !apps[$0].isWithoutNetwork }
        let status = network?.take(
            input.whileCharged(hasCharger),
            for: hearers.count < apps.count ? hearers : nil, in: &environment)
        networkDeadline = network?.nextDeadline
        let isNew = network?.isSavingBattery != wasSaving
        guard status != nil || isNew else { return }
        if let status {
            for place in hearers { apps[place].networkChanged(to: status, in: &environment) }
        }
        for place in apps.indices {
            giveNetwork(to: place, behind: apps[place].isBehind, in: &environment)
        }
        if let network, let daemon {
            daemon.tell(.network(network.statusBehind), in: &environment)
            if isNew, network.isSavingBattery { daemon.loseConnections(in: &environment) }
        }
        work(in: &environment)
    }

    /// Gives an app the network or takes it away, as the battery saver has it.
    private func giveNetwork(
        to place: Int, behind isBehind: Bool, in environment: inout ProcessEnvironment
    ) {
        guard let network else { return }
        let isWithout = network.isSavingBattery && isBehind
        guard isWithout != apps[place].isWithoutNetwork else { return }
        let status = network.status(ofApp: place, isBehind: isBehind, in: &environment)
        apps[place].networkGiven(!isWithout, status, in: &environment)
    }

    func wake(in environment: inout ProcessEnvironment) {
        let now = environment.network.now
        if let networkDeadline, networkDeadline <= now {
            networkHappens(.wake, in: &environment)
        }
        if let deadline, deadline <= now { inputs.append(.wake) }
        if case .at(let moment) = cut?.occasion, moment <= now {
            cutOff(0, at: now)
            work(in: &environment)
        }
        while let next = afterCut.first, next.at <= now {
            afterCut.removeFirst()
            happens(next.event, in: &environment)
        }
        for app in apps { app.wake(in: &environment) }
        daemon?.wake(in: &environment)
        work(in: &environment)
    }

    /// Passes on an event of a stream. A stream that nobody holds any more may go to any app.
    func hear(
        _ event: NetworkEvent, of handle: StreamHandle, in environment: inout ProcessEnvironment
    ) {
        if let daemon, daemon.holds(handle) {
            daemon.hear(event, in: &environment)
            return work(in: &environment)
        }
        let app =
            apps.count == 1 ? apps[0] : apps.first { $0.holds(handle) } ?? apps[0]
        app.hear(event, in: &environment)
        if app.asksForSomething { work(in: &environment) }
    }

    var nextDeadline: Instant? {
        var next = deadline
        next.advance(to: networkDeadline)
        if case .at(let time) = cut?.occasion { next.advance(to: time) }
        next.advance(to: afterCut.first?.at)
        for app in apps { next.advance(to: app.nextDeadline) }
        next.advance(to: daemon?.nextDeadline { apps[$0].canHear })
        return next
    }

    /// Shortest time in which a user opens an app.
    private static let handTime = TimeSpan.milliseconds(100)

    // MARK: What the model wants done

    /// Takes turns until the model has no inputs left.
    private func work(in environment: inout ProcessEnvironment) {
        collectRequests(in: &environment)
        while !inputs.isEmpty {
            let input = inputs.removeFirst()
            deadline = device.handle(input, at: environment.network.now, into: &outputs)
            let todo = outputs
            outputs.removeAll(keepingCapacity: true)
            for output in todo {
                if case .launch = output { environment.launches += 1 }
                recorder.record(
                    output, launch: environment.launches, at: environment.network.now,
                    into: &environment.network.log)
                carryOut(output, in: &environment)
            }
            collectRequests(in: &environment)
        }
    }

    /// Cuts off an app, or the whole phone, at the crash point. The user opens the app again. After
    /// a loss of power the others that were running are opened, too, and then the app once more, so
    /// that it is in front.
    private func cutOff(_ app: Int, at now: Instant) {
        guard let cut else { return }
        self.cut = nil
        let later = now + cut.pause
        guard cut.losesPower else {
            afterCut = [(later, .appOpened(app))]
            return inputs.append(.happens(.kill(app)))
        }
        afterCut = [(later, .powerBack), (later + Self.handTime, .appOpened(app))]
        let others = apps.indices.filter { $0 != app && apps[$0].isRunning }
        var hand = later + plan.startTime
        for app in others.isEmpty ? [] : others + [app] {
            hand = hand + Self.handTime
            afterCut.append((hand, .appOpened(app)))
        }
        inputs.append(.happens(.powerLost))
    }

    private func collectRequests(in environment: inout ProcessEnvironment) {
        let now = environment.network.now
        if disk.isCut {
            disk.cutIsKnown()
            cutOff(apps.firstIndex(where: \.isCutOff) ?? 0, at: now)
        }
        while let item = daemon?.takeNews(at: now, hearing: { apps[$0].canHear }) {
            apps[Int(item.app)].tell(.daemon(item.content), in: &environment)
        }
        for app in daemon?.takeWakes() ?? [] { inputs.append(.happens(.appWoken(app))) }
        for (place, app) in apps.enumerated() where app.asksForSomething {
            for request in app.takeRequests() {
                switch request {
                case .beginTask(let task): inputs.append(.beginTask(place, task.number))
                case .endTask(let task): inputs.append(.endTask(place, task.number))
                case .endFetch(let result): inputs.append(.endFetch(place, result))
                case .daemon(let request): daemon?.asked(request, by: place, at: now)
                }
            }
        }
    }

    private func carryOut(_ output: DeviceOutput, in environment: inout ProcessEnvironment) {
        switch output {
        case .launch(let app, let inBackground):
            giveNetwork(to: app, behind: inBackground, in: &environment)
            let isUp = apps[app].launch(
                recorder.launch(ofApp: app), inBackground: inBackground, in: &environment)
            if !isUp { inputs.append(.happens(.crash(app))) }
            daemon?.app(app, is: inBackground ? .behind : .inFront, in: &environment)
        case .enter(let app, let state, _):
            apps[app].enter(state, in: &environment)
            giveNetwork(to: app, behind: apps[app].isBehind, in: &environment)
            if state == .active { apps[app].recordLists(in: &environment) }
            daemon?.app(app, is: DaemonClientStage(state), in: &environment)
        case .expire(let app, let tasks, _):
            for task in tasks {
                apps[app].expire(task, in: &environment)
            }
        case .fetch(let app): apps[app].fetch(in: &environment)
        case .end(let app, let death):
            apps[app].end(in: &environment)
            daemon?.app(
                app, is: death == .forceQuit ? .thrownOut : .dead, in: &environment)
        case .clearData(let app):
            apps[app].clearData(in: &environment)
            daemon?.clear(app, as: apps[app].numbers, in: &environment)
        case .flipDaemonBits(let count):
            daemon?.flipBits(count, by: &flips, in: &environment)
        case .flipBits(let app, let count): apps[app].flipBits(count, by: &flips)
        case .power(let change): carryOut(change, in: &environment)
        case .disk(let condition, _): disk.space.condition = condition
        case .note(.charger(let isConnected, _), _):
            hasCharger = isConnected
            daemon?.tell(.charger(isConnected: isConnected), in: &environment)
            if isConnected, network?.isSavingBattery == true {
                networkHappens(.batterySaver(false), in: &environment)
            }
        // Paths are relative to the container, so a move changes nothing.
        case .moveContainer, .note: break
        }
    }

    /// Changes the power. Without it the phone has no network: bytes in its stack are lost, and
    /// the apps are not told.
    private func carryOut(_ change: PowerStep, in environment: inout ProcessEnvironment) {
        switch change {
        case .lost, .restarting:
            if change == .restarting { daemon?.finishUp(in: &environment) }
            for handle in environment.streams.handles
            where interfaces.contains(environment.network.transport.interface(of: handle)) {
                environment.network.transport.lose(handle)
            }
            daemon?.end(in: &environment)
            takeNetwork(down: true, in: &environment)
            // An orderly restart syncs open files.
            guard change == .lost else { return }
            for app in apps { app.losePower(by: &chance) }
            daemon?.losePower(by: &chance)
        case .back: break
        case .up:
            takeNetwork(down: false, in: &environment)
            daemon?.start(
                network: network?.statusBehind, hasCharger: hasCharger, in: &environment)
        }
    }

    private func takeNetwork(down: Bool, in environment: inout ProcessEnvironment) {
        guard network != nil else {
            return environment.network.transport.take(interfaces.lowerBound, down: down)
        }
        networkHappens(.power(on: !down), in: &environment)
    }
}
