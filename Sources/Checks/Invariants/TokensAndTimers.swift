import Quantities
import RunLog

/// S12: "One token refresh in flight; no request with a token known to be rejected. Timers are
/// monotonic: a jump of the wall clock changes nothing."
struct TokensAndTimers: Invariant {
    private(set) var watch = Watch()
    private var refreshing: Set<ItemName> = []
    private var rejected: Set<ItemName> = []
    /// Sessions that back off after an error: the end of the pause, and whether the clock has
    /// jumped.
    private var pauses: [ItemName: Pause] = [:]
    private var hasEvidence = false
    /// The last one-shot request on each connection.
    private var requests: [ConnectionName: Request] = [:]
    /// Signed addresses that the server has refused, and those of which a client knows it.
    private var refused: Set<String> = []
    private var refusedAndTold: Set<String> = []
    /// How many clients have an address of a path and do not know that it is refused. Two that ask
    /// at the same moment get the same one.
    private var hopeful: [String: Int] = [:]
    private(set) var evidence = Evidence<Clause>()
    private var tokens = SeenTokens()

    private struct Request: Sendable {
        var method: String
        var path: String
    }

    private struct Pause: Sendable {
        var until: Instant
        /// The sum of the clock's jumps in the pause; `nil` if it has not jumped.
        var jump: TimeSpan?
    }

    /// The longest time between a timer and its attempt.
    private static let slack = TimeSpan.seconds(1)

    var rule: String { "S12" }
    var statement: String {
        "tokens are refreshed one at a time and not used after rejection, and no jump of the "
            + "wall clock moves a timer"
    }

    mutating func read(_ event: RunEvent) {
        watch.step(to: event)
        if let slip = tokens.read(event) { watch.fall(slip) }
        switch event.fact {
        case .engine(.token(let item, let step)): judge(item, step)
        case .connection(.request(let connection, let method, let target)):
            guard target.hasPrefix("/once/") else { return }
            requests[connection] = Request(method: method, path: target)
        case .connection(.response(let connection, let status, _)):
            if let request = requests[connection] { learn(status, from: request) }
        case .connection(.ended(let connection, _, _)): requests[connection] = nil
        case .server(.refused(_, let target, 401, _)): judge(refusing: target)
        case .engine(.fails(let session, _, _, let pause)):
            pauses[session] = pause.map { Pause(until: event.at + $0) }
        // Without a token, the end of the pause is told instead of an attempt.
        case .engine(.attempt(let session, _)), .engine(.waitsForCredential(let session)):
            judgeTimer(of: session, at: event.at)
        // The pause is over, but there is no network that the session may use.
        case .engine(.waitsForNetwork(let session, _)): pauses[session] = nil
        case .engine(.moves(let session, _, let to, _)):
            // A session that is resumed in its pause begins at once.
            if to != .running, to != .retrying { pauses[session] = nil }
        case .device(.wallClockJumped(let span, _, _, _)):
            // any order: each is marked by itself
            pauses = pauses.mapValues {
                Pause(until: $0.until, jump: ($0.jump ?? .zero) + span)
            }
        // A suspended or restarted app is late for other reasons.
        case .device(.appEntered(_, .suspended, _)), .device(.appKilled), .device(.appCrashed),
            .device(.power):
            pauses.removeAll()
        // An explicit run begins at once.
        case .queue(.asked(let session, .run)): pauses[session] = nil
        default: break
        }
    }

    var reasonNotToJudge: String? {
        hasEvidence || tokens.hasEvidence
            ? nil : "no token was used, and no clock jumped while a session waited"
    }

    var clauses: [DecidedClause] { evidence.all + tokens.evidence.all }

    /// Notes that a client knows of the refusals of its address, or that the server has given it
    /// an address, which may be the same again if the server's clock has not moved.
    private mutating func learn(_ status: Int, from request: Request) {
        let isMeant = { (target: String) in target.hasPrefix("\(request.path)?") }
        if request.method == "POST", (200..<300).contains(status) {
            hopeful[request.path, default: 0] += 1
        } else if request.method != "POST", status == 401 {
            hopeful[request.path] = max(0, hopeful[request.path, default: 1] - 1)
            refusedAndTold.formUnion(refused.filter(isMeant))
            refused = refused.filter { !isMeant($0) }
        }
    }

    /// Judges an address by the server's word: the engine may not say which token it uses.
    private mutating func judge(refusing target: String) {
        guard let mark = target.firstIndex(of: "?") else { return }
        refused.insert(target)
        guard refusedAndTold.contains(target), hopeful[String(target[..<mark])] == 0 else { return }
        hasEvidence = true
        watch.fall(
            expected: "no request goes to an address that the server has refused",
            seen: "\(target) is asked for again")
    }

    private mutating func judge(_ item: ItemName, _ step: TokenStep) {
        hasEvidence = true
        switch step {
        case .used:
            guard rejected.contains(item) else { return }
            watch.fall(
                expected: "token “\(item)” is not used again, because the server has rejected it",
                seen: "a request uses it")
        case .rejected:
            rejected.insert(item)
            evidence.decides(.rejected)
        case .refreshBegan:
            evidence.decides(.oneRefresh)
            guard !refreshing.insert(item).inserted else { return }
            watch.fall(
                expected: "one refresh of token “\(item)” at a time", seen: "another begins")
        case .refreshEnded(let isNew):
            refreshing.remove(item)
            if isNew { rejected.remove(item) }
        }
    }

    private mutating func judgeTimer(of session: ItemName, at now: Instant) {
        guard let pause = pauses.removeValue(forKey: session), let jump = pause.jump else { return }
        hasEvidence = true
        evidence.decides(jump < .zero ? .clockBack : .clockAhead)
        guard now < pause.until || now > pause.until + Self.slack else { return }
        watch.fall(
            expected: "\(session) is tried again at \(pause.until), whatever the wall clock shows",
            seen: "it is tried again at \(now)")
    }
}

extension TokensAndTimers {
    enum Clause: String, ClauseName {
        /// Decided by each refresh: a second one could begin before it has ended.
        case oneRefresh = "one refresh"
        /// Decided by each rejection: the next request could use the token again.
        case rejected = "rejected token"
        /// Decided by an attempt after a pause in which the wall clock was set ahead: a timer by
        /// the wall clock fires at once.
        case clockAhead = "clock ahead"
        /// Decided by an attempt after a pause in which the wall clock was set back: a timer by the
        /// wall clock fires late.
        case clockBack = "clock back"

        var sentence: String {
            switch self {
            case .oneRefresh: "a token is refreshed by one request at a time"
            case .rejected: "a rejected token is not used again"
            case .clockAhead: "a clock that is set ahead shortens no pause"
            case .clockBack: "a clock that is set back lengthens no pause"
            }
        }
    }
}
