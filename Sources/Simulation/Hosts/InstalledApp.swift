import Device
import Quantities
import QueueStorage
import Recording
import RunLog
import RunPlan
import TransferClient
import TransferEngine

/// An app installed on a phone: its disk, and its process while it runs.
///
/// A suspended process hears nothing. Network events, timers and store changes wait until it
/// resumes or ends.
final class InstalledApp {
    private let script: AppScript
    private(set) var numbers: AppNumbers
    let counts: ItemCounts
    /// How each launch's engine is made; only its identity differs.
    private var making: TransferEngine.Making
    let identity: AppIdentity
    private var process: VirtualApp?
    private var isSuspended = false
    /// Whether the process knows that it is in the background.
    private(set) var isBehind = false
    /// Whether the phone gives it no network, to save its battery.
    private(set) var isWithoutNetwork = false
    private var unheard: [NetworkEvent] = []
    /// Successful launches since the app's data was last cleared.
    private var launches: UInt32 = 0
    /// Status of the phone's network; the app hears of it at launch and at every change.
    var network: NetworkStatus?
    private var hasUnheardNetwork = false
    /// The app's disk while no process runs. A running process holds the disk through its medium.
    private var disk = VirtualDisk()
    /// Disk of the phone, shared with its other apps.
    private let phoneDisk: PhoneDisk
    private var medium: VirtualDiskMedium?
    let files: ContainerFiles
    /// The app's keychain.
    let wallet = Wallet()
    /// Cells reached by processes that have ended; `nil` if nobody counts them.
    private var cells: ReachedCells?

    init(
        _ script: AppScript, _ numbers: AppNumbers, identity: AppIdentity, counts: ItemCounts,
        making: TransferEngine.Making, on phoneDisk: PhoneDisk, countsCells: Bool
    ) {
        cells = countsCells ? ReachedCells() : nil
        self.script = script
        self.numbers = numbers
        self.identity = identity
        self.counts = counts
        self.making = making
        self.phoneDisk = phoneDisk
        files = ContainerFiles(on: phoneDisk)
    }

    var docroots: SeenDocroots { SeenDocroots(script.docroots) }

    // MARK: What the process hears

    func hear(_ event: NetworkEvent, in environment: inout ProcessEnvironment) {
        guard !isSuspended else { return unheard.append(event) }
        process?.hear(event, in: &environment)
        if case .ended(let handle, _) = event { environment.network.release(handle) }
    }

    func tell(_ input: EngineInput, in environment: inout ProcessEnvironment) {
        precondition(!isSuspended, "a suspended process was told \(input)")
        process?.tell(input, in: &environment)
    }

    /// Runs the expiry handler of a background task.
    func expire(_ task: UInt32, in environment: inout ProcessEnvironment) {
        precondition(!isSuspended, "a task of a suspended process expires")
        process?.expire(task, in: &environment)
    }

    /// Lets the app fetch.
    func fetch(in environment: inout ProcessEnvironment) {
        precondition(!isSuspended, "a suspended process does not fetch")
        process?.fetch(in: &environment)
    }

    /// Carries out a command. Has no effect on an app that is suspended or not running.
    func perform(_ command: AppPlan.Command, in environment: inout ProcessEnvironment) {
        guard !isSuspended else { return }
        process?.perform(command, in: &environment)
    }

    func networkChanged(to status: NetworkStatus, in environment: inout ProcessEnvironment) {
        network = status
        guard !isSuspended else { return hasUnheardNetwork = true }
        tell(.network(status), in: &environment)
    }

    /// Hears that the phone gives it the network, or takes it away with all connections.
    func networkGiven(
        _ isGiven: Bool, _ status: NetworkStatus, in environment: inout ProcessEnvironment
    ) {
        isWithoutNetwork = !isGiven
        environment.isWithoutNetwork[identity.index] = !isGiven
        networkChanged(to: status, in: &environment)
        if !isGiven { process?.loseConnections(in: &environment) }
    }

    func wake(in environment: inout ProcessEnvironment) {
        guard !isSuspended else { return }
        process?.wake(in: &environment)
    }

    var isRunning: Bool { process != nil }

    /// Cells reached by all processes so far.
    var reachedCells: ReachedCells? {
        guard var all = cells else { return nil }
        if let more = process?.cells { all += more }
        return all
    }

    /// Whether the process died in the middle of a store change.
    var isCutOff: Bool { medium?.isCutOff == true }

    var canHear: Bool { process != nil && !isSuspended }

    func holds(_ handle: StreamHandle) -> Bool { process?.holds(handle) == true }

    var nextDeadline: Instant? { isSuspended ? nil : process?.nextDeadline }

    var asksForSomething: Bool { process?.requests.isEmpty == false }

    func takeRequests() -> [ProcessRequest] { process?.takeRequests() ?? [] }

    // MARK: Its life

    /// Launches the app. Returns whether it came up: it crashes if it cannot open its store.
    func launch(
        _ launch: UInt32, inBackground: Bool, in environment: inout ProcessEnvironment
    ) -> Bool {
        let medium = VirtualDiskMedium(disk, of: phoneDisk)
        self.medium = medium
        isBehind = inBackground
        do throws(StoreError) {
            making.identity = UInt64(launch)
            process = try VirtualApp(
                making, launch: launch, of: identity, numbers, on: medium, files: files,
                wallet: wallet, seeing: docroots, countsCells: cells != nil, in: &environment)
            launches += 1
            if let newNumbers = process?.numbers, newNumbers != numbers {
                numbers = newNumbers
                environment.counted.addSessions(of: counts)
            }
            process?.begin(
                script, launch: launches, inBackground: inBackground, network: network,
                in: &environment)
            return true
        } catch {
            guard !medium.isCutOff else { return false }
            environment.network.log.record(
                .store(.failed(reason: error.message)), at: environment.network.now,
                app: numbers.name)
            return false
        }
    }

    func enter(_ state: AppState, in environment: inout ProcessEnvironment) {
        guard state != .suspended else {
            isSuspended = true
            process?.standStill(true, in: &environment)
            return
        }
        let wasSuspended = isSuspended
        isSuspended = false
        if wasSuspended { process?.standStill(false, in: &environment) }
        switch state {
        case .active:
            isBehind = false
            tell(.enteredForeground, in: &environment)
        case .background where !isBehind:
            isBehind = true
            tell(.enteredBackground, in: &environment)
        case .background, .inactive, .suspended, .notRunning: break
        }
        guard wasSuspended else { return }
        let waiting = unheard
        unheard = []
        if hasUnheardNetwork, let network { tell(.network(network), in: &environment) }
        hasUnheardNetwork = false
        for event in waiting { hear(event, in: &environment) }
        wake(in: &environment)
    }

    /// Records what the app's lists show, unless the app is suspended or not running.
    func recordLists(in environment: inout ProcessEnvironment) {
        guard !isSuspended else { return }
        process?.recordLists(in: &environment)
    }

    /// Records what the app shows and what its downloads have left, unless it is suspended or not
    /// running.
    func recordEnd(in environment: inout ProcessEnvironment) {
        recordLists(in: &environment)
        guard !isSuspended else { return }
        process?.recordParts(in: &environment)
    }

    /// Ends the process between two instructions. Only bytes already in the network stack still
    /// leave the phone.
    func end(in environment: inout ProcessEnvironment) {
        process?.end(in: &environment)
        for case .ended(let handle, _) in unheard { environment.network.release(handle) }
        if let medium { disk = medium.detach() }
        medium = nil
        cells = reachedCells
        process = nil
        unheard = []
        hasUnheardNetwork = false
        isSuspended = false
    }

    /// Resets the app to its first day. Its engine counts from 1 again; numbers in the log go on.
    func clearData(in environment: inout ProcessEnvironment) {
        phoneDisk.space.changed(from: disk.size, to: .zero)
        disk = VirtualDisk()
        files.clear()
        launches = 0
        numbers = AppNumbers(name: numbers.name, before: environment.counted)
        environment.counted += counts
    }

    /// Flips random bits of the store, if there is one.
    func flipBits(_ count: UInt32, by chance: inout RandomStream) {
        guard let file = disk.file(named: QueueStore.name) else { return }
        let bits = disk.size(of: file).bytes * 8
        guard bits > 0 else { return }
        for _ in 0..<count { disk.flip(bit: chance.below(bits), of: file) }
    }

    func losePower(by chance: inout RandomStream) {
        let size = disk.size
        disk.losePower(random: &chance)
        files.parts.losePower(random: &chance)
        phoneDisk.space.changed(from: size, to: disk.size)
    }
}

enum ProcessRequest: Hashable, Sendable {
    case beginTask(BackgroundTaskID)
    case endTask(BackgroundTaskID)
    case daemon(DaemonRequest)
    case endFetch(FetchResult)

    var endsTask: Bool {
        switch self {
        case .endTask, .endFetch: true
        case .beginTask, .daemon: false
        }
    }
}

extension Disconnection {
    init(_ end: ConnectionEnd) {
        switch end {
        case .closed: self = .closedByPeer
        case .refused: self = .refused
        case .reset, .processDied, .aborted: self = .reset
        case .timedOut: self = .timedOut
        case .networkLost: self = .networkLost
        case .notFound: self = .notFound
        case .untrusted: self = .untrusted
        }
    }
}
