import Device
import Quantities
import QueueStorage
import Recording
import RunLog
import RunPlan
import TransferEngine

/// An app as it is installed on a phone: its disk, and its process while it has one.
///
/// A process that is suspended hears nothing: what the network has for it waits, and so do its
/// timers and its store, until it goes on or is gone.
final class InstalledApp {
    private let script: AppScript
    private(set) var numbers: AppNumbers
    /// How many items its script has.
    let counts: ItemCounts
    private let platform: Platform
    let identity: AppIdentity
    private let asksForBackgroundTime: Bool
    private var process: VirtualApp?
    private var isSuspended = false
    private var unheard: [NetworkEvent] = []
    /// Its launches since its data was last cleared, without those at which it did not come up.
    private var launches: UInt32 = 0
    /// What it is told of the phone's network at its launch, and when that changes.
    var network: NetworkStatus?
    private var hasUnheardNetwork = false
    /// The disk while no process runs; one that runs holds it through its medium.
    private var disk = VirtualDisk()
    /// Shared with the other apps of its phone.
    private let phoneDisk: PhoneDisk
    private var medium: VirtualDiskMedium?
    /// What it has made of its downloads.
    let files: ContainerFiles
    /// Of its processes that have ended; `nil`: nobody asks for them.
    private var cells: ReachedCells?

    init(
        _ script: AppScript, _ numbers: AppNumbers, identity: AppIdentity, counts: ItemCounts,
        asksForBackgroundTime: Bool, platform: Platform, on phoneDisk: PhoneDisk,
        countsCells: Bool
    ) {
        cells = countsCells ? ReachedCells() : nil
        self.script = script
        self.numbers = numbers
        self.identity = identity
        self.counts = counts
        self.platform = platform
        self.asksForBackgroundTime = asksForBackgroundTime
        self.phoneDisk = phoneDisk
        files = ContainerFiles(on: phoneDisk)
    }

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

    /// Nobody can have an app do something that does not run or is suspended.
    func perform(_ command: AppPlan.Command, in environment: inout ProcessEnvironment) {
        guard !isSuspended else { return }
        process?.perform(command, in: &environment)
    }

    func networkChanged(to status: NetworkStatus, in environment: inout ProcessEnvironment) {
        network = status
        guard !isSuspended else { return hasUnheardNetwork = true }
        tell(.network(status), in: &environment)
    }

    func wake(in environment: inout ProcessEnvironment) {
        guard !isSuspended else { return }
        process?.wake(in: &environment)
    }

    var isRunning: Bool { process != nil }

    /// Of all its processes so far.
    var reachedCells: ReachedCells? {
        guard var all = cells else { return nil }
        if let more = process?.cells { all += more }
        return all
    }

    /// It has died in the middle of a change of its store.
    var isCutOff: Bool { medium?.isCutOff == true }

    /// Whether it can hear something now; what is dead or stands still cannot.
    var canHear: Bool { process != nil && !isSuspended }

    /// Whether the stream is one of its process.
    func holds(_ handle: StreamHandle) -> Bool { process?.holds(handle) == true }

    var nextDeadline: Instant? { isSuspended ? nil : process?.nextDeadline }

    var asksForSomething: Bool { process?.requests.isEmpty == false }

    func takeRequests() -> [ProcessRequest] { process?.takeRequests() ?? [] }

    // MARK: Its life

    /// Whether it came up: an app that cannot open its store crashes.
    func launch(
        _ launch: UInt32, inBackground: Bool, in environment: inout ProcessEnvironment
    ) -> Bool {
        let medium = VirtualDiskMedium(disk, of: phoneDisk)
        self.medium = medium
        do throws(StoreError) {
            let making = TransferEngine.Making(
                asksForBackgroundTime: asksForBackgroundTime, identity: UInt64(launch),
                platform: platform)
            process = try VirtualApp(
                making, launch: launch, of: identity, numbers, on: medium, files: files,
                countsCells: cells != nil, in: &environment)
            launches += 1
            if let newNumbers = process?.numbers, newNumbers != numbers {
                numbers = newNumbers
                environment.counted[.queue] += counts[.queue]
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
        guard state != .suspended else { return isSuspended = true }
        let wasSuspended = isSuspended
        isSuspended = false
        switch state {
        case .active: tell(.enteredForeground, in: &environment)
        case .background: tell(.enteredBackground, in: &environment)
        case .inactive, .suspended, .notRunning: break
        }
        guard wasSuspended else { return }
        let waiting = unheard
        unheard = []
        if hasUnheardNetwork, let network { tell(.network(network), in: &environment) }
        hasUnheardNetwork = false
        for event in waiting { hear(event, in: &environment) }
        wake(in: &environment)
    }

    /// The process ends between two instructions: its engine is gone, its store refuses all further
    /// writes, and only what the network stack had already taken still leaves the phone.
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

    /// It begins as on the first day. Its engine counts from 1 again; the log goes on.
    func clearData(in environment: inout ProcessEnvironment) {
        phoneDisk.space.changed(from: disk.size, to: .zero)
        disk = VirtualDisk()
        files.clear()
        launches = 0
        numbers = AppNumbers(name: numbers.name, before: environment.counted)
        environment.counted += counts
    }

    /// Of its store, at random places; where there is none yet, nothing is damaged.
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

/// What a process asks of its phone.
enum ProcessRequest: Hashable, Sendable {
    case beginTask(BackgroundTaskID)
    case endTask(BackgroundTaskID)
    case daemon(DaemonRequest)

    var endsTask: Bool {
        switch self {
        case .endTask: true
        case .beginTask, .daemon: false
        }
    }
}

extension Disconnection {
    init(_ end: ConnectionEnd) {
        switch end {
        case .closed: self = .closedByPeer
        case .refused: self = .refused
        case .reset, .processDied: self = .reset
        case .timedOut: self = .timedOut
        case .networkLost: self = .networkLost
        }
    }
}
