import Device
import Facts
import Quantities
import RunPlan

/// Events of a phone, in the words of a timeline.
enum DeviceActions {
    static let phrases: [Phrase<TimelineEntry.Action>] =
        simple.map { words, event, about in Phrase(words, about, means: .device(event)) }
        + clock + flips + others

    private static let simple: [(String, DeviceEvent, String?)] =
        [
            ("app to background", .home, "home, and back; the app is opened if it was not running"),
            ("app to foreground", .appOpened(0), nil),
            (
                "app woken by the system", .appWoken(0),
                "started or woken in the background; does nothing in low-power mode"
            ),
            (
                "app fetches in the background", .fetch(0),
                "an iOS app that is not in front is run for at most 30 s to look for news, and "
                    + "says what has come of it; does nothing in low-power mode"
            ),
            (
                "app tracks its location", .mode(0, .location, isOn: true),
                "the app is not suspended, and its time in the background does not run, until it "
                    + "ends that or its process ends; does nothing for an app that is suspended or "
                    + "not running"
            ),
            ("app tracks its location no more", .mode(0, .location, isOn: false), nil),
            (
                "app begins a call of its own", .mode(0, .call, isOn: true),
                "over the network, as by tracking its location; its transfers know nothing of it"
            ),
            ("app ends its call", .mode(0, .call, isOn: false), nil),
            (
                "app force-quit", .forceQuit(0),
                "swiped away by the user: the system does not wake it until it is opened"
            ),
            ("app crashes", .crash(0), "the process ends, as if killed"),
            ("app data cleared", .dataCleared(0), "killed, and its store is empty"),
            ("app updated", .updated(0), "killed, and its container has another path"),
            (
                "screen locked", .locked,
                "to the background as by the home button, and back to what was in front"
            ),
            ("screen unlocked", .unlocked, nil),
            ("call comes in", .callComes, "the app is inactive meanwhile"),
            ("call ends", .callEnds, nil),
            (
                "memory pressure", .memoryPressure,
                "suspended apps are killed; if there are none, apps in the background are"
            ),
            ("phone reboots", .reboot, "the phone is off the network and takes 30 s to start"),
            (
                "power lost", .powerLost,
                "unsynced writes survive or are lost by chance, and no app is told; with power "
                    + "back the phone takes 30 s to start"
            ),
            ("power back", .powerBack, nil),
            ("low-power mode on", .lowPower(true), "nothing is woken in the background"),
            ("low-power mode off", .lowPower(false), nil),
            (
                "charger connected", .charger(isConnected: true),
                "discretionary tasks wait for a charger"
            ),
            ("charger taken away", .charger(isConnected: false), nil),
        ] + disk

    /// Events of apps and phones after the first ones.
    private static let others: [Phrase<TimelineEntry.Action>] =
        ofApps.map { words, event in
            Phrase(words, "the same actions on another app") { holes, draft in
                app(holes[0], in: words, of: draft)
                    .map { .device(event($0.index), on: $0.device) }
            }
        }
        + ofPhones.map { words, event, _ in
            Phrase("\(words) on NAME", "the same actions on another phone") { holes, draft in
                phone(holes[0], of: draft).map { .device(event, on: $0) }
            }
        }

    private static let ofApps: [(String, @Sendable (Int) -> DeviceEvent)] = [
        ("app NAME to foreground", { .appOpened($0) }), ("app NAME launched", { .appOpened($0) }),
        ("app NAME killed", { .kill($0) }), ("app NAME force-quit", { .forceQuit($0) }),
        ("app NAME crashes", { .crash($0) }), ("app NAME data cleared", { .dataCleared($0) }),
        ("app NAME updated", { .updated($0) }),
        ("app NAME woken by the system", { .appWoken($0) }),
        ("app NAME fetches in the background", { .fetch($0) }),
        ("app NAME tracks its location", { .mode($0, .location, isOn: true) }),
        ("app NAME tracks its location no more", { .mode($0, .location, isOn: false) }),
        ("app NAME begins a call of its own", { .mode($0, .call, isOn: true) }),
        ("app NAME ends its call", { .mode($0, .call, isOn: false) }),
    ]

    private static let ofPhones: [(String, DeviceEvent, String?)] =
        [
            ("home button", .home, nil), ("screen locked", .locked, nil),
            ("screen unlocked", .unlocked, nil), ("memory pressure", .memoryPressure, nil),
            ("reboot", .reboot, nil), ("power lost", .powerLost, nil),
            ("power back", .powerBack, nil),
        ] + disk

    private static let disk: [(String, DeviceEvent, String?)] = [
        (
            "disk full", .disk(.full(true)),
            "other data takes all free space: no file can grow, but existing bytes can be "
                + "overwritten"
        ),
        ("disk has space again", .disk(.full(false)), nil),
        ("disk writes fail", .disk(.writesFail(true)), "every write fails, deleting included"),
        ("disk writes work again", .disk(.writesFail(false)), nil),
        (
            "disk reads fail", .disk(.readsFail(true)),
            "every read fails, those of uploaded files included (error 35)"
        ),
        ("disk reads work again", .disk(.readsFail(false)), nil),
    ]

    private static func app(
        _ name: PlacedText, in words: String, of draft: ScenarioDraft
    ) -> AppPlace? {
        // Unreadable apps have been reported already.
        guard let places = draft.appPlaces else { return nil }
        if let place = places.first(where: { $0.name == name.text }) { return place }
        let names = places.map(\.name)
        let nearest = Spelling.nearest(to: name.text, among: names)
        return name.refuse(
            "there is no app “\(name.text)”",
            expected: "a name under “apps” of “device” or of one of “devices”",
            suggestion: names.isEmpty
                ? "“\(words.replacing(" NAME", with: ""))”" : nearest.map { "“\($0)”" })
    }

    static func phone(_ name: PlacedText, of draft: ScenarioDraft) -> Int? {
        let names = draft.otherPhones.map(\.name)
        if let place = names.firstIndex(of: name.text) { return place + 1 }
        return name.refuse(
            "there is no phone “\(name.text)”", expected: "a name under “devices”", among: names)
    }

    private static let clock: [Phrase<TimelineEntry.Action>] =
        causes.flatMap { words, cause, about in
            [("ahead", Int64(1)), ("back", -1)].map { direction, sign in
                Phrase("\(words) TIME \(direction)", about) { holes, _ in
                    holes[0].time().map { .device(.clockJumps($0 * sign, cause)) }
                }
            }
        }

    private static let flips: [Phrase<TimelineEntry.Action>] = [
        Phrase(
            "disk flips N bits",
            "at random places in the store of an app that is not running; no effect while it runs"
        ) { holes, _ in
            bits(holes[0]).map { .device(.bitsFlip(0, count: $0)) }
        },
        Phrase(
            "disk flips N bits of the daemon",
            "at random places in the store in which the system keeps its tasks, while the phone "
                + "is off"
        ) { holes, _ in
            bits(holes[0]).map { .device(.daemonBitsFlip(count: $0)) }
        },
        Phrase(
            "disk flips N bits of app NAME",
            "at random places in another app's store, while that app is not running"
        ) { holes, draft in
            let words = "disk flips \(holes[0].text) bits of app NAME"
            return both(bits(holes[0]), app(holes[1], in: words, of: draft))
                .map { .device(.bitsFlip($1.index, count: $0), on: $1.device) }
        },
    ]

    private static func bits(_ words: PlacedText) -> UInt32? {
        words.count(in: 1...mostBits, "how many bits of a store, from 1 to \(mostBits)")
            .map { UInt32($0) }
    }

    /// By then every page of a small store has hundreds of flipped bits.
    private static let mostBits: UInt64 = 10_000

    private static let causes: [(String, WallClock.Cause, String)] = [
        ("clock jumps", .user, "the user sets the wall clock, which no timer depends on"),
        ("clock corrected by", .network, "the network sets the wall clock"),
        ("time zone moves", .timeZone, "the phone enters another time zone"),
    ]
}

extension DeviceEvent {
    /// The event as a clause after the time.
    var words: String {
        switch self {
        case .appOpened: "the user opens the app"
        case .fetch: "the system lets the app fetch in the background"
        case .mode(_, let mode, let isOn): "the app \(mode.words(begins: isOn))"
        case .appWoken: "the system needs the app in the background"
        case .home: "the user goes home"
        case .locked: "the screen is locked"
        case .unlocked: "the screen is unlocked"
        case .callComes: "a call comes in"
        case .callEnds: "the call ends"
        case .forceQuit: "the user throws the app out"
        case .crash: "the app crashes"
        case .kill: "the app is killed"
        case .memoryPressure: "memory is short"
        case .dataCleared: "all data of the app is cleared"
        case .updated: "the app is updated, and its container moves"
        case .reboot: "the phone reboots"
        case .powerLost: "the phone loses its power"
        case .powerBack: "the phone has power again"
        case .lowPower(let isOn): "low-power mode is switched \(isOn ? "on" : "off")"
        case .charger(isConnected: true): "a charger is connected"
        case .charger(isConnected: false): "the charger is taken away"
        case .clockJumps(let span, let cause):
            "the wall clock jumps "
                + (span < .zero ? "\(TimeSpan.zero - span) back" : "\(span) ahead")
                + ": \(cause.rawValue)"
        case .bitsFlip(_, 1): "the disk flips a bit of the app's store"
        case .bitsFlip(_, let count): "the disk flips \(count) bits of the app's store"
        case .daemonBitsFlip(let count):
            "the disk flips \(count) bit\(count == 1 ? "" : "s") of the daemon's store"
        case .disk(.full(true)): "the disk is full, and nothing on it can grow"
        case .disk(.full(false)): "the disk has space again"
        case .disk(.writesFail(true)): "writing to the disk fails"
        case .disk(.writesFail(false)): "writing to the disk works again"
        case .disk(.readsFail(true)): "reading from the disk fails"
        case .disk(.readsFail(false)): "reading from the disk works again"
        }
    }
}
