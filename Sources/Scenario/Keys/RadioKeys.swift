import LinkModels
import Quantities
import RunPlan

/// The key `radio` of an interface: what a phone's radio makes its packets wait for.
enum RadioKeys {
    static let about =
        "a radio that rests without packets and needs time to come back, by name or in detail"

    static let shape = Shape.either([.words(names), table.shape])
    private static let names = RadioDraft.all.map(\.name)

    /// Reads a name such as `lte`, or a mapping, over the links that were read before it.
    static func read(_ node: YAMLNode, into pair: inout LinkPairDraft) {
        var radio = RadioDraft()
        if case .mapping = node.content {
            table.read(node, into: &radio)
        } else {
            radio = named(node) ?? radio
        }
        pair.radio = radio
        guard let cells = radio.cells else { return }
        for link in [pair.uplink, pair.downlink].compactMap(\.self) {
            if link.schedule != nil {
                return node.refuse(
                    "cells change on a link whose rate changes anyway",
                    expected: "a constant rate of both directions, or no “hand-overs”")
            }
            if !cells.forwards, !link.queue.isDropTail {
                return node.refuse(
                    "hand-overs cannot empty a queue with a discipline",
                    expected: "“forwarding: on”, or a drop-tail queue in both directions")
            }
        }
    }

    private static func named(_ node: YAMLNode) -> RadioDraft? {
        node.choice(among: RadioDraft.all, complaint: "there is no radio")
    }

    private static let table = KeyTable<RadioDraft>(
        name: "“radio”",
        keys: [
            .optional("like", .words(names), "the radio whose figures count unless given here") {
                node, radio in
                radio = named(node) ?? radio
            },
            .optional(
                "rests", .oneOrSeveral(rests.shape),
                "the states without a connection, each deeper than the one before it; the phone "
                    + "begins in the last one",
                example: "[{ after: 11.6 s, promotion: 260 ms, paging: 1280 ms }]",
                read: readRests),
            .optional(
                "sleep", sleep.shape,
                "how the phone listens only now and then while it is connected (DRX)",
                example: "{ after: 100 ms, cycle: 40 ms, awake: 1 ms }", read: readSleep),
            .optional(
                "grant", grant.shape, "how the phone asks before it sends after a pause",
                example: "{ every: 10 ms, takes: 8 ms }", read: readGrant),
            .optional(
                "repetition", repetition.shape,
                "blocks that arrive damaged and are sent again (HARQ), so that their packets and "
                    + "all behind them come later",
                example: "{ chance: 10 %, by: 8 ms }", read: readRepetition),
            .optional(
                "hand-overs", handOvers.shape,
                "changes of the cell, each with a gap in which nothing passes",
                example: "{ every: 30 s, gap: 50 ms, forwarding: off }", read: readHandOvers),
        ])

    // MARK: Rests

    private struct RestDraft {
        var after: TimeSpan?
        var promotion: TimeSpan?
        var paging = TimeSpan.zero
    }

    private static func readRests(_ node: YAMLNode, radio: inout RadioDraft) {
        let known = node.mistakes.count
        let drafts = node.oneOrSeveral.map { item in
            var draft = RestDraft()
            rests.read(item, into: &draft)
            return draft
        }
        let plans = drafts.compactMap { draft in
            both(draft.after, draft.promotion).map {
                RadioPlan.Rest(after: $0, promotion: $1, paging: draft.paging)
            }
        }
        let deepens = zip(plans, plans.dropFirst()).allSatisfy {
            $0.after < $1.after && $0.promotion <= $1.promotion && $0.paging <= $1.paging
        }
        if !deepens, node.mistakes.count == known {
            return node.refuse(
                "a rest is less deep than the one before it",
                expected: "rests that begin later and whose “promotion” and “paging” are no "
                    + "shorter than those of the rest before")
        }
        radio.plan.rests = plans
    }

    private static let rests = KeyTable<RestDraft>(
        name: "a rest",
        keys: [
            .required(
                "after", .time, "how long no packet came before it begins", example: "11.6 s",
                \.after, read: DelayKeys.delay),
            .required(
                "promotion", .time, "how long the phone needs to come back", example: "260 ms",
                \.promotion, read: DelayKeys.delay),
            .optional(
                "paging", .time,
                "how often the phone hears that something has come for it; by default always",
                example: "1280 ms", \.paging, read: DelayKeys.delay),
        ])

    // MARK: The connected phone

    private static let sleep = DelayKeys.spans(
        of: "“sleep”",
        [
            ("after", "how long no packet came before the phone sleeps", "100 ms"),
            ("cycle", "how often it listens", "40 ms"),
            ("awake", "how long it listens each time", "1 ms"),
        ])

    private static func readSleep(_ node: YAMLNode, radio: inout RadioDraft) {
        var spans: [String: TimeSpan] = [:]
        sleep.read(node, into: &spans)
        guard let after = spans["after"], let cycle = spans["cycle"], let awake = spans["awake"]
        else { return }
        guard cycle > .zero, awake <= cycle else {
            return node.refuse(
                "a phone cannot listen for \(awake) once in \(cycle)",
                expected: "a cycle above 0 s that is no shorter than “awake”")
        }
        radio.plan.sleep = .init(after: after, cycle: cycle, awake: awake)
    }

    private static let grant = DelayKeys.spans(
        of: "“grant”",
        [
            ("every", "how often the phone can ask", "10 ms"),
            ("takes", "how long it then waits", "8 ms"),
        ])

    private static func readGrant(_ node: YAMLNode, radio: inout RadioDraft) {
        var spans: [String: TimeSpan] = [:]
        grant.read(node, into: &spans)
        radio.plan.grant = both(spans["every"], spans["takes"]).map { .init(every: $0, takes: $1) }
    }

    private struct RepetitionDraft {
        var chance: Probability?
        var by: TimeSpan?
    }

    private static func readRepetition(_ node: YAMLNode, radio: inout RadioDraft) {
        var draft = RepetitionDraft()
        repetition.read(node, into: &draft)
        radio.repetition = both(draft.chance, draft.by).map { .init(chance: $0, by: $1) }
    }

    private static let repetition = KeyTable<RepetitionDraft>(
        name: "“repetition”",
        keys: [
            .required(
                "chance", .percentage, "how many sendings of a block fail", example: "10 %",
                \.chance
            ) { $0.chance() },
            .required(
                "by", .time, "how much later it is sent again", example: "8 ms", \.by,
                read: DelayKeys.delay),
        ])

    // MARK: Cells

    private struct HandOversDraft {
        var every: TimeSpan?
        var gap: TimeSpan?
        var forwards = true
    }

    private static func readHandOvers(_ node: YAMLNode, radio: inout RadioDraft) {
        var draft = HandOversDraft()
        handOvers.read(node, into: &draft)
        guard let every = draft.every, let gap = draft.gap else { return }
        guard every >= shortestStay else {
            return node.refuse(
                "a cell that changes every \(every)", expected: "\(shortestStay) or more")
        }
        radio.cells = CellChanges(every: every, gap: gap, forwards: draft.forwards)
        if radio.cells == nil {
            node.refuse(
                "a gap of \(gap) every \(every) leaves no time to send",
                expected: "a gap that is shorter than “every”")
        }
    }

    /// Far less than any phone stays in a cell; each change takes time to play.
    private static let shortestStay = TimeSpan.milliseconds(10)

    private static let handOvers = KeyTable<HandOversDraft>(
        name: "“hand-overs”",
        keys: [
            .required(
                "every", .time, "the time from one change of the cell to the next", example: "30 s",
                \.every, read: DelayKeys.delay),
            .required(
                "gap", .time, "how long nothing passes", example: "50 ms", \.gap,
                read: DelayKeys.delay),
            .onOff(
                "forwarding",
                "`off`: what waits in the old cell is lost; otherwise the new cell gets it",
                \.forwards),
        ])
}

extension InterfacePlan {
    /// A sentence about the radio, if it makes packets wait.
    var radioSentences: [String] {
        let way = uplink.name.split(separator: "/").dropLast().joined(separator: "/")
        let name = "The radio\(way.isEmpty ? "" : " of \(way)")"
        let rests = (radio?.rests ?? []).map { rest in
            let paging = rest.paging > .zero ? ", and is paged every \(rest.paging)" : ""
            return "\(name) rests after \(rest.after) without a packet, needs \(rest.promotion) to "
                + "come back\(paging)."
        }
        let sleep = radio?.sleep.map {
            "\(name) sleeps after \($0.after) without a packet, and then listens for \($0.awake) "
                + "every \($0.cycle)."
        }
        let grant = radio?.grant.map {
            "Before it sends after a pause, the phone asks, which it can every \($0.every), and "
                + "waits \($0.takes)."
        }
        let cells = uplink.cells.map {
            "The cell changes every \($0.every), with a gap of \($0.gap); what waits is "
                + ($0.forwards ? "forwarded." : "lost.")
        }
        return rests + [sleep, grant, cells].compactMap(\.self)
    }
}
