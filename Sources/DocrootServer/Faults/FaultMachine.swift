import Quantities

/// A request as the script sees it: what it wants, and its progress.
struct FaultedRequest: Sendable {
    let connection: ServerConnectionID
    let client: ClientAddress
    /// The number of its connection, from 1.
    let ordinal: UInt32
    let method: String
    let target: String
    let path: String
    let frontEnd: FrontEnd?
    let user: String?
    let authorization: String?
    /// Rules that have yet to take effect on it, in the order of the script.
    var awaited: [Int] = []
    /// Bytes of its body that were received, and of its object that were sent.
    var received = ByteCount.zero
    var sent = ByteCount.zero
    /// The rule that slows it.
    var slowedBy: Int?
    var defects = AnswerDefects()
    var quota: ByteCount?
    /// The rule that locks its upload if it breaks off.
    var lock: Int?

    var words: String { "\(method) \(target)" }

    /// Bytes that have passed on the way that a point is about.
    func passed(_ kind: FaultPoint.Kind) -> ByteCount { kind == .sent ? sent : received }
}

/// The state of a rule, as it can be requested while the server runs.
package struct FaultStatus: Hashable, Sendable {
    package var name: String
    package var isOn: Bool
    /// How often the rule has taken effect so far.
    package var hits: UInt64
}

/// Decides which rules of a script take effect; the server carries them out.
///
/// A rule that is on chooses requests when they begin, or when it is switched on while they are
/// served. A request awaits the rules that chose it until it reaches the place of each:
///
///     off ──▶ on ──▶ chosen (nth request, chance) ──▶ awaited ──▶ in effect, `times` at most
struct FaultMachine: Sendable {
    private(set) var rules: [State]
    var requests: [ServerConnectionID: FaultedRequest] = [:]
    /// Ordinal numbers of connections, whatever the world calls them.
    private var ordinals: [ServerConnectionID: UInt32] = [:]
    private var lastOrdinal: UInt32 = 0
    /// Paused connections, with the rule and the end of the pause.
    private var pauses: [ServerConnectionID: (rule: Int, until: Instant)] = [:]
    /// Locked uploads by their paths, with the rule and the end of the lock.
    private var locks: [String: (rule: Int, until: Instant)] = [:]
    /// Active rules about the clock, the latest last.
    private var clocks: [Int] = []
    /// The rule whose loss of power is to come, after some steps of the disk.
    private(set) var failing: Int?
    /// The latest such rule.
    private(set) var lastToFail: Int?
    /// Switchings to come, ordered by time.
    private var schedule: ArraySlice<Switching>

    struct State: Sendable {
        let rule: FaultRule
        fileprivate(set) var isOn = false
        fileprivate(set) var hits: UInt64 = 0
        /// Matching requests, and remaining effects, since the rule was switched on.
        fileprivate var seen: UInt64 = 0
        fileprivate var left: UInt64 = 0
        fileprivate var random: RandomStream
        /// Credentials that the rule has expired.
        fileprivate var spent: Set<String> = []
    }

    struct Switching: Sendable {
        let at: Instant
        let rule: Int
        let isOn: Bool
    }

    init(_ script: FaultScript) {
        rules = script.rules.map { rule in
            State(rule: rule, random: RandomStream(seed: script.seed, name: "fault/\(rule.name)"))
        }
        let all = script.rules.enumerated().flatMap { index, rule in
            [(rule.from, true), (rule.until, false)].compactMap { at, isOn in
                at.map { Switching(at: $0, rule: index, isOn: isOn) }
            }
        }
        schedule =
            all.enumerated().sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }
            .map(\.element)[...]
    }

    /// Whether there is no script, so that nothing else need be asked.
    var isEmpty: Bool { rules.isEmpty }

    var status: [FaultStatus] {
        rules.map { FaultStatus(name: $0.rule.name, isOn: $0.isOn, hits: $0.hits) }
    }

    var nextDeadline: Instant? {
        // any order: only the earliest counts
        let resumption = pauses.values.map(\.until).filter { $0 < .end }.min()
        guard let switching = schedule.first?.at else { return resumption }
        return min(switching, resumption ?? switching)
    }

    // MARK: Switching

    func index(of name: String) -> Int? { rules.firstIndex { $0.rule.name == name } }

    /// Returns the next automatic switching, once its time has come.
    mutating func nextSwitching(at now: Instant) -> Switching? {
        guard let first = schedule.first, first.at <= now else { return nil }
        return schedule.popFirst()
    }

    /// Switches a rule on: counts from zero, and chooses among requests that are being served.
    mutating func switchOn(_ index: Int) {
        rules[index].isOn = true
        rules[index].seen = 0
        rules[index].left = rules[index].rule.occasion.times
        if case .clock = rules[index].rule.fault { clocks.append(index) }
        switch rules[index].rule.point.kind {
        case .switching, .request: return
        case .received, .answer, .sent: break
        }
        for id in requests.keys.sorted(by: { $0.number < $1.number }) {
            guard let request = requests[id], chooses(index, request) else { continue }
            let others = request.awaited.filter { $0 != index }
            requests[id]?.awaited = (others + [index]).sorted()
        }
    }

    /// Switches a rule off; returns the connections that it paused.
    mutating func switchOff(_ index: Int) -> [ServerConnectionID] {
        rules[index].isOn = false
        rules[index].spent = []
        clocks.removeAll { $0 == index }
        locks = locks.filter { $0.value.rule != index }
        let waiting = pauses.filter { $0.value.rule == index }.keys
        return takePauses(of: waiting.sorted { $0.number < $1.number })
    }

    // MARK: Power

    mutating func fail(by index: Int) {
        failing = index
        lastToFail = index
    }

    mutating func stopFailing() { failing = nil }

    // MARK: The clock

    /// The error of the wall clock in seconds; the latest rule counts.
    var clockSkew: Int64 {
        guard let latest = clocks.last, case .clock(let seconds) = rules[latest].rule.fault else {
            return 0
        }
        return seconds
    }

    // MARK: Requests

    mutating func begin(_ request: FaultedRequest) {
        var request = request
        request.awaited = rules.indices.filter { chooses($0, request) }
        requests[request.connection] = request
    }

    mutating func finish(_ id: ServerConnectionID) {
        requests[id] = nil
        pauses[id] = nil
    }

    mutating func connected(_ id: ServerConnectionID) {
        lastOrdinal += 1
        ordinals[id] = lastOrdinal
    }

    func ordinal(of id: ServerConnectionID) -> UInt32 { ordinals[id] ?? 0 }

    mutating func disconnected(_ id: ServerConnectionID) {
        finish(id)
        ordinals[id] = nil
    }

    mutating func disconnectedAll() {
        requests = [:]
        pauses = [:]
        locks = [:]
        ordinals = [:]
    }

    private mutating func chooses(_ index: Int, _ request: FaultedRequest) -> Bool {
        let rule = rules[index].rule
        guard rules[index].isOn, rule.point.kind != .switching, rule.fault.isAbout(request.method),
            rule.route.takes(request)
        else { return false }
        rules[index].seen += 1
        guard rule.occasion.takes(rules[index].seen) else { return false }
        return rule.occasion.chance.draw(from: &rules[index].random)
    }

    /// Returns the next rule to take effect on a request; `nil` if none is left.
    mutating func next(at kind: FaultPoint.Kind, on id: ServerConnectionID) -> Int? {
        guard let request = requests[id] else { return nil }
        let place = request.awaited.firstIndex { index in
            let point = rules[index].rule.point
            return rules[index].isOn && rules[index].left > 0 && point.kind == kind
                && point.count <= request.passed(kind)
        }
        return place.flatMap { requests[id]?.awaited.remove(at: $0) }
    }

    mutating func count(_ index: Int) {
        rules[index].hits += 1
        // Consequences of an effect do not count, such as a token that stays expired.
        if (1..<UInt64.max).contains(rules[index].left) { rules[index].left -= 1 }
    }

    func defects(on id: ServerConnectionID) -> AnswerDefects {
        requests[id]?.defects ?? AnswerDefects()
    }

    // MARK: Locks

    /// Whether a rule that chose a request may still take effect.
    func mayTakeEffect(_ index: Int) -> Bool { rules[index].isOn && rules[index].left > 0 }

    mutating func lock(_ path: String, by index: Int, until: Instant) {
        locks[path] = (index, until)
    }

    /// Returns the name of the rule that keeps a path locked.
    func lock(on path: String, at now: Instant) -> String? {
        guard let lock = locks[path], lock.until > now else { return nil }
        return rules[lock.rule].rule.name
    }

    // MARK: Credentials

    mutating func spend(_ authorization: String, by index: Int) {
        rules[index].spent.insert(authorization)
    }

    /// Returns the rule that has expired these credentials.
    func spender(of authorization: String?) -> Int? {
        authorization.flatMap { text in rules.firstIndex { $0.spent.contains(text) } }
    }

    // MARK: Bodies

    /// Returns how many bytes may pass before the next decision.
    func room(_ kind: FaultPoint.Kind, on id: ServerConnectionID) -> ByteCount {
        guard let request = requests[id] else { return ByteCount(.max) }
        let position = request.passed(kind)
        var room = ByteCount(.max)
        for index in request.awaited {
            let point = rules[index].rule.point
            if point.kind == kind, point.count > position {
                room = min(room, point.count - position)
            }
        }
        guard let rate = rate(kind, of: request) else { return room }
        // A tenth of a second's bytes, rounded to whole bytes.
        return min(room, ByteCount(max(1, rate.bitsPerSecond / 80)))
    }

    /// Counts bytes that have passed; a slowed request pauses until more may pass.
    mutating func pass(
        _ count: ByteCount, _ kind: FaultPoint.Kind, on id: ServerConnectionID, at now: Instant
    ) {
        guard let request = requests[id] else { return }
        if kind == .sent {
            requests[id]?.sent = request.sent + count
        } else {
            requests[id]?.received = request.received + count
        }
        guard let rule = request.slowedBy, let rate = rate(kind, of: request) else { return }
        pauses[id] = (rule, now + rate.timeToSend(count))
    }

    private func rate(_ kind: FaultPoint.Kind, of request: FaultedRequest) -> Bitrate? {
        guard let index = request.slowedBy, rules[index].isOn,
            rules[index].rule.point.kind == kind, case .slow(let rate) = rules[index].rule.fault
        else { return nil }
        return rate
    }

    // MARK: Pauses

    mutating func pause(_ id: ServerConnectionID, by index: Int, until: Instant) {
        pauses[id] = (index, until)
    }

    func isPaused(_ id: ServerConnectionID) -> Bool { pauses[id] != nil }

    /// Returns the connections whose pause is over, in order.
    mutating func resumptions(at now: Instant) -> [ServerConnectionID] {
        let due = pauses.filter { $0.value.until <= now }.keys
        return takePauses(of: due.sorted { $0.number < $1.number })
    }

    private mutating func takePauses(of ids: [ServerConnectionID]) -> [ServerConnectionID] {
        for id in ids { pauses[id] = nil }
        return ids
    }
}
