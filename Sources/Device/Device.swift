import Facts
package import Quantities

/// A phone and the apps on it: sans-I/O, one call is one mutation and one complete drain.
///
///              reboot                 after startTime
///     on ─────────────────▶ starting ─────────────────▶ on
///     on, starting ──▶ off ──▶ starting    power lost, power back
///
/// Each app has its own state (`AppState`) and its own time in the background (`BackgroundTasks`).
/// A plan without a phone has no operating system. Then apps are launched and killed, and nothing
/// else happens to them.
package struct Device: Sendable {
    private let system: OperatingSystem?
    private let startTime: TimeSpan
    private var apps: [App]
    private var power = Power.on
    /// The app in the foreground, or behind the locked screen.
    private var front: Int?
    private var isInCall = false
    private var isSavingPower = false
    private var hasCharger = false
    private var clock = WallClock()
    private var disk = DiskCondition()
    /// The outputs of the input that is being handled; empty between two inputs.
    private var outputs: [DeviceOutput] = []

    private struct App: Hashable, Sendable {
        var state = AppState.notRunning
        var tasks = BackgroundTasks()
        /// Whether the user has force-quit the app, so that the system does not wake it (B6).
        var isThrownOut = false
        var version = 1
        /// The moment at which the app was last in the foreground. Under memory pressure, the app
        /// with the earliest moment is killed first.
        var lastSeen = Instant.start
        /// When the app has to say at the latest what its fetch has brought; `nil` if it does not
        /// fetch.
        var fetchDeadline: Instant?
        var modes: Set<BackgroundMode> = []
    }

    private enum Power: Hashable, Sendable {
        case on
        case starting(until: Instant, thenOpens: Int?)
        case off
    }

    /// The time that most phones take to start.
    package static let usualStartTime = TimeSpan.seconds(30)

    package init(
        _ system: OperatingSystem?, apps: Int, startTime: TimeSpan = Self.usualStartTime
    ) {
        self.system = system
        self.startTime = startTime
        self.apps = Array(repeating: App(), count: apps)
    }

    /// Returns the time of the phone's wall clock, in nanoseconds since 1970.
    package func wallNanoseconds(at now: Instant) -> UInt64 { clock.nanoseconds(at: now) }

    /// Whether an app holds a background task.
    package func holdsTasks(of app: Int) -> Bool { !apps[app].tasks.held.isEmpty }

    package mutating func handle(
        _ input: DeviceInput, at now: Instant, into earlier: inout [DeviceOutput]
    ) -> Instant? {
        swap(&outputs, &earlier)
        defer { swap(&outputs, &earlier) }
        see(at: now)
        switch input {
        case .happens(let event): take(event, at: now)
        case .beginTask(let app, let task):
            guard apps[app].state != .notRunning, apps[app].tasks.begin(task) else { break }
            note(.taskBegan(launch: 0, task: task, deadline: deadline(of: app)), of: app)
        case .endTask(let app, let task):
            guard apps[app].tasks.end(task) else { break }
            note(.taskEnded(launch: 0, task: task), of: app)
        case .endFetch(let app, let result):
            guard apps[app].fetchDeadline != nil else { break }
            apps[app].fetchDeadline = nil
            note(.fetchEnded(launch: 0, result), of: app)
        case .wake: break
        }
        letTimePass(at: now)
        return nextDeadline
    }

    // MARK: What happens

    private mutating func take(_ event: DeviceEvent, at now: Instant) {
        switch (power, event) {
        // Disk faults do not depend on power.
        case (_, .disk(let change)): take(change)
        case (_, .charger(let isConnected)):
            guard hasCharger != isConnected else { break }
            hasCharger = isConnected
            note(.charger(connected: isConnected))
        // A running process has most of its store in memory, so it would not notice flipped bits.
        case (_, .bitsFlip(let app, let count)):
            guard apps[app].state == .notRunning else { break }
            outputs.append(.flipBits(app, count: count))
        // The daemon runs as long as the phone is on.
        case (.off, .daemonBitsFlip(let count)), (.starting, .daemonBitsFlip(let count)):
            outputs.append(.flipDaemonBits(count: count))
        case (.on, .daemonBitsFlip): break
        case (.off, .powerBack):
            power = .starting(until: now + startTime, thenOpens: nil)
            outputs.append(.power(.back))
        // An app opened while the phone starts opens afterwards.
        case (.starting(let until, _), .appOpened(let app)):
            power = .starting(until: until, thenOpens: app)
        case (.on, .powerLost), (.starting, .powerLost):
            endAll(.powerLoss)
            power = .off
            outputs.append(.power(.lost))
        case (.on, .reboot):
            endAll(.reboot)
            power = .starting(until: now + startTime, thenOpens: nil)
            outputs.append(.power(.restarting))
        case (.on, .powerBack): break
        case (.on, _): takeWhileOn(event, at: now)
        case (.off, _), (.starting, _): break
        }
    }

    private mutating func takeWhileOn(_ event: DeviceEvent, at now: Instant) {
        switch event {
        case .appOpened(let app): open(app, at: now)
        case .appWoken(let app): wake(app, at: now)
        case .fetch(let app): fetch(app, at: now)
        case .mode(let app, let mode, let isOn): hold(app, by: mode, isOn, at: now)
        case .home:
            leaveFront("the user went home", at: now)
            front = nil
        case .locked:
            leaveFront("the screen is locked", at: now)
        case .unlocked:
            if let front { show(front, "the screen is unlocked", at: now) }
        case .callComes:
            call(on: true)
            cover()
        case .callEnds:
            call(on: false)
            uncover()
        case .forceQuit(let app):
            apps[app].isThrownOut = true
            end(app, .forceQuit)
        case .crash(let app): end(app, .crash)
        case .kill(let app): end(app, nil)
        case .memoryPressure: makeRoom()
        case .dataCleared(let app):
            end(app, .dataCleared)
            outputs.append(.clearData(app))
        case .updated(let app):
            end(app, .update)
            apps[app].version += 1
            outputs.append(.moveContainer(app, version: apps[app].version))
        case .lowPower(let isOn):
            isSavingPower = isOn
            note(.lowPower(on: isOn))
        case .clockJumps(let span, let cause):
            clock.jump(by: span)
            note(
                .wallClockJumped(
                    by: span, wallNanoseconds: clock.nanoseconds(at: now),
                    because: cause.rawValue))
        case .reboot, .powerLost, .powerBack, .charger, .disk, .bitsFlip,
            .daemonBitsFlip:
            preconditionFailure("\(event) was taken before anybody asked for the power")
        }
    }

    private mutating func take(_ change: DiskCondition.Change) {
        let before = disk
        disk.take(change)
        if disk != before { outputs.append(.disk(disk, change)) }
    }

    // MARK: In front, and behind

    private mutating func open(_ app: Int, at now: Instant) {
        if front != app {
            leaveFront("another app is in front", at: now)
            front = app
        }
        show(app, "the user opened it", at: now)
    }

    private mutating func show(_ app: Int, _ because: String, at now: Instant) {
        switch apps[app].state {
        case .notRunning:
            apps[app].isThrownOut = false
            outputs.append(.launch(app, inBackground: false))
            move(app, .opened, because)
        case .background, .suspended:
            apps[app].tasks.shown()
            move(app, .shown, because)
        case .active, .inactive: return
        }
        if isInCall { cover() }
    }

    private mutating func leaveFront(_ because: String, at now: Instant) {
        guard let app = front, apps[app].state.isInFront else { return }
        apps[app].tasks.left(at: now)
        move(app, .left, because)
    }

    /// Notes that the app in front is seen until now, whether it then leaves or ends.
    private mutating func see(at now: Instant) {
        guard let app = front, apps[app].state.isInFront else { return }
        apps[app].lastSeen = now
    }

    /// Notes that a call begins or ends.
    private mutating func call(on isOn: Bool) {
        guard isInCall != isOn else { return }
        isInCall = isOn
        note(.call(on: isOn))
    }

    private mutating func cover() {
        guard let app = front, apps[app].state == .active else { return }
        move(app, .covered, "a call came in")
    }

    private mutating func uncover() {
        guard let app = front, apps[app].state == .inactive else { return }
        move(app, .uncovered, "the call is over")
    }

    /// Wakes an app in the background, unless it was force-quit or low-power mode is on.
    private mutating func wake(_ app: Int, at now: Instant) {
        let because = "the system needs it"
        switch (apps[app].state, refusal(toWake: app)) {
        case (.active, _), (.inactive, _), (.background, _): break
        case (_, let why?): note(.wakeRefused(because: why), of: app)
        case (.notRunning, nil):
            apps[app].tasks.left(at: now)
            outputs.append(.launch(app, inBackground: true))
            move(app, .started, because)
        case (.suspended, nil):
            apps[app].tasks.left(at: now)
            move(app, .woken, because)
        }
    }

    /// Lets an app that is not in front fetch; one that fetches already goes on.
    private mutating func fetch(_ app: Int, at now: Instant) {
        guard let time = system?.fetchTime, !apps[app].state.isInFront,
            apps[app].fetchDeadline == nil
        else { return }
        if apps[app].state != .background { wake(app, at: now) }
        guard apps[app].state == .background else { return }
        apps[app].fetchDeadline = now + time
        note(.fetchBegan(launch: 0, deadline: now + time), of: app)
        outputs.append(.fetch(app))
    }

    /// Begins or ends a mode of an app that can do something.
    private mutating func hold(
        _ app: Int, by mode: BackgroundMode, _ isOn: Bool, at now: Instant
    ) {
        switch apps[app].state {
        case .notRunning, .suspended: return
        case .active, .inactive, .background: break
        }
        if isOn {
            guard apps[app].modes.insert(mode).inserted else { return }
            note(.modeBegan(launch: 0, mode), of: app)
        } else {
            guard apps[app].modes.remove(mode) != nil else { return }
            note(.modeEnded(launch: 0, mode), of: app)
            if apps[app].modes.isEmpty { apps[app].tasks.released(at: now) }
        }
    }

    private func refusal(toWake app: Int) -> WakeRefusal? {
        apps[app].isThrownOut ? .forceQuit : isSavingPower ? .lowPower : nil
    }

    // MARK: Ends

    /// Kills suspended apps, or else apps in the background; the app in the foreground stays.
    private mutating func makeRoom() {
        note(.memoryPressure())
        let oldestFirst = apps.indices.sorted {
            (apps[$0].lastSeen, $0) < (apps[$1].lastSeen, $1)
        }
        let suspended = oldestFirst.filter { apps[$0].state == .suspended }
        let behind = oldestFirst.filter { apps[$0].state == .background }
        for app in suspended.isEmpty ? behind : suspended { end(app, .memory) }
    }

    private mutating func endAll(_ death: ProcessEnd) {
        for app in apps.indices { end(app, death) }
        isInCall = false
    }

    private mutating func end(_ app: Int, _ death: ProcessEnd?) {
        guard apps[app].state != .notRunning else { return }
        if front == app { front = nil }
        apps[app].state = apps[app].state.after(.ended)
        apps[app].tasks = BackgroundTasks()
        apps[app].fetchDeadline = nil
        apps[app].modes = []
        outputs.append(.end(app, death))
    }

    // MARK: Time

    private mutating func letTimePass(at now: Instant) {
        if case .starting(let until, let app) = power, until <= now {
            power = .on
            outputs.append(.power(.up))
            if let app { open(app, at: now) }
        }
        guard let system else { return }
        for app in apps.indices where apps[app].state == .background {
            if let deadline = apps[app].fetchDeadline, deadline <= now {
                end(app, .fetchOverdue)
                continue
            }
            guard let (time, due) = next(of: app, by: system), time <= now else { continue }
            switch due {
            case .still: move(app, .stilled, "nothing holds it awake")
            case .expire(let deadline):
                apps[app].tasks.expire(at: deadline)
                outputs.append(.expire(app, apps[app].tasks.held, deadline: deadline))
            case .kill(let begunAtExpiry):
                end(app, begunAtExpiry ? .taskBegunAtExpiry : .taskOverdue)
            }
        }
    }

    private var nextDeadline: Instant? {
        var next: Instant?
        if case .starting(let until, _) = power { next = until }
        guard let system else { return next }
        for app in apps.indices where apps[app].state == .background {
            let times = [self.next(of: app, by: system)?.at, apps[app].fetchDeadline]
            for time in times.compactMap(\.self) { next = min(next ?? time, time) }
        }
        return next
    }

    /// Returns the next step that time brings for an app's tasks.
    private func next(
        of app: Int, by system: OperatingSystem
    ) -> (at: Instant, due: BackgroundTasks.Due)? {
        guard let (time, due) = apps[app].tasks.next(by: system) else { return nil }
        switch due {
        case .still where apps[app].fetchDeadline != nil: return nil
        case .still where !apps[app].modes.isEmpty: return nil
        case .expire where !apps[app].modes.isEmpty: return nil
        case .still, .expire, .kill: return (time, due)
        }
    }

    /// Returns the deadline of an app's tasks, if it is known: none while a mode holds the app.
    private func deadline(of app: Int) -> Instant? {
        guard let system else { return nil }
        if case .counting = apps[app].tasks.phase, !apps[app].modes.isEmpty { return nil }
        return apps[app].tasks.deadline(by: system)
    }

    private mutating func note(_ fact: DeviceFact, of app: Int? = nil) {
        outputs.append(.note(fact, of: app))
    }

    private mutating func move(_ app: Int, _ event: AppState.Event, _ because: String) {
        apps[app].state = apps[app].state.after(event)
        guard system != nil else { return }
        outputs.append(.enter(app, apps[app].state, because: because))
    }
}
