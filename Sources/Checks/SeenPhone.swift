import Quantities
import RunLog

/// One phone of a run, as its facts show it, and what its system owes its apps.
struct SeenPhone: Sendable {
    typealias Clause = PhoneObeysItsSystem.Clause

    var names: RunNames
    private(set) var evidence = Evidence<Clause>()
    /// The apps in the order in which the log names them.
    private var apps: [SeenApp] = []
    private var isInCall = false
    /// Whether the last call ended because the phone was off.
    private var callEndedWithPower = false
    /// The moment from which an app in front has not been as a call, or its end, demands.
    private var wrongSince: Instant?
    /// Apps that short memory has to end, and the moment since which it has to.
    private var dying: [UInt16] = []
    private var shortSince = Instant.start
    private var power = Power.on
    private var startTime: TimeSpan?
    private var clock: SeenClock?
    /// Whether the system suspends apps that nothing holds awake.
    private var stillsApps = false

    private enum Power: Sendable {
        case on, off
        case starting(since: Instant)
    }

    /// The time that a real phone may take for what the system does at once.
    static let moment = TimeSpan.seconds(1)

    init(_ names: RunNames = RunNames()) { self.names = names }

    /// The next moment after which the phone must have done something.
    var due: Instant? {
        var due = wrongSince.map { $0 + Self.moment }
        if !dying.isEmpty { due = min(due ?? shortSince + Self.moment, shortSince + Self.moment) }
        for app in apps {
            for next in [app.tasks.due, stillDue(of: app)].compactMap(\.self) {
                due = min(due ?? next, next)
            }
        }
        return due
    }

    mutating func read(_ fact: DeviceFact, of number: UInt16, at now: Instant) throws(Slip) {
        switch fact {
        case .stands(let system, let wall, _, _):
            clock = SeenClock(showing: wall, at: now)
            stillsApps = system.hasPrefix("iOS ")
        case .wallClockJumped(let span, let wall, _, _):
            guard let slip = clock?.jump(by: span, showing: wall, at: now, &evidence) else { break }
            throw slip
        case .power(let step, _): try take(step, at: now)
        case .call(let isOn, _):
            (isInCall, callEndedWithPower) = (isOn, false)
            evidence.decides(isOn ? .covered : .uncovered, if: appInFront != nil)
            weighCall(at: now)
        case .memoryPressure: makeRoom(at: now)
        case .appLaunched, .appKilled, .appCrashed, .appEntered, .taskBegan, .taskExpires,
            .taskEnded, .fetchBegan, .fetchEnded, .modeBegan, .modeEnded, .appUpdated,
            .bitsFlipped:
            try read(fact, of: place(of: number), at: now)
        case .lowPower, .charger, .diskStands, .disk, .wakeRefused, .appDataCleared: break
        }
    }

    /// Reads a fact of a single app.
    private mutating func read(_ fact: DeviceFact, of place: Int, at now: Instant) throws(Slip) {
        switch fact {
        case .appLaunched: apps[place].launch()
        case .appKilled(_, let why):
            try judgeDeath(of: place, why)
            end(place, at: now)
        case .appCrashed: end(place, at: now)
        case .appEntered(_, let stage, _): try enter(stage, place, at: now)
        case .taskBegan(_, let task, _):
            evidence.decides(.punished, if: apps[place].tasks.begin(task))
        case .taskExpires(_, let task, let deadline):
            let several = apps[place].tasks.expire(task, deadline: deadline, at: now)
            evidence.decides(.handlers, if: several)
        case .taskEnded(_, let task):
            evidence.decides(.awake, if: apps[place].isHeldLong(at: now))
            guard !apps[place].endTask(task, at: now) else { break }
            throw Slip(
                expected: "all background tasks of \(name(place)) expire when its time is up",
                seen: "task \(task) ends without that")
        case .fetchBegan: apps[place].fetch(true, at: now)
        case .fetchEnded:
            evidence.decides(.awake, if: apps[place].isHeldLong(at: now))
            apps[place].fetch(false, at: now)
        case .modeBegan(_, let mode): apps[place].hold(by: mode, true, at: now)
        case .modeEnded(_, let mode):
            evidence.decides(.awake, if: apps[place].isHeldLong(at: now))
            apps[place].hold(by: mode, false, at: now)
        case .appUpdated(let container):
            evidence.decides(.container, if: !apps[place].containers.isEmpty)
            guard !apps[place].containers.insert(container).inserted else { break }
            throw Slip(
                expected: "an update moves \(name(place)) to a container that it never had",
                seen: "its container is \(container) again")
        case .bitsFlipped:
            evidence.decides(.bits)
            guard apps[place].isRunning else { break }
            throw Slip(
                expected: "the bits of a store flip only while its app does not run",
                seen: "bits of the store of \(name(place)) flip, which runs")
        default: break
        }
    }

    /// Judges what must have been done before `now`.
    mutating func settle(at now: Instant) throws(Slip) {
        if let wrongSince, wrongSince + Self.moment < now { throw wrongStage }
        if let app = dying.first, shortSince + Self.moment < now {
            dying = []
            throw Slip(
                expected: "short memory ends \(name(place(of: app)))", seen: "it goes on running")
        }
        for place in apps.indices {
            if let slip = apps[place].tasks.settle(at: now, of: name(place)) { throw slip }
            guard let due = stillDue(of: apps[place]), due < now else { continue }
            throw Slip(
                expected: "\(name(place)) is suspended, as nothing holds it awake",
                seen: "it is still in the background")
        }
    }

    private func stillDue(of app: SeenApp) -> Instant? {
        stillsApps ? app.stillFrom.map { $0 + Self.moment } : nil
    }

    /// Judges a phone to which nothing more can happen.
    mutating func judgeEnd(at now: Instant) throws(Slip) {
        try settle(at: now + Self.moment + .milliseconds(1))
        guard case .starting(let since) = power else { return }
        throw Slip(
            expected: "the phone, which starts at \(since), is up in the end",
            seen: "nothing is left to happen, and it is not")
    }

    private mutating func place(of number: UInt16) -> Int {
        if let place = apps.firstIndex(where: { $0.number == number }) { return place }
        apps.append(SeenApp(number: number))
        return apps.endIndex - 1
    }

    private func name(_ place: Int) -> String {
        let number = apps[place].number
        return names.app(number == 1 ? nil : number)
            ?? (names.apps.isEmpty ? "the app" : "the first app")
    }

    // MARK: In front, and in a call

    private var appInFront: Int? { apps.firstIndex(where: \.isInFront) }

    private mutating func enter(_ stage: AppStage, _ place: Int, at now: Instant) throws(Slip) {
        let other = apps.indices.first { $0 != place && apps[$0].isInFront }
        if stage.isInFront, !apps[place].isInFront {
            let others = apps.indices.contains { $0 != place && apps[$0].stage != nil }
            evidence.decides(.front, if: others)
            evidence.decides(.shownInCall, if: isInCall)
            evidence.decides(.callIsOver, if: callEndedWithPower)
            callEndedWithPower = false
        }
        let slip = stage == .suspended ? slip(inStilling: place, at: now) : nil
        apps[place].enter(stage, at: now)
        weighCall(at: now)
        if let slip { throw slip }
        guard stage.isInFront, let other else { return }
        throw Slip(
            expected: "\(name(other)) leaves the front before another app is there",
            seen: "\(name(place)) is in front as well")
    }

    private mutating func slip(inStilling place: Int, at now: Instant) -> Slip? {
        evidence.decides(.stilled)
        if let holder = apps[place].holder {
            return Slip(
                expected: "\(name(place)) is not suspended while it \(holder)",
                seen: "it is suspended")
        }
        guard stillsApps, let until = apps[place].endOfGrace(after: now) else { return nil }
        return Slip(
            expected: "\(name(place)) is not suspended before \(until), as it has 5 s behind",
            seen: "it is suspended")
    }

    private mutating func end(_ place: Int, at now: Instant) {
        dying.removeAll { $0 == apps[place].number }
        apps[place].end(at: now)
        weighCall(at: now)
    }

    /// Notes whether the app in front is as a call, or its end, demands.
    private mutating func weighCall(at now: Instant) {
        let isWrong = appInFront.map { (apps[$0].stage == .inactive) != isInCall } ?? false
        wrongSince = isWrong ? wrongSince ?? now : nil
    }

    private var wrongStage: Slip {
        let app = appInFront.map(name) ?? "the app"
        return isInCall
            ? Slip(expected: "\(app) is inactive while there is a call", seen: "it is active")
            : Slip(expected: "\(app) is active, as there is no call", seen: "it is inactive")
    }

    // MARK: Short memory

    private mutating func makeRoom(at now: Instant) {
        let suspended = apps.filter { $0.stage == .suspended }
        let due = suspended.isEmpty ? apps.filter { $0.stage == .background } : suspended
        (dying, shortSince) = (due.map(\.number), now)
        evidence.decides(.memory, if: !due.isEmpty)
        let isOutOfOrder = due.contains { app in
            due.contains { $0.number < app.number && app.lastSeen + Self.moment < $0.lastSeen }
        }
        evidence.decides(.longestAgo, if: isOutOfOrder)
    }

    private mutating func judgeDeath(of place: Int, _ why: ProcessEnd?) throws(Slip) {
        switch why {
        case .memory: try judgeDeathForMemory(of: place)
        case .taskOverdue where apps[place].tasks.mustDie:
            throw Slip(
                expected: "\(name(place)) is killed because it began a task when its time was up",
                seen: "it is killed because it did not end one")
        case .crash, .forceQuit, .fetchOverdue, .taskOverdue, .taskBegunAtExpiry, .reboot,
            .powerLoss, .dataCleared, .update, nil:
            break
        }
    }

    /// Judges the death of an app for want of memory. The stages of apps on a phone without a
    /// system are not known.
    private func judgeDeathForMemory(of place: Int) throws(Slip) {
        guard let stage = apps[place].stage else { return }
        guard dying.contains(apps[place].number) else {
            throw Slip(
                expected:
                    "short memory ends suspended apps, or else those in the background",
                seen: "it ends \(name(place)), which is \(stage.words)")
        }
        let earlier = apps.indices.first {
            dying.contains(apps[$0].number)
                && apps[$0].lastSeen + Self.moment < apps[place].lastSeen
        }
        guard let earlier else { return }
        throw Slip(
            expected: "short memory ends \(name(earlier)) first, which was seen longer ago",
            seen: "it ends \(name(place)) first")
    }

    // MARK: Power

    private mutating func take(_ step: PowerStep, at now: Instant) throws(Slip) {
        switch step {
        case .lost, .restarting:
            callEndedWithPower = isInCall
            isInCall = false
            weighCall(at: now)
            power = step == .lost ? .off : .starting(since: now)
        case .back: power = .starting(since: now)
        case .up:
            guard case .starting(let since) = power else {
                throw Slip(
                    expected: "only a phone that starts is up at last", seen: "the phone is up")
            }
            power = .on
            try judgeStart(of: now - since)
        }
    }

    private mutating func judgeStart(of time: TimeSpan) throws(Slip) {
        evidence.decides(.starts)
        evidence.decides(.startTime, if: startTime != nil)
        let usual = startTime ?? time
        startTime = usual
        guard time < usual - Self.moment || usual + Self.moment < time else { return }
        throw Slip(
            expected: "each start of the phone takes \(usual), as its first",
            seen: "a start takes \(time)")
    }
}
