import Reports
import RunLog

/// A comparison of a simulated run with a live run or a recording. Times, packets and connections
/// always differ, but the callbacks and the server's actions can be the same.
struct WorldDifference {
    let isEqual: Bool
    let lines: [String]

    /// The source of an event. Only the events of one actor have a fixed order.
    private enum Actor: Hashable {
        case queue(of: UInt16?)
        /// An actor of its own, because the system runs many tasks at once.
        case task(ItemName)
        case backgroundSessions(of: UInt16?)
        case server
    }

    private struct Deed {
        var number: Int
        var event: RunEvent
        var words: String
    }

    /// The number of common deeds to show before the difference.
    private static let context = 2

    init(_ left: [RunEvent], _ right: [RunEvent], of beginnings: [RunBeginning]) {
        let deeds = [Self.deeds(in: left), Self.deeds(in: right)]
        let names = beginnings.map { $0.names ?? RunNames() }
        var actors: [Actor] = []
        for (actor, _) in deeds[0] + deeds[1] where !actors.contains(actor) { actors.append(actor) }
        var lines = [
            "The runs come from different worlds, \(beginnings[0].world) and "
                + "\(beginnings[1].world): times, offsets, packets and connections differ.",
            "Only the order of the apps' callbacks and the order of the server's actions are "
                + "compared.",
        ]
        var isEqual = true
        for actor in actors {
            let one = deeds[0].filter { $0.0 == actor }.map(\.1)
            let other = deeds[1].filter { $0.0 == actor }.map(\.1)
            let common = zip(one, other).prefix { $0.words == $1.words }.count
            let whose = Self.words(for: actor, names[0])
            guard common < max(one.count, other.count) else {
                lines.append("\(whose): the same \(common) events.")
                continue
            }
            isEqual = false
            lines.append("\(whose): the first \(common) events are the same, then they differ.")
            for deed in one[max(0, common - Self.context)..<common] {
                lines.append("    \(deed.number)  \(deed.event.line(names[0]))")
            }
            for (mark, list, names) in [("<", one, names[0]), (">", other, names[1])] {
                let deed = common < list.count ? list[common] : nil
                let words = deed.map { "\($0.number)  \($0.event.line(names))" }
                lines.append("  \(mark) \(words ?? "(nothing more)")")
            }
        }
        self.lines = lines
        self.isEqual = isEqual
    }

    private static func deeds(in log: [RunEvent]) -> [(Actor, Deed)] {
        log.enumerated().compactMap { number, event in
            guard let words = event.fact.wordsInAnyWorld else { return nil }
            let deed = Deed(number: number, event: event, words: words)
            return switch event.fact {
            case .server: (.server, deed)
            case .background(.callback(let task, _)): (.task(task), deed)
            case .background: (.backgroundSessions(of: event.app), deed)
            default: (.queue(of: event.app), deed)
            }
        }
    }

    private static func words(for actor: Actor, _ names: RunNames) -> String {
        switch actor {
        case .queue(let app): "Queue" + (names.app(app).map { " of \($0)" } ?? "")
        case .task(let task): task.description.prefix(1).uppercased() + task.description.dropFirst()
        case .backgroundSessions(let app):
            "Background sessions" + (names.app(app).map { " of \($0)" } ?? "")
        case .server: "Server"
        }
    }
}

extension Fact {
    /// The fact without what depends on the world; `nil` if nothing is left.
    fileprivate var wordsInAnyWorld: String? {
        switch self {
        case .server(let fact): fact.wordsInAnyWorld
        case .background(.callback(_, let callback)): callback.wordsInAnyWorld
        default: facade == nil || progress != nil ? nil : sentence
        }
    }
}

extension TaskCallback {
    fileprivate var wordsInAnyWorld: String? {
        switch self {
        case .didSendBodyData, .didWriteData: nil
        case .didResume: "did resume"
        case .didFinishDownloading, .didComplete: sentence
        }
    }
}

extension ServerFact {
    fileprivate var wordsInAnyWorld: String? {
        switch self {
        case .created, .published, .discarded, .removed, .lost, .leftOver, .faultSwitched: sentence
        case .appendBegan(let resource, _, _): "an append to \(resource) begins"
        case .appendEnded(let resource, _, let complete):
            "the append to \(resource) ends\(complete ? ", complete" : "")"
        case .refused(let method, let target, let status, _):
            "\(method) \(target) is refused with \(status)"
        case .fault(let name, _, _, _, _): "fault \(name)"
        case .acknowledged, .reading, .readingBroken, .connected, .disconnected, .answered,
            .listening, .statusShown, .visited, .visitAnswered, .visitUnanswered:
            nil
        }
    }
}
