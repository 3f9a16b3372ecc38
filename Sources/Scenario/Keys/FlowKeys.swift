import Device
import LinkModels
import Protocols
import Quantities
import RunLog
import RunPlan

/// The key `flows`: bulk flows by names, which expectations measure.
enum FlowKeys {
    static let name = "flows"
    static let shape = Shape.mapping(of: OtherAppKeys.nameShape, to: keys.shape)
    static let example = "{ probe: { from: phone, for: 30 s, controller: cubic } }"

    static func read(_ node: YAMLNode, draft: inout ScenarioDraft) {
        guard let pairs = node.pairs(expected: "flows by their names, such as \(example)") else {
            draft.flowNames = nil
            return
        }
        draft.flowNames = pairs.map(\.key.text)
        for (key, value) in pairs {
            let known = node.mistakes.count
            var flow = FlowDraft()
            keys.read(value, into: &flow)
            guard let name = key.plainName(), node.mistakes.count == known else { continue }
            if draft.linkNames?.contains(name) == true {
                key.refuse(
                    "“\(name)” is the name of a link", expected: "another name for the flow")
            }
            flow.check(value, in: draft)
            guard node.mistakes.count == known, let way = way(of: flow, at: value, in: draft)
            else { continue }
            draft.flows.append(flow.plan(name, on: way, in: draft.tcp))
        }
        checkCount(node, of: draft)
        checkEnd(node, of: draft)
    }

    // MARK: Checks of all flows

    private static func checkCount(_ node: YAMLNode, of draft: ScenarioDraft) {
        let count = draft.flows.reduce(UInt64(0)) { $0 + $1.expectedCount }
        guard count > mostFlows else { return }
        node.refuse(
            "these are about \(count) flows in all", expected: "at most \(mostFlows) flows")
    }

    /// Reports that a run with nothing but flows never ends.
    private static func checkEnd(_ node: YAMLNode, of draft: ScenarioDraft) {
        guard draft.hasNothingElse, !draft.flows.isEmpty, draft.timeline.isEmpty,
            draft.flows.allSatisfy({ $0.length == nil && $0.until == nil })
        else { return }
        node.refuse(
            "nothing ends this run: all flows go on for ever",
            expected: "“for” or “bytes” of one flow at least, such as for: 30 s")
    }

    // MARK: The way of a flow

    private typealias Way = (direction: CrossTraffic.Direction, interface: Int)

    private static func way(
        of flow: FlowDraft, at node: YAMLNode, in draft: ScenarioDraft
    ) -> Way? {
        guard let from = flow.from else { return nil }
        let isUp = from.text != server
        let end = isUp ? from : flow.to ?? from.saying(phone)
        if let to = flow.to, (to.text == server) != isUp {
            return to.refuse(
                "a flow from \(from.text) to \(to.text) crosses no link",
                expected: "a phone on one side and \(server) on the other")
        }
        let phones = [phone] + draft.otherPhones.map(\.name)
        guard let number = phones.firstIndex(of: end.text) else {
            return end.refuse(
                "there is no phone “\(end.text)”", expected: "\(server), \(phones.list)",
                among: phones + [server])
        }
        let first = draft.firstInterface(of: number)
        guard let kinds = draft.links(of: number).kinds, let first else { return nil }
        let place: Int?
        if let kind = flow.interface {
            place = kinds.firstIndex { $0.rawValue == kind.text }
            if place == nil {
                return kind.refuse(
                    "the phone has no “\(kind.text)”",
                    expected: kinds == [.line]
                        ? "no “interface”, as the phone has only one"
                        : kinds.map(\.rawValue).list)
            }
        } else {
            place = kinds.count == 1 ? 0 : nil
        }
        guard let place else {
            return node.refuse(
                "the phone has \(kinds.map(\.rawValue).list)",
                expected: "“interface: \(kinds[0].rawValue)”, or another of them")
        }
        return (isUp ? .uplink : .downlink, first + place)
    }

    private static let phone = "phone"
    private static let server = "server"

    // MARK: The keys

    private static let keys = KeyTable<FlowDraft>(
        name: "a flow",
        keys: [
            .required(
                "from", end, "who sends: `phone`, the name of another phone, or `server`",
                example: phone, \.from
            ) { $0.text(expected: "phone or server") },
            .optional(
                "to", end,
                "who receives; by default the server, or the first phone from the "
                    + "server", \.to
            ) { $0.text(expected: "phone or server") },
            .optional(
                "interface", .words([InterfaceKind.wifi, .cellular].map(\.rawValue)),
                "the phone's interface, if it has several", \.interface
            ) { $0.text(expected: "wifi or cellular") },
            .optional(
                "bytes", .size, "how much each flow sends; the run lasts until all is sent",
                example: "10 MB", \.length
            ) { node in
                let expectation = Measure.size.expectation
                return node.text(expected: expectation)?.size(expected: expectation) {
                    $0 > .zero ? nil : "a flow that sends nothing"
                }
            },
            .optional(
                "for", .time,
                "how long it sends, or flows arrive; the run lasts that long, and what is still "
                    + "under way then is no mistake", example: "30 s", \.time, read: span),
            .optional("starts", .time, "when it begins; by default at once", \.starts) {
                $0.time()
            },
            .optional(
                "controller", .choice(of: TCPSettings.Controller.self),
                "its congestion controller; by default that of its side under `tcp`", \.controller
            ) { $0.choice(complaint: TCPKeys.complaint) },
            .optional(
                "paced", paced.shape,
                "the paced transport instead of TCP, with the rates that its sender may choose",
                example: "{ policy: fair }"
            ) { node, flow in
                var draft = PacedDraft()
                paced.read(node, into: &draft)
                draft.check(node)
                flow.paced = draft.settings
            },
            .optional(
                "delay", .time,
                "how much further away its server is, each way: flows of different round trips "
                    + "share a link", example: "20 ms", \.delay, read: DelayKeys.delay),
            .optional("count", .number, "the number of such flows, by default 1", \.count) {
                let expectation = "a number of flows from 1 to \(mostFlows)"
                return $0.count(in: 1...mostFlows, expectation) { "\($0) flows" }
            },
            .optional(
                "arrivals", arrivals.shape,
                "flows that keep arriving, each with its `bytes`, for the time of `for`",
                example: "{ every: 2 s }"
            ) { node, flow in
                arrivals.read(node, into: &flow.arrivals)
                flow.hasArrivals = true
            },
        ])

    private static let end = Shape.matching("[a-z0-9-]+", example: phone)
    private static let mostFlows: UInt64 = 1_000

    private static let arrivals = KeyTable<FlowDraft.Arrivals>(
        name: "“arrivals”",
        keys: [
            .optional("every", .time, "the time from one to the next", \.every, read: gap),
            .optional(
                "mean", .time, "the mean time from one to the next, drawn for a Poisson process",
                example: "2 s", \.mean, read: gap),
        ])

    private static let paced = KeyTable<PacedDraft>(
        name: "“paced”",
        keys: [
            .optional(
                "policy", .choice(of: PacedPolicy.self),
                "`fixed` sends at the target whatever happens, `high` takes about twice a fair "
                    + "share, `fair` shares equally, which is the default, and `low` takes only "
                    + "what others leave", \.policy
            ) { $0.choice(complaint: "there is no policy") },
            .optional(
                "target", .rate, "the highest rate, in bytes of IP packets",
                example: "50 Mbit/s", \.target
            ) { $0.rate() },
            .optional(
                "minimum", .rate, "the rate below which it never goes",
                example: "1 Mbit/s", \.minimum
            ) { $0.rate() },
        ])

    /// Rates of the paced transport while they are read.
    private struct PacedDraft {
        var policy: PacedPolicy?
        var target: Bitrate?
        var minimum: Bitrate?

        /// Reports rates that do not go together.
        func check(_ node: YAMLNode) {
            if policy == .fixed, target == nil {
                node.refuse(
                    "a flow with a fixed rate needs one", expected: "“target”, such as 50 Mbit/s")
            }
            if let minimum, let target, minimum > target {
                (node["minimum"] ?? node).refuse(
                    "\(minimum) is more than the target of \(target)",
                    expected: "at most the target")
            }
        }

        var settings: PacedSettings {
            PacedSettings(
                policy: policy ?? .fair, target: target ?? PacedSettings.highestTarget,
                minimum: minimum ?? PacedSettings.lowestMinimum)
        }
    }

    private static func gap(_ node: YAMLNode) -> TimeSpan? {
        node.text(expected: Measure.time.expectation)?.time(expected: "at least 1 ms") {
            $0 < .milliseconds(1) ? "flows that arrive every \($0)" : nil
        }
    }

    private static func span(_ node: YAMLNode) -> TimeSpan? {
        node.text(expected: Measure.time.expectation)?.time(expected: "more than 0 s") {
            $0 > .zero ? nil : "a flow that sends for no time"
        }
    }
}

/// A flow while it is read.
private struct FlowDraft {
    var from: PlacedText?
    var to: PlacedText?
    var interface: PlacedText?
    var length: ByteCount?
    var time: TimeSpan?
    var starts = TimeSpan.zero
    var controller: TCPSettings.Controller?
    var paced: PacedSettings?
    var delay = TimeSpan.zero
    var count: UInt64 = 1
    var arrivals = Arrivals()
    var hasArrivals = false

    struct Arrivals {
        var every: TimeSpan?
        var mean: TimeSpan?
    }

    /// Reports keys that do not go together.
    func check(_ node: YAMLNode, in draft: ScenarioDraft) {
        if hasArrivals {
            if length == nil || time == nil {
                node.refuse(
                    "“arrivals” goes on for ever, or with flows that never end",
                    expected: "“bytes” of each flow and “for” of all arrivals beside it")
            }
            if (arrivals.every == nil) == (arrivals.mean == nil) {
                (node["arrivals"] ?? node).refuse(
                    "“arrivals” says the time from one to the next once",
                    expected: "either “every” or “mean”")
            }
        } else if length != nil, time != nil {
            node.refuse(
                "a flow ends by “bytes” or by “for”", expected: "one of them, or “arrivals”")
        }
        if paced != nil, controller != nil {
            (node["controller"] ?? node).refuse(
                "the paced transport has no congestion controller",
                expected: "either “paced” or “controller”")
        }
        if let time, starts + time > draft.limit {
            (node["for"] ?? node).refuse(
                "the flow sends until \(starts + time), and the run ends at its limit of "
                    + "\(draft.limit)",
                expected: "a shorter time, or a longer “limit”")
        }
    }

    func plan(
        _ name: String, on way: (direction: CrossTraffic.Direction, interface: Int),
        in tcp: TCPSettings
    ) -> FlowGroup {
        let ofSide = way.direction == .uplink ? tcp.clientController : tcp.serverController
        var plan = FlowGroup(
            way.direction, count: Int(count),
            controller: controller ?? ofSide ?? tcp.controller, from: starts, length: length,
            interface: way.interface)
        plan.name = name
        plan.paced = paced
        plan.until = time.map { starts + $0 }
        plan.delay = delay
        if let gap = arrivals.every { plan.arrivals = .init(gap: gap, gaps: .fixed) }
        if let gap = arrivals.mean { plan.arrivals = .init(gap: gap, gaps: .exponential) }
        return plan
    }
}

extension FlowGroup {
    /// The number of flows, or its mean.
    fileprivate var expectedCount: UInt64 {
        guard let arrivals, let until else { return UInt64(count) }
        let times = (until - from).nanoseconds / arrivals.gap.nanoseconds + 1
        return UInt64(count) * UInt64(times)
    }
}

extension ScenarioDraft {
    /// Returns the keys that a scenario with flows need not have: files and a queue.
    mutating func givenBesideFlows(in node: YAMLNode) -> [String] {
        guard node[FlowKeys.name] != nil else { return [] }
        guard node["files"] == nil, node[Facade.queue.key] == nil else { return [] }
        filePaths = []
        sessionCount = 0
        destinations = []
        return ["files", Facade.queue.key]
    }

    /// Whether no app has anything to do.
    fileprivate var hasNothingElse: Bool { apps.allSatisfy { $0.counts == ItemCounts() } }

    /// Returns the number of a phone's first interface; `nil` if links are incomplete.
    fileprivate func firstInterface(of phone: Int) -> Int? {
        let counts = (0..<phone).compactMap { links(of: $0).kinds?.count }
        return counts.count == phone ? counts.reduce(0, +) : nil
    }

    /// The names of all links; `nil` if links are incomplete.
    fileprivate var linkNames: [String]? {
        guard let first = links.interfaces(), let others = otherDevices else { return nil }
        return (first + others.flatMap(\.interfaces)).flatMap {
            [$0.uplink.name, $0.downlink.name]
        }
    }

    /// Returns the name of the link over which a flow sends; `nil` if it is not known.
    func linkName(of flow: String) -> String? {
        guard let group = flows.first(where: { $0.name == flow }), let names = linkNames else {
            return nil
        }
        return names[2 * group.interface + (group.direction == .uplink ? 0 : 1)]
    }

    /// Reads the name of a flow.
    func flow(_ words: PlacedText) -> String? {
        guard let names = flowNames, !names.contains(words.text) else { return words.text }
        return words.refuse(
            "there is no flow “\(words.text)”",
            expected: names.isEmpty
                ? "a name under “flows”, such as flows: \(FlowKeys.example)"
                : "a name under “flows”: \(names.list)", among: names)
    }

    /// Reads the name of a link.
    func link(_ words: PlacedText) -> String? {
        guard let names = linkNames, !names.contains(words.text) else { return words.text }
        return words.refuse(
            "there is no link “\(words.text)”", expected: names.list, among: names)
    }
}
