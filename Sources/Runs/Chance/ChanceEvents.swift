import RunLog

/// Events of a phone and its files. Each kind is a series: something breaks, and is mended again.
enum ChanceEvents {
    static func ofPhone(_ world: ChanceWorld, apps: [String?]) -> [[String]] {
        apps.flatMap(ofApp) + system + clock + disk + network(world)
    }

    private static func ofApp(_ name: String?) -> [[String]] {
        let app = name.map { "app \($0)" } ?? "app"
        let flips = name.map { "disk flips 8 bits of app \($0)" } ?? "disk flips 8 bits"
        let open = "\(app) to foreground"
        return [
            ["\(app) killed", "\(app) launched"], ["\(app) crashes", open],
            ["\(app) force-quit", open], ["\(app) data cleared", open], ["\(app) updated", open],
            ["\(app) woken by the system"], ["\(app) fetches in the background"],
            ["\(app) killed", "\(app) woken by the system"],
            ["\(app) killed", flips, "\(app) launched"], [open],
            ["\(app) tracks its location", "\(app) tracks its location no more"],
            ["\(app) begins a call of its own", "\(app) ends its call", open],
        ]
    }

    private static let system = [
        ["app to background", "app to foreground"], ["app to background"],
        ["app to background", "memory pressure", "app to foreground"],
        [
            "app tracks its location", "app to background", "app begins a call of its own",
            "app tracks its location no more", "app ends its call", "app to foreground",
        ],
        ["screen locked", "screen unlocked", "app to foreground"],
        ["call comes in", "call ends"], ["phone reboots", "app to foreground"],
        ["power lost", "power back", "app to foreground"],
        ["power lost", "disk flips 8 bits of the daemon", "power back", "app to foreground"],
        ["low-power mode on", "low-power mode off"],
        ["charger taken away", "charger connected"], ["memory pressure"],
    ]

    /// Events of the second phone, whose app is “pad”.
    static let ofTablet = [
        ["home button on tablet", "app pad to foreground"],
        ["screen locked on tablet", "screen unlocked on tablet", "app pad to foreground"],
        ["reboot on tablet", "app pad to foreground"],
        ["power lost on tablet", "power back on tablet", "app pad to foreground"],
        ["disk full on tablet", "disk has space again on tablet", "app pad to foreground"],
        ["network lost on tablet", "network back on tablet"], ["nat forgets on tablet"],
        ["airplane mode on for tablet", "airplane mode off for tablet"],
        ["memory pressure on tablet"],
        [
            "disk writes fail on tablet", "disk writes work again on tablet",
            "app pad to foreground",
        ],
        ["disk reads fail on tablet", "disk reads work again on tablet", "app pad to foreground"],
        ["low data mode on for tablet", "low data mode off for tablet"],
        ["nat forgets and resets on tablet"],
    ]

    /// Events of a second phone that has Wi-Fi and cellular.
    static let ofAndroidTablet = [
        ["doze begins on tablet", "doze ends on tablet"],
        ["home button on tablet", "battery saver on for tablet", "battery saver off for tablet"],
    ]

    static let ofTabletWays = [
        ["wifi lost on tablet", "wifi back on tablet"],
        ["wifi lost on tablet", "wifi back as another network on tablet"],
        ["wifi to cellular on tablet", "cellular to wifi on tablet"],
        ["cellular lost on tablet", "cellular back on tablet"],
        ["captive portal appears on tablet", "user logs in on tablet"],
        ["captive portal appears and drops https on tablet", "user logs in on tablet"],
        ["captive portal appears and answers 200 on tablet", "user logs in on tablet"],
        ["wifi becomes metered on tablet", "wifi becomes unmetered on tablet"],
    ]

    private static let clock = [
        ["clock jumps 10 min ahead", "clock jumps 10 min back"], ["clock jumps 9600 h ahead"],
        ["clock corrected by 2 s back", "clock corrected by 3 s ahead"],
        ["time zone moves 60 min ahead", "time zone moves 120 min back"],
    ]

    private static let disk = [
        ["disk full", "disk has space again", "app to foreground"],
        ["disk writes fail", "disk writes work again", "app to foreground"],
        ["disk reads fail", "disk reads work again", "app to foreground"],
    ]

    private static func network(_ world: ChanceWorld) -> [[String]] {
        var kinds = [
            ["network lost", "network back"], ["airplane mode on", "airplane mode off"],
            ["nat forgets"], ["nat forgets and resets"], ["low data mode on", "low data mode off"],
        ]
        if world.hasWiFi {
            kinds += [
                ["wifi lost", "wifi back"], ["wifi lost", "wifi back as another network"],
                ["wifi becomes metered", "wifi becomes unmetered"],
                ["captive portal appears", "user logs in"],
                ["captive portal appears and drops https", "user logs in"],
                ["captive portal appears and answers 200", "user logs in"],
            ]
        }
        if world.hasWiFi, world.hasCellular {
            kinds.append(["wifi to cellular", "cellular to wifi"])
        }
        if world.hasCellular { kinds.append(["cellular lost", "cellular back"]) }
        if !world.isIOS {
            kinds += [
                ["app to background", "doze begins", "doze ends"],
                [
                    "charger taken away", "app to background", "battery saver on",
                    "battery saver off",
                ],
            ]
        }
        return kinds
    }

    static func ofFiles(_ paths: [String]) -> [[String]] {
        paths.flatMap { path in
            [
                "edited", "replaced by 300 kB",
                "truncated to 10 kB", "grows by 100 kB", "touched", "deleted",
                "edited with its date put back", "edited between samples with its date put back",
            ].map { ["\(path) \($0)"] } + [["\(path) deleted", "\(path) replaced by 200 kB"]]
        }
    }
}

/// The actions of an app's user.
struct ChanceWishes {
    /// All wishes, grouped by their subject.
    private(set) var all: [[String]] = []
    /// Wishes without which some transfers would never end.
    private(set) var afterHealing: [String] = []
    /// Wishes that end persistent sessions.
    private(set) var ends: [String] = []

    init(of app: ChanceApp) {
        // Only the first app's queue can be started and stopped.
        if app.name == nil, !app.sessions.isEmpty {
            all.append(["start queue", "stop queue"])
            all.append(["ask for no background time", "ask for background time"])
            // An app that does not listen calls no handler of its background sessions.
            if app.tasks.isEmpty { all.append(["app stops listening", "app listens again"]) }
            if !app.accounts.isEmpty { all.append(app.accounts.map { "delete account \($0)" }) }
        }
        for (number, session) in zip(app.numbers(.queue), app.sessions) {
            let verbs = ["run", "cancel", "stop", "pause", "resume", "remove"]
            all.append(
                verbs.map { "\($0) session \(number)" }
                    + (0...1).map { "move session \(number) to index \($0)" })
            all.append(Self.changes(of: "session \(number)"))
            afterHealing += ["resume session \(number)", "run session \(number)"]
            if !session.isEnqueued {
                all.append(["save session \(number)", "enqueue session \(number)"])
                all.append((0...1).map { "insert session \(number) at index \($0)" })
                all.append(["session \(number) loses its last file", "save session \(number)"])
                afterHealing.append("enqueue session \(number)")
            }
            guard !session.paths.isEmpty else { continue }
            all.append(
                session.paths.map { "\($0) is added to session \(number)" }
                    + ["all files are added to session \(number)", "cancel session \(number)"])
            ends.append("cancel session \(number)")
        }
        if !app.operations.isEmpty { all.append(["lists of operations are emptied"]) }
        add(["cancelled", "retried"], of: "operation", app.numbers(.operations), last: "retried")
        add(
            ["resumed", "suspended", "cancelled", "put off"], of: "task",
            app.numbers(.background), last: "resumed")
        if app.name == nil, !app.tasks.isEmpty {
            let session =
                app.tasks.contains { $0.text.contains("session: other") }
                ? "other" : "com.example.background"
            all.append([
                "session \(session) is invalidated",
                "session \(session) is invalidated and cancelled",
            ])
        }
        add(
            ["resumed", "suspended", "terminated"], of: "transfer", app.numbers(.bucket),
            last: "resumed")
    }

    /// Changes of a session's settings (A15).
    static func changes(of session: String) -> [String] {
        ["never", "always", "diff", "older", "diff+older"].map {
            "\(session) is to overwrite \($0)"
        }
            + ["none", "attributes", "sparse checksum", "full checksum"]
            .map { "\(session) is to resume by \($0)" }
            + ["fair", "fixed", "high", "low"].map { "\(session) is to share the link as \($0)" }
            + ["1 Mbit/s", "8 Mbit/s"].map { "\(session) is to go at \($0)" }
    }

    /// `last` is the verb that may be needed after the healing.
    private mutating func add(
        _ verbs: [String], of item: String, _ numbers: Range<Int>, last: String
    ) {
        for number in numbers {
            all.append(verbs.map { "\(item) \(number) is \($0)" })
            afterHealing.append("\(item) \(number) is \(last)")
        }
    }
}
