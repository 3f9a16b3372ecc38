import RunLog

/// `session N is told will activate before did start file`: both callbacks come, and the first of
/// one kind comes before the first of the other.
struct CallbackOrder: Check {
    let rule: String
    let place: String?
    private let session: ItemName
    private let first: CallbackName
    private let second: CallbackName

    private var watch = Watch()
    private var heard: Set<CallbackName> = []

    init(
        _ session: ItemName, _ first: CallbackName, before second: CallbackName, words: String,
        place: String
    ) {
        self.session = session
        self.first = first
        self.second = second
        rule = words
        self.place = place
    }

    var statement: String {
        "\(session) is told \(first.rawValue) before \(second.rawValue)"
    }

    mutating func read(_ event: RunEvent) {
        watch.step(to: event)
        switch event.fact {
        case .queue(.callback(session, let callback)):
            let name = CallbackName(callback)
            heard.insert(name)
            guard name == second, !heard.contains(first) else { return }
            watch.fall(expected: statement, seen: "\(name.rawValue) comes first")
        case .run(.ended):
            guard let missing = [first, second].first(where: { !heard.contains($0) }) else {
                return
            }
            watch.fall(expected: statement, seen: "\(missing.rawValue) never comes")
        default: break
        }
    }

    func verdict() -> Verdict.Answer { watch.answer(notApplicableBecause: watch.missingEnd) }
}
