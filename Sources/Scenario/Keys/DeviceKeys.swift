import Device
import Quantities
import RunPlan

/// The keys `device` and `devices`: the app's phone, and others. Without them nothing is ever
/// suspended.
enum DeviceKeys {
    static let example = "{ os: ios-17 }"
    private static let network = "network"
    private static let disk = "disk"
    static let othersShape = Shape.mapping(of: OtherAppKeys.nameShape, to: otherKeys.shape)

    static func read(_ node: YAMLNode, draft: inout ScenarioDraft) {
        var phone = PhoneDraft(before: draft.counts, knowsQueues: draft.knowsQueue)
        keys.read(node, into: &phone)
        draft.device = phone.plan
        draft.links = phone.links
        draft.outside += phone.outside
        draft.signIns += phone.signIns
        draft.count(phone, on: 0, at: node)
        checkRoom(of: draft.device, for: [draft.ownApp], in: node)
    }

    /// Reads the phones after the first.
    static func readOthers(_ node: YAMLNode, draft: inout ScenarioDraft) {
        let expectation =
            "a name for each phone beside the first, such as “tablet: { os: ios-16, "
            + "apps: … }”"
        guard let pairs = node.pairs(expected: expectation) else { return }
        for (key, value) in pairs {
            guard let name = key.plainName() else { continue }
            var phone = PhoneDraft(
                name: name, before: draft.counts, knowsQueues: draft.knowsQueue)
            otherKeys.read(value, into: &phone)
            draft.otherPhones.append(phone)
            draft.outside += phone.outside
            draft.signIns += phone.signIns
            draft.count(phone, on: draft.otherPhones.count, at: key)
            checkRoom(of: phone.plan, for: [], in: value)
            guard phone.plan.apps.isEmpty, !phone.hasUnreadApps else { continue }
            key.refuse(
                "no app is installed on “\(name)”",
                expected: "its apps under “apps”, each with files and a queue")
        }
    }

    static var shape: Shape { keys.shape }

    /// Whether a scenario names the phone's network, and so need not describe its links.
    static func namesNetwork(in root: YAMLNode) -> Bool { root["device"]?[network] != nil }

    /// Checks that files of the start fit on a phone; `apps` are on it besides those of the plan.
    private static func checkRoom(of plan: DevicePlan, for apps: [PlannedApp], in node: YAMLNode) {
        guard let capacity = plan.diskCapacity else { return }
        let files = (apps + plan.apps).flatMap(\.files).reduce(ByteCount.zero) { $0 + $1.size }
        guard files > capacity else { return }
        (node[disk] ?? node).refuse(
            "the files take \(files), but the disk has only \(capacity)",
            expected: "room for the files of all apps of the phone and for their stores: "
                + "more than \(files)")
    }

    private static let keys = KeyTable<PhoneDraft>(name: "the device", keys: ofAll)

    private static let otherKeys = KeyTable<PhoneDraft>(
        name: "another phone",
        keys: ofAll + [
            .optional(
                "links", LinkKeys.shape,
                "its own links; by default they are like those of the first phone"
            ) { node, phone in
                LinkKeys.read(node, links: &phone.links)
            }
        ])

    private static let ofAll: [KeyTable<PhoneDraft>.Key] = [
        .required(
            "os", .words(systems.map(\.name)),
            "the system, which decides what an app may do in the background",
            example: "ios-17", read: readSystem),
        .onOff(
            "background-task", "`off`: the app does not ask for time in the background",
            \.plan.asksForBackgroundTime),
        .onOff(
            "file-callbacks",
            "`off`: apps hear nothing of the files of persistent sessions, which nobody promises "
                + "(P6); an app must not count on that",
            \.plan.tellsOfPaths),
        .optional(
            network, ProfileKeys.shape,
            "both directions of its links by name; the keys of “links” override it"
        ) { node, phone in
            LinkKeys.readNetwork(node, links: &phone.links)
        },
        .optional(
            "start-time", .time,
            "how long it takes to start after a restart or a loss of power; by default "
                + "\(Device.usualStartTime)",
            example: "90 s", \.plan.startTime
        ) {
            $0.text(expected: Measure.time.expectation)?.time(expected: "at most \(longestStart)") {
                $0 > longestStart ? "a phone that takes \($0) to start" : nil
            }
        },
        .optional(
            disk, .size,
            "the room for all its apps' files and stores together; by default it is unlimited",
            example: "64 MB", \.plan.diskCapacity
        ) { $0.size() },
        .optional(
            "apps", OtherAppKeys.shape,
            "further apps beside the app of “files” and “queue”"
        ) { node, phone in
            OtherAppKeys.read(node, phone: &phone)
        },
    ]

    private static let longestStart = TimeSpan.seconds(600)

    /// Every system by its name.
    private static let systems: [(name: String, value: OperatingSystem)] =
        OperatingSystem.iOSVersions.map { ("ios-\($0)", .iOS($0)) }
        + OperatingSystem.androidVersions.map { ("android-\($0)", .android($0)) }

    private static func readSystem(_ node: YAMLNode, phone: inout PhoneDraft) {
        let (iOS, android) = (OperatingSystem.iOSVersions, OperatingSystem.androidVersions)
        let expectation =
            "a system with its version, from ios-\(iOS.lowerBound) to ios-\(iOS.upperBound) or "
            + "from android-\(android.lowerBound) to android-\(android.upperBound)"
        let system = node.text(expected: expectation)?
            .choice(among: systems, complaint: "there is no system", expected: expectation)
        guard let system else { return }
        phone.plan.system = system
    }
}

extension OtherDevice {
    var sentences: [String] {
        let system = plan.system.map { " with \($0)" } ?? ""
        let links = hasCopiedLinks ? "links like those of the first" : "links of its own"
        return ["There is another phone, “\(name)”\(system), with \(links)."]
            + plan.startSentences + plan.diskSentences
            + plan.apps.compactMap(\.name).map { "On it is “\($0)”." }
    }
}

extension DevicePlan {
    fileprivate var diskSentences: [String] {
        diskCapacity.map { ["Its disk has \($0) for the files and stores of all apps."] } ?? []
    }

    fileprivate var startSentences: [String] {
        startTime == Device.usualStartTime ? [] : ["It takes \(startTime) to start."]
    }

    var sentences: [String] {
        guard let system else { return [] }
        let time = asksForBackgroundTime ? "" : ", and asks for no time in the background"
        let deafness =
            tellsOfPaths ? [] : ["Nothing is told of the files of persistent sessions."]
        return ["The app is on a phone with \(system)\(time)."] + startSentences + diskSentences
            + deafness
            + apps.compactMap(\.name).map { "On it is “\($0)”, too." }
    }
}
