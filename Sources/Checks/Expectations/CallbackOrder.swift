import RunLog

/// `session N is told will activate before did start file`: both callbacks come, and the first of
/// one kind comes before the first of the other.
struct CallbackOrder: Expectation {
    let session: ItemName
    let first: CallbackName
    let second: CallbackName

    var watch = Watch()
    var heard: Set<CallbackName> = []

    var statement: String {
        "\(session) is told \(first.rawValue) before \(second.rawValue)"
    }

    mutating func read(_ event: RunEvent) {
        switch event.fact {
        case .queue(.callback(session, let callback)):
            let name = CallbackName(callback)
            heard.insert(name)
            guard name == second, !heard.contains(first) else { return }
            watch.fall(expected: statement, seen: "\(name.rawValue) comes first")
        case .run(.ended):
            for missing in [first, second] where !heard.contains(missing) {
                watch.fall(expected: statement, seen: "\(missing.rawValue) never comes")
            }
        default: break
        }
    }
}
