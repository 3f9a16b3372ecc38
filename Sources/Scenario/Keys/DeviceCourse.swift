import Device
import Facts
import RunPlan

/// The state of a phone while its timeline is read, to find events that cannot happen.
///
/// `nil` means unknown from the file alone: an app in the background may have been killed.
struct DeviceCourse {
    private(set) var isRunning: Bool? = true
    private var isInFront: Bool? = true
    private var isLocked: Bool? = false
    private var isInCall: Bool? = false
    /// What may hold the app awake.
    private var modes: Set<BackgroundMode> = []
    private var hasPower: Bool? = true
    private var disk: DiskCondition? = DiskCondition()
    /// Whether nothing is known any more, after an entry that may come at any time.
    private var isLost = false
    /// Whether the scenario names the phone's system.
    private let isKnown: Bool

    init(_ plan: DevicePlan) { isKnown = plan.system != nil }

    /// Forgets the state after an unreadable entry, or one without a known time.
    mutating func loseTrack() {
        isLost = true
        (isRunning, isInFront, isLocked, isInCall, hasPower) = (nil, nil, nil, nil, nil)
        disk = nil
    }

    /// Returns why an action cannot happen now; otherwise performs it.
    mutating func objection(to action: TimelineEntry.Action) -> Objection? {
        switch action {
        case .killApp:
            processEnds()
            return nil
        case .launchApp:
            if !isLost { opened() }
            return nil
        case .switchFault, .visit, .network, .heal, .changeFile, .asks: return nil
        // Other apps are not followed.
        case .device(_, 1...): return nil
        case .device(let event, _):
            guard (event.app ?? 0) == 0 else {
                if case .appOpened = event, !isLost { (isRunning, isInFront) = (nil, false) }
                return nil
            }
            guard isKnown else {
                return Objection(
                    "the scenario has no phone to which this could happen",
                    "a phone, for instance “device: \(DeviceKeys.example)” beside “links”")
            }
            guard !isLost else { return nil }
            if let objection = objection(to: event) { return objection }
            happens(event)
            return nil
        }
    }

    private func objection(to event: DeviceEvent) -> Objection? {
        if hasPower == false, !event.needsNoPower {
            return Objection("the phone has no power then", "“power back” before that")
        }
        switch event {
        case .home where isInFront == false:
            return Objection(
                "the app is not in the foreground then",
                "“app to foreground” before it leaves the foreground again")
        case .appOpened where isInFront == true:
            return Objection(
                "the app is in the foreground then",
                "“app to background” or “screen locked” before that")
        // An app that does not run can still be thrown out of the list of apps.
        case .crash where isRunning == false:
            return Objection(
                "the app is not running then", "“app launched” or “app to foreground” before that")
        case .locked where isLocked == true:
            return Objection("the screen is locked then", "“screen unlocked” before that")
        case .unlocked where isLocked == false:
            return Objection("the screen is not locked then", "“screen locked” before that")
        case .callComes where isInCall == true:
            return Objection("there is a call then", "“call ends” before that")
        case .callEnds where isInCall == false:
            return Objection("there is no call then", "“call comes in” before that")
        case .powerBack where hasPower == true:
            return Objection("the phone has power then", "“power lost” before that")
        case .mode(_, _, true) where isRunning == false:
            return Objection(
                "the app is not running then", "“app launched” or “app to foreground” before that")
        case .mode(_, let mode, true) where isRunning == true && modes.contains(mode):
            return Objection(
                "the app does that already", "“app \(mode.words(begins: false))” before that")
        case .mode(_, let mode, false) where !modes.contains(mode):
            return Objection(
                "the app does not do that then", "“app \(mode.words(begins: true))” before that")
        case .bitsFlip where isRunning == true:
            return Objection(
                "the app is running then, and has read its store",
                "“app killed” before that, and “app launched” after it")
        case .daemonBitsFlip where hasPower == true:
            return Objection(
                "the phone is on then, and its daemon has read its store",
                "“power lost” before that, and “power back” after it")
        case .appOpened, .appWoken, .fetch, .mode, .home, .locked, .unlocked, .callComes,
            .callEnds, .forceQuit, .crash, .kill, .memoryPressure, .dataCleared, .updated, .reboot,
            .powerLost, .powerBack, .lowPower, .charger, .clockJumps, .bitsFlip, .daemonBitsFlip:
            return nil
        case .disk(let change): return objection(to: change)
        }
    }

    private func objection(to change: DiskCondition.Change) -> Objection? {
        guard let disk else { return nil }
        var later = disk
        later.take(change)
        guard later == disk else { return nil }
        return switch change {
        case .full(true):
            Objection("the disk is full then", "“disk has space again” before that")
        case .full(false):
            Objection("the disk is not full then", "“disk full” before that")
        case .writesFail(true):
            Objection("its writes fail then", "“disk writes work again” before that")
        case .writesFail(false):
            Objection("its writes do not fail then", "“disk writes fail” before that")
        case .readsFail(true):
            Objection("its reads fail then", "“disk reads work again” before that")
        case .readsFail(false):
            Objection("its reads do not fail then", "“disk reads fail” before that")
        }
    }

    private mutating func happens(_ event: DeviceEvent) {
        switch event {
        case .appOpened: opened()
        case .home:
            isInFront = false
            isRunning = nil
        case .locked:
            isLocked = true
            if isRunning == true { isRunning = nil }
            if isInFront == true { isInFront = nil }
        case .unlocked:
            isLocked = false
        case .callComes: isInCall = true
        case .callEnds: isInCall = false
        case .forceQuit, .crash, .kill, .dataCleared, .updated, .reboot: processEnds()
        case .powerLost:
            processEnds()
            hasPower = false
        case .powerBack: hasPower = true
        case .appWoken, .fetch: isRunning = nil
        case .mode(_, let mode, true): modes.insert(mode)
        case .mode(_, let mode, false): modes.remove(mode)
        case .memoryPressure: if isInFront != true { isRunning = nil }
        case .lowPower, .charger, .clockJumps, .bitsFlip, .daemonBitsFlip: break
        case .disk(let change): disk?.take(change)
        }
    }

    /// Opens the app, which may crash at once if the disk keeps it from opening its store.
    private mutating func opened() {
        let comesUp = disk == DiskCondition() ? true : nil
        (isRunning, isInFront, isLocked) = (comesUp, comesUp, false)
    }

    private mutating func processEnds() {
        if !isLost { (isRunning, isInFront, modes) = (false, false, []) }
    }
}

extension DeviceEvent {
    /// Whether it can happen without power: a disk may lose bits while switched off.
    fileprivate var needsNoPower: Bool {
        switch self {
        case .powerBack, .bitsFlip, .daemonBitsFlip: true
        case .appOpened, .appWoken, .fetch, .mode, .home, .locked, .unlocked, .callComes,
            .callEnds, .forceQuit, .crash, .kill, .memoryPressure, .dataCleared, .updated, .reboot,
            .powerLost, .lowPower, .charger, .clockJumps, .disk:
            false
        }
    }
}
