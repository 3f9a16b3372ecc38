/// The surroundings of the apps of a random scenario: a phone, its links, and a server with faults.
struct ChanceWorld {
    private(set) var deviceLines: [String] = []
    private(set) var linkLines: [String] = ["links:"]
    private(set) var tcpLines: [String] = []
    private(set) var flowLines: [String] = []
    /// The keys of a second phone, if there is one.
    private(set) var tabletLines: [String] = []
    private(set) var tabletIsAndroid = false
    /// Whether the second phone has Wi-Fi and cellular.
    private(set) var tabletHasWays = false
    private var faultLines: [String] = []
    private var uploadLifetime: String?
    private var nameLines: [String] = []
    let isIOS: Bool
    /// Whether apps are suspended after half a minute in the background.
    let hasLittleTime: Bool
    let hasWiFi: Bool
    let hasCellular: Bool
    /// The faults that the timeline switches on.
    private(set) var switched: [String] = []

    init(seed: UInt64) {
        var dice = ChanceDice(seed: seed, name: "phone")
        let system = dice.pick(Self.systems)
        isIOS = system.hasPrefix("ios")
        deviceLines += ["os: \(system)"] + Self.callbackLines(seed, "phone")
        let asksForTime = !dice.oneIn(4)
        if !asksForTime { deviceLines.append("background-task: off") }
        hasLittleTime = asksForTime && Self.littleTime.contains(system)
        if dice.oneIn(8) { deviceLines.append("disk: \(dice.pick(["20 MB", "40 MB"]))") }
        if dice.oneIn(8) { deviceLines.append("start-time: \(dice.pick(["1 s", "2 min"]))") }
        let ways = dice.pick([0, 1, 2, 3, 3, 3])
        hasWiFi = ways == 1 || ways == 3
        hasCellular = ways == 2 || ways == 3
        var links = ChanceDice(seed: seed, name: "links")
        var delays = ChanceDice(seed: seed, name: "delays")
        var radios = ChanceDice(seed: seed, name: "radios")
        var sizes = ChanceSizes(seed: seed)
        let names = (hasWiFi ? ["wifi"] : []) + (hasCellular ? ["cellular"] : [])
        for name in names {
            let pair = Self.pair(&links, &delays, &radios, &sizes)
            linkLines += ["  \(name):"] + pair.map { "  \($0)" }
            if links.oneIn(6) { linkLines.append("    \(Self.translator(&links))") }
        }
        if ways == 0 { linkLines += Self.pair(&links, &delays, &radios, &sizes) }
        if ways == 3, dice.oneIn(2) {
            let fate = dice.pick(["end", "go silent"])
            let (gap, linger) = (dice.between(0...3000), dice.pick([0, 5, 30]))
            linkLines.append(
                "  hand-over: { gap: \(gap) ms, linger: \(linger) s, connections: \(fate) }")
        }
        if ways == 0, links.oneIn(2) { linkLines.append("  \(Self.translator(&links))") }
        // The phone's network instead of links.
        var network = ChanceDice(seed: seed, name: "network")
        if ways == 0, network.oneIn(2) {
            deviceLines.append("network: \(network.pick(Self.profiles))")
            linkLines = []
        }
        var tablet = ChanceDice(seed: seed, name: "tablet")
        let tabletSystem = tablet.pick(["ios-6", "ios-17", "android-14"])
        tabletIsAndroid = tabletSystem == "android-14"
        tabletLines = ["os: \(tabletSystem)"] + Self.callbackLines(seed, "tablet")
        switch tablet.between(0...3) {
        case 0: tabletLines.append("network: \(tablet.pick(Self.profiles))")
        case 1:
            tabletHasWays = true
            tabletLines +=
                ["links:"]
                + ["wifi", "cellular"].flatMap { way in
                    ["  \(way):"] + Self.pair(&tablet, &delays, &radios, &sizes).map { "  \($0)" }
                }
        default: break
        }
        if tablet.oneIn(4) { tabletLines.append("background-task: off") }
        if tablet.oneIn(4) { tabletLines.append("start-time: 3 s") }
        if tablet.oneIn(4) { tabletLines.append("disk: 40 MB") }
        var tcp = ChanceDice(seed: seed, name: "tcp")
        var settings = tcp.swarm(Self.settings, oneIn: 8).map { tcp.pick($0) }
        settings += sizes.settings(beside: settings)
        if !settings.isEmpty { tcpLines = ["tcp: { \(settings.joined(separator: ", ")) }"] }
        var flows = ChanceDice(seed: seed, name: "flows")
        if flows.oneIn(6) {
            let count = flows.between(1...2)
            flowLines =
                ["flows:"] + (1...count).map { "  flow-\($0): \(Self.flow(&flows, over: names))" }
        }
        var resolvers = ChanceDice(seed: seed, name: "resolvers")
        if resolvers.oneIn(6) { nameLines = ["  names: \(resolvers.pick(Self.resolvers))"] }
        var faults = ChanceDice(seed: seed, name: "faults")
        addFaults(&faults)
    }

    private static let systems =
        (4...18).map { "ios-\($0)" } + (5...16).map { "android-\($0)" }
        + ["ios-17", "ios-17", "ios-17", "android-14", "android-14"]

    /// Systems with half a minute in the background.
    private static let littleTime = Set((13...18).map { "ios-\($0)" })

    /// The keys of the server. One that forgets uploads forgets their idempotency keys, too, so
    /// that a late repetition would publish again.
    func serverLines(usesKeys: Bool, _ others: [String]) -> [String] {
        let lifetime = usesKeys ? nil : uploadLifetime.map { "  uploads-expire-after: \($0)" }
        let lines = faultLines + nameLines + [lifetime].compactMap(\.self) + others
        return lines.isEmpty ? [] : ["server:"] + lines
    }

    // MARK: Links

    private static func translator(_ dice: inout ChanceDice) -> String {
        let (time, resets) = (dice.pick([8, 30, 120]), dice.pick(["on", "off"]))
        let counts = dice.oneIn(2) ? ", counts: \(dice.pick(["all", "payload"]))" : ""
        return "nat: { forgets-after: \(time) s, resets: \(resets)\(counts) }"
    }

    /// Whether the apps of a phone hear nothing of the files of persistent sessions.
    private static func callbackLines(_ seed: UInt64, _ phone: String) -> [String] {
        var dice = ChanceDice(seed: seed, name: "callbacks of the \(phone)")
        return dice.oneIn(6) ? ["file-callbacks: off"] : []
    }

    /// Draws both directions. `delays` and `radios` decide separately which delays change, and
    /// which radios make packets wait.
    private static func pair(
        _ dice: inout ChanceDice, _ delays: inout ChanceDice, _ radios: inout ChanceDice,
        _ sizes: inout ChanceSizes
    ) -> [String] {
        if radios.oneIn(12) {
            // Cells change on links whose rate is constant.
            return ["  radio: \(radios.pick(Self.movingRadios))"]
                + ["uplink", "downlink"].map { "  \($0): { rate: 5 Mbit/s, delay: 40 ms }" }
        }
        let radio = radios.oneIn(4) ? ["  radio: \(radios.pick(Self.radios))"] : []
        if dice.oneIn(4) { return ["  profile: \(dice.pick(profiles))"] + radio }
        let delay = dice.pick([1, 5, 20, 60, 150])
        let hazards = dice.swarm(Self.hazards, oneIn: 4)
        let ways = ["uplink", "downlink"].map { direction in
            if dice.oneIn(8) { return "  \(direction): { profile: \(dice.pick(profiles)) }" }
            let rate = dice.pick(Self.rates)
            // A key is given once, and a changing rate has its own pauses.
            var keys: Set<Substring> = rate.hasPrefix("{") ? ["outages"] : []
            let stages = dice.oneIn(6) ? dice.swarm(Self.stages) : []
            if !stages.isEmpty { keys.formUnion(Self.stageKeys) }
            let own = hazards.filter { _ in dice.oneIn(2) }.filter { hazard in
                let isTooMuch = rate == lowestRate && Self.floods.contains(hazard)
                if isTooMuch { return false }
                let key = hazard.prefix { $0 != ":" }
                let claims = Self.claims[key] ?? [key]
                guard keys.isDisjoint(with: claims) else { return false }
                keys.formUnion(claims)
                return true
            }.map { ", \($0)" }.joined()
            let row = stages.isEmpty ? "" : ", stages: [\(stages.joined(separator: ", "))]"
            let way =
                delays.oneIn(6) ? "{ 0 s: \(delay) ms, 4 s: 120 ms, 9 s: 10 ms }" : "\(delay) ms"
            let limit = sizes.limit(beside: keys)
            return "  \(direction): { rate: \(rate), delay: \(way)\(own)\(row)\(limit) }"
        }
        return ways + radio
    }

    private static func flow(_ dice: inout ChanceDice, over names: [String]) -> String {
        let isUp = dice.oneIn(2)
        var keys = [isUp ? "from: phone" : "from: server"]
        if dice.oneIn(4) { keys.append(isUp ? "to: server" : "to: phone") }
        if names.count > 1 || !names.isEmpty && dice.oneIn(2) {
            keys.append("interface: \(dice.pick(names))")
        }
        switch dice.between(0...2) {
        case 0: keys.append("for: \(dice.pick([1, 5, 20])) s")
        case 1: keys.append("bytes: \(dice.pick([10, 100, 300])) kB")
        default:
            let gap = "\(dice.pick(["every", "mean"])): \(dice.pick([1, 3])) s"
            keys += ["bytes: 20 kB", "for: 10 s", "arrivals: { \(gap) }"]
        }
        keys += dice.swarm(flowSettings, oneIn: 3).map { dice.pick($0) }
        return "{ \(keys.joined(separator: ", ")) }"
    }

    private static let flowSettings = [
        ["starts: 2 s"],
        [
            "controller: newreno", "controller: bbr", "controller: bbr3",
            "paced: { policy: fair }", "paced: { policy: high, target: 20 Mbit/s }",
            "paced: { policy: low, minimum: 20 kbit/s }",
            "paced: { policy: fixed, target: 60 kbit/s }",
        ],
        ["delay: 30 ms"], ["count: 2"],
    ]

    private static let profiles = [
        "apple-3g", "apple-dsl", "apple-lte", "apple-wifi", "wpt-3g", "wpt-4g", "wpt-cable",
        "wpt-lte", "android-umts", "android-hsdpa", "intercontinental", "apple-edge",
        "apple-very-bad", "wpt-3g-slow", "wpt-2g", "satellite-geo", "starlink", "5g-mid-band",
        "5g-mmwave", "wifi-ac",
    ]

    /// The keys that cannot be given beside another, or would leave too little of the rate.
    private static let claims: [Substring: Set<Substring>] = [
        "duty": ["outages"], "slots": ["slots", "reorder"],
        "policer": ["policer", "cross-traffic"],
        "shaper": ["shaper", "outages", "queue", "cross-traffic"],
    ]

    private static let radios = [
        "umts", "lte", "5g", "{ like: 5g, sleep: { after: 1 s, cycle: 320 ms, awake: 10 ms } }",
        "{ rests: [{ after: 2 s, promotion: 300 ms }, "
            + "{ after: 8 s, promotion: 1 s, paging: 1280 ms }] }",
        "{ like: umts, grant: { every: 20 ms, takes: 10 ms }, "
            + "repetition: { chance: 20 %, by: 8 ms } }",
    ]

    private static let movingRadios = [
        "{ like: lte, hand-overs: { every: 3 s, gap: 60 ms } }",
        "{ hand-overs: { every: 5 s, gap: 200 ms, forwarding: off } }",
    ]

    private static let lowestRate = "100 kbit/s"
    private static let rates = [
        lowestRate, "500 kbit/s", "2 Mbit/s", "10 Mbit/s", "10 Mbit/s", "50 Mbit/s",
        "{ 0 s: 10 Mbit/s, 3 s: 200 kbit/s, 9 s: 5 Mbit/s }", "{ trace: [1, 2, 4, 40, 41, 90] }",
        "{ wifi: { phy: 65 Mbit/s } }",
        "{ wifi: { phy: [6500 kbit/s, 65 Mbit/s], stations: 3, packets: 16, bytes: 20 kB, "
            + "adapts: { every: 100 ms, chance: 20 % } } }",
    ]

    private static let hazards = [
        "loss: 1 %", "jitter: 10 ms", "reorder: { chance: 1 %, by: 5 ms }", "duplicate: 0.5 %",
        "corrupt: 0.5 %", "outages: [2 s to 3 s, 8 s to 14 s]", "black-hole: 4 s to 5500 ms",
        "queue: 30 kB", "queue: { discipline: codel }", "queue: { discipline: fq-codel, ecn: on }",
        "queue: { discipline: pie }", "queue: { discipline: red, min: 10 kB, max: 30 kB }",
        "queue: { discipline: drop-head, limit: 20 packets }",
        "loss: { gilbert-elliott: { p: 0.5 %, r: 25 % } }", "duty: { on: 80 ms, off: 20 ms }",
        "cross-traffic: { rate: 60 kbit/s }", "competing: { flows: 1, bytes: 500 kB }",
        "queue: { discipline: drop-tail, limit: 40 kB }",
        "queue: { discipline: codel, target: 10 ms, interval: 200 ms }",
        "queue: { discipline: codel, mark-threshold: 2 ms }", "queue: { discipline: dualpi2 }",
        "queue: { discipline: dualpi2, target: 20 ms, update: 20 ms, alpha: 0.2, beta: 3, "
            + "step: 2 ms }",
        "queue: { discipline: fq-codel, flows: 16, quantum: 3 kB }",
        "queue: { discipline: cake, shares: hosts }",
        "queue: { discipline: cake, target: 8 ms, interval: 50 ms, shares: flows }",
        "queue: { discipline: pie, target: 20 ms, update: 20 ms, burst: 100 ms, alpha: 0.2, "
            + "beta: 1.5 }",
        "queue: { discipline: red, min: 8 kB, max: 24 kB, chance: 5 %, weight: 1 % }",
        "loss: { gilbert-elliott: { p: 0.5 %, r: 25 %, good: 0.1 %, bad: 50 % } }",
        "loss: { four-state: { p13: 0.5 %, p31: 20 %, p32: 30 %, p23: 40 %, p14: 0.2 % } }",
        "loss: { netem: { loss: 2 %, correlation: 25 % } }", "loss: { every: 97 }",
        "loss: { packets: [3, 4, 20] }", "loss: { data-packets: [0, 1, 9] }", "mtu: 1500 B",
        "jitter: { uniform: 10 ms }", "jitter: { normal: { mean: 10 ms, deviation: 3 ms } }",
        "jitter: { pareto: 5 ms }",
        shaper, "shaper: { rate: 90 kbit/s, burst: 5 kB, limit: 30 kB }",
        "policer: { rate: 400 kbit/s, burst: 20 kB }", "loss-on-way: 1 %",
        "loss-on-way: { gilbert-elliott: { p: 0.5 %, r: 25 % } }", "slots: { min: 5 ms }",
        "slots: { min: 5 ms, max: 9 ms, packets: 20, bytes: 30 kB }",
        "reorder: { gap: 5, chance: 25 %, correlation: 50 %, by: 5 ms }",
        "satellites: { every: 15 s, outage: 60 ms, detour: 20 ms }",
        bursts, pulses, "competing: { flows: 1, controller: newreno, from: 2 s, bytes: 300 kB }",
    ]

    // The lowest rate has no room for these: no healing would end a run.
    private static let floods = [bursts, pulses, shaper]
    private static let shaper = "shaper: { rate: 400 kbit/s, burst: 20 kB, latency: 200 ms }"
    private static let bursts =
        "cross-traffic: { rate: 400 kbit/s, packets: 500 B, on: 2 s, off: 3 s, "
        + "periods: exponential }"
    private static let pulses =
        "cross-traffic: { rate: 200 kbit/s, on: 1 s, off: 1 s, periods: fixed, from: 1 s, "
        + "until: 20 s }"

    /// Stages in an order of their own, instead of the keys with the same names.
    private static let stages = [
        "loss: 0.5 %", "jitter: 5 ms", "duplicate: 0.2 %", "corrupt: 0.2 %",
        "reorder: { chance: 1 %, by: 4 ms }", "black-hole: 5 s to 6 s", "mtu: 1500 B",
        "loss: { every: 150 }", "satellites: { every: 15 s, outage: 50 ms, detour: 5 ms }",
    ]
    private static let stageKeys: [Substring] = [
        "loss", "jitter", "duplicate", "corrupt", "reorder", "black-hole", "mtu", "satellites",
    ]

    /// How phones find the server. It is found in the end, or no healing would end a run.
    private static let resolvers = [
        "{ addresses: [ipv6, ipv4] }", "{ answer: 300 ms, keep: 5 s }",
        "{ answer: 40 ms, keep: 20 s, addresses: [ipv6, ipv4], ipv6: black hole }",
        "{ addresses: [ipv6, ipv4], ipv6: refused }",
        "{ fails: { when: 3 s to 12 s, with: not found }, keep: 2 s }",
        "{ addresses: [ipv6], fails: { when: 0 s to 8 s } }",
        "{ fails: { when: 5 s to 30 s, with: server failure }, keep: 1 s }",
    ]

    /// Settings of TCP and TLS; the defaults are those of Linux.
    private static let settings = [
        [
            "controller: newreno", "controller: bbr", "controller: ledbat++",
            "controller: dctcp", "controller: prague", "controller: bbr3",
        ],
        ["tls: 1.2", "tls: 1.3", "tls: 1.2 resumed", "tls: 1.3 resumed"],
        ["ecn: on", "ecn: accurate"],
        ["receive-window: 64 KiB"], ["send-buffer: 128 KiB"], ["quick-acknowledgements: off"],
        ["minimum-timeout: 1 s"],
        ["client: { controller: newreno }", "client: { controller: bbr }"],
        ["server: { controller: newreno }", "server: { controller: bbr }"],
        ["slow-start: hystart++"], ["writes: blocking"],
        ["background: { controller: ledbat++ }", "background: { controller: bbr }"],
        ["initial-window: 3", "initial-window: 32"], ["pacing: on"],
    ]

    // MARK: Faults

    private static let deeds: [(name: String, deed: String)] = [
        ("busy", "answer 503 with retry after 2 s"), ("broken", "answer 500"),
        ("slow down", "answer 429 with retry after 1 s"), ("locked", "answer 423"),
        ("away", "answer 503 with retry after 40 s"),
        ("away until", "answer 503 with retry date after 50 s"),
        ("elsewhere", "answer 302"), ("changed", "answer 412"), ("too large", "answer 413"),
        ("very still", "stall for 70 s"), ("small quota", "limit what is kept to 100 kB"),
        ("conflict", "answer 409"), ("gone", "answer 410"), ("missing", "answer 404"),
        ("forbidden", "answer 403"), ("stranger", "answer 401"),
        ("bad range", "answer 416"), ("cut", "reset"), ("end", "close"), ("still", "stall for 5 s"),
        ("dead", "stall"), ("slow", "take bodies at 100 kbit/s"),
        ("slow back", "send objects at 100 kbit/s"), ("losing", "lose the answer"),
        ("stutter", "repeat the answer"), ("whole", "ignore ranges"),
        ("any", "ignore range conditions"), ("double", "ignore idempotency keys"),
        ("beside", "send another range"), ("far", "send another range 100 kB earlier"),
        ("too far", "send another range 100 kB later"), ("no tag", "send no etag"),
        ("chunked", "send objects in chunks"), ("endless", "send no field Content-Length"),
        ("nameless", "send no field ETag"), ("weak", "'send the field ETag: W/\"v1\"'"),
        ("lock", "keep broken uploads locked for 3 s"),
        ("wrong name", "send a wrong content-range"),
        ("new tag", "send another etag"), ("token", "expire the token"), ("full", "fill the disk"),
        ("quota", "limit what is kept to 600 kB"), ("garbage", "send garbage"),
        ("half", "send half a head"), ("status line", "send a bad status line"),
        ("length", "send a wrong content-length"), ("lengths", "send two content-lengths"),
        ("chunk", "send a bad chunk"), ("colon", "send a header without colon"),
    ]

    private static let incidents: [(name: String, deed: String)] = [
        ("restart", "restart after 1 s"), ("at once", "restart"),
        ("amnesia", "restart without staging"),
        ("long amnesia", "restart after 3 s without staging"),
        ("dark", "lose power"), ("long dark", "lose power for 3 s"),
        ("dim", "lose power in 3 disk steps"), ("dimmer", "lose power in 7 disk steps for 2 s"),
        ("flicker", "lose power in 40 disk steps"),
        ("clock ahead", "set the clock 3600 s ahead"), ("clock back", "set the clock 3600 s back"),
    ]

    private mutating func addFaults(_ dice: inout ChanceDice) {
        var rules: [String] = []
        // Little else makes persistent sessions fail, which matters if background time is short.
        if hasLittleTime, !dice.oneIn(4) {
            let times = dice.between(1...4)
            rules.append("strict: { do: answer 416, path: /dav/kept/*, times: \(times) }")
        }
        let isFlawless = dice.oneIn(3)
        for (name, deed) in dice.swarm(Self.deeds, oneIn: 12) where !isFlawless {
            var rule = "do: \(deed)"
            if deed == "reset", dice.oneIn(2) {
                rule +=
                    ", at: \(dice.pick(["request", "100 kB received", "answer", "100 kB sent"]))"
            }
            if dice.oneIn(8) {
                // The answer to a request that changes nothing cannot be lost.
                let methods =
                    ["POST", "PATCH", "PUT", "DELETE"]
                    + (deed == "lose the answer" ? [] : ["HEAD", "GET"])
                rule += ", method: \(dice.pick(methods))"
            }
            if dice.oneIn(8) {
                let choices = ["every 3", "every 3 from 2 on", "2 to 5", "from 4 on", "3"]
                rule += ", requests: \(dice.pick(choices))"
            }
            if dice.oneIn(4) {
                let part = dice.pick(["dav", "tus", "once", "kii", "resumable", "token", "paced"])
                rule += ", front-end: \(part)"
            }
            if dice.oneIn(12) { rule += ", client: \(dice.pick(["192.0.2.2", "192.0.2.0/24"]))" }
            if dice.oneIn(12) { rule += ", user: studio" }
            if dice.oneIn(12) { rule += ", connection: \(dice.between(1...3))" }
            if dice.oneIn(12) {
                let start = dice.between(0...1)
                rule += ", from: \(start) s, until: \(start + dice.between(1...30)) s"
            }
            if dice.oneIn(2) { rule += ", chance: \(dice.pick([5, 20, 50])) %" }
            if dice.oneIn(2) { rule += ", times: \(dice.between(1...4))" }
            if dice.oneIn(2), !rule.contains(", from: ") {
                rule += ", starts: off"
                switched.append(name)
            }
            rules.append("\(name): { \(rule) }")
        }
        for (name, deed) in dice.swarm(Self.incidents, oneIn: 5) where !isFlawless {
            rules.append("\(name): { do: \(deed), starts: off }")
            switched.append(name)
        }
        faultLines = rules.isEmpty ? [] : ["  faults:"] + rules.map { "    \($0)" }
        if dice.oneIn(4) { uploadLifetime = dice.pick(["5 s", "2 min", "30 min"]) }
    }
}
