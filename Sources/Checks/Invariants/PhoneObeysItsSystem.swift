import Quantities
import RunLog

/// S17: "A phone obeys its system." Judges what each phone's system does with its apps, by the
/// facts of the phone.
struct PhoneObeysItsSystem: Invariant {
    private(set) var watch = Watch()
    private var names = RunNames()
    /// A live run ends although its phones still have something to do.
    private var isSimulated = true
    /// The phones in the order of their numbers.
    private var phones: [SeenPhone] = [SeenPhone()]
    /// The place of the phone of each app that is on another phone than the first.
    private var places: [UInt16: Int] = [:]
    /// The next moment at which a phone must have done something.
    private var due: Instant?
    private var hasEvidence = false

    var rule: String { "S17" }
    var statement: String {
        "a phone shows, suspends and ends its apps as its system promises, starts again in its "
            + "time, and its clock adds up"
    }

    mutating func read(_ event: RunEvent) {
        watch.step(to: event)
        if let due, due < event.at {
            judge { phone throws(Slip) in try phone.settle(at: event.at) }
        }
        switch event.fact {
        case .run(.began(let beginning)):
            names = beginning.names ?? RunNames()
            isSimulated = beginning.world == .simulated
            phones[0].names = names
        case .run(.ended(.quiet)) where isSimulated:
            judge { phone throws(Slip) in try phone.judgeEnd(at: event.at) }
        case .device(let fact): read(fact, of: event.app ?? 1, at: event.at)
        default: break
        }
    }

    var reasonNotToJudge: String? { hasEvidence ? nil : "no phone did anything" }

    var clauses: [DecidedClause] {
        phones.dropFirst().reduce(phones[0].evidence.all) { $0.adding($1.evidence.all) }
    }

    private mutating func read(_ fact: DeviceFact, of app: UInt16, at now: Instant) {
        hasEvidence = true
        if case .stands(_, _, .some(let device), let apps) = fact {
            for app in apps ?? [] { places[app] = Int(device) - 1 }
        }
        let place = fact.concernsOneApp ? places[app] ?? 0 : Int(fact.device ?? 1) - 1
        while phones.count <= place { phones.append(SeenPhone(names)) }
        do throws(Slip) { try phones[place].read(fact, of: app, at: now) } catch {
            fall(error, on: place)
        }
        due = phones.compactMap(\.due).min()
    }

    private mutating func judge(_ judge: (inout SeenPhone) throws(Slip) -> Void) {
        for place in phones.indices {
            do throws(Slip) { try judge(&phones[place]) } catch { fall(error, on: place) }
        }
        due = phones.compactMap(\.due).min()
    }

    private mutating func fall(_ slip: Slip, on place: Int) {
        let phone = names.phone(RunNames.number(ofPlace: place)).map { "\($0): " } ?? ""
        watch.fall(expected: slip.expected, seen: phone + slip.seen)
    }
}

extension DeviceFact {
    /// The phone that the fact concerns; `nil` for the first one, and for facts of a single app.
    fileprivate var device: UInt16? {
        switch self {
        case .stands(_, _, let device, _), .memoryPressure(let device), .power(_, let device),
            .lowPower(_, let device), .call(_, let device), .charger(_, let device),
            .wallClockJumped(_, _, _, let device), .diskStands(_, _, let device),
            .disk(_, let device):
            device
        case .appLaunched, .appKilled, .appCrashed, .appEntered, .taskBegan, .taskExpires,
            .taskEnded, .fetchBegan, .fetchEnded, .modeBegan, .modeEnded, .wakeRefused,
            .appDataCleared, .appUpdated, .bitsFlipped:
            nil
        }
    }
}

extension PhoneObeysItsSystem {
    enum Clause: String, ClauseName {
        /// Decided by each app that is shown while another one runs on the phone.
        case front = "one app in front"
        /// Decided by each call that begins, or ends, while an app is in front.
        case covered = "inactive in a call"
        case uncovered = "active after a call"
        /// Decided by each app that is shown while there is a call.
        case shownInCall = "shown in a call"
        /// Decided by the first app that is shown after the phone was off, if it went off in a
        /// call.
        case callIsOver = "off ends a call"
        /// Decided each time that short memory ends an app.
        case memory = "short memory"
        /// Decided by short memory that ends several apps, in another order than that of the plan.
        case longestAgo = "seen longest ago"
        /// Decided by each suspension.
        case stilled = "suspended when free"
        /// Decided by each task, fetch or mode that ends when its app would be suspended without.
        case awake = "held awake"
        /// Decided by each task begun after the time was up.
        case punished = "no time after expiry"
        /// Decided each time that the time of several tasks is up.
        case handlers = "every handler runs"
        /// Decided by each update of an app after its first.
        case container = "another container"
        /// Decided by each start of a phone, and by each start of a phone that has started before.
        case starts = "a phone starts again"
        case startTime = "starts take their time"
        /// Decided by each jump of a clock that has jumped before, and by each jump after which
        /// the clock is slow.
        case jumps = "jumps add up"
        case slow = "a clock set back"
        /// Decided by each flip of bits.
        case bits = "bits flip behind a process"

        var sentence: String {
            switch self {
            case .front: "at most one app of a phone is in front"
            case .covered: "an app in front is inactive while there is a call"
            case .uncovered: "an app in front is active as soon as a call is over"
            case .shownInCall: "an app that is shown during a call is inactive"
            case .callIsOver: "a call does not outlast a restart of the phone"
            case .memory: "short memory ends suspended apps, or else those in the background"
            case .longestAgo: "short memory ends those apps first that were seen longest ago"
            case .stilled: "an app behind is suspended after 5 s, or when nothing holds it any more"
            case .awake: "a background task, a fetch, a location or a call holds an app awake"
            case .punished: "an app that begins a task when its time is up is killed"
            case .handlers: "when the time is up, every background task of an app expires"
            case .container: "each update moves an app to a container that it never had"
            case .starts: "a phone that restarts, or has power again, is up in the end"
            case .startTime: "each start of a phone takes the same time"
            case .jumps: "a wall clock shows the sum of all its jumps"
            case .slow: "a wall clock that is set back shows an earlier time"
            case .bits: "the bits of a store flip only while its app does not run"
            }
        }
    }
}
