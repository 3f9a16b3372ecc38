import RunLog

/// A comparison of a simulated run with a live run or a recording. Times, packets and connections
/// always differ, but the callbacks and the server's actions can be the same.
struct WorldDifference {
    /// The deeds of each actor.
    let courses: [ComparedCourse]

    /// The source of an event. Only the events of one actor have a fixed order.
    private enum Actor: Hashable {
        case queue(of: UInt16?)
        /// An actor of its own, because the system runs many tasks at once.
        case task(ItemName)
        case backgroundSessions(of: UInt16?)
        case server
    }

    init(_ left: [RunEvent], _ right: [RunEvent], of beginnings: [RunBeginning]) {
        let names = beginnings.map { $0.names ?? RunNames() }
        let deeds = [Self.deeds(in: left, names[0]), Self.deeds(in: right, names[1])]
        var actors: [Actor] = []
        for (actor, _) in deeds[0] + deeds[1] where !actors.contains(actor) { actors.append(actor) }
        courses = actors.map { actor in
            ComparedCourse(
                of: Self.words(for: actor, names[0]),
                deeds[0].filter { $0.0 == actor }.map(\.1),
                deeds[1].filter { $0.0 == actor }.map(\.1))
        }
    }

    private static func deeds(
        in log: [RunEvent], _ names: RunNames
    ) -> [(Actor, ComparedCourse.Deed)] {
        log.enumerated().compactMap { number, event in
            guard let words = event.fact.wordsInAnyWorld else { return nil }
            let deed = ComparedCourse.Deed(
                line: .init(event: number, words: event.line(names)), words: words)
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
        case .didReceiveData, .didFinishDownloading, .didComplete: sentence
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
        case .tokenIssued(let user, _): "a token for \(user)"
        case .credentialRefused(let user, _, let method, let target):
            "\(method) \(target) is refused to \(user ?? "nobody known here")"
        case .acknowledged, .reading, .readingBroken, .connected, .disconnected, .answered,
            .listening, .statusShown, .certificateKept, .visited, .visitAnswered, .visitUnanswered:
            nil
        }
    }
}
