import RunLog
import RunPlan

/// What a number of an item counts.
enum Numbering: Sendable {
    /// The items of all apps: in a timeline, and in what is expected.
    case file
    /// The items of one app, in its rules. A scenario writes them as the whole file counts them.
    case app
}

extension Facade {
    /// One item in a sentence, such as `a task`.
    fileprivate var one: String {
        switch self {
        case .queue: "a session"
        case .operations: "an operation"
        case .background: "a task"
        case .bucket: "a transfer"
        }
    }

    /// The key of an app for the façade's items.
    var key: String {
        switch self {
        case .queue: "queue"
        case .operations: OperationKeys.name
        case .background: BackgroundKeys.name
        case .bucket: ResumableKeys.name
        }
    }

    /// The origin of items in a sentence, such as `tasks under “background”`.
    fileprivate var origin: String {
        switch self {
        case .queue: "sessions under “\(key)”"
        case .operations: "uploads under “\(key)”"
        case .background: "tasks under “\(key)”"
        case .bucket: "transfers under “\(key)”"
        }
    }
}

extension ScenarioDraft {
    /// Returns the item with this number.
    func item(_ facade: Facade, _ words: PlacedText, by numbering: Numbering) -> ItemName? {
        switch numbering {
        case .file: any(facade, words)
        case .app: own(facade, words)
        }
    }

    /// Returns the item with this number in the file.
    func any(_ facade: Facade, _ words: PlacedText) -> ItemName? {
        let expectation = "the number of \(facade.one), counted from 1"
        guard let number = words.count(expectation), let count = count(of: facade) else {
            return nil
        }
        guard number > 0, number <= count else {
            let expected =
                switch count {
                case 0: facade.origin
                case 1: "\(facade.rawValue) 1, the only one"
                default: "one of \(facade.rawValue)s 1 to \(count)"
                }
            return words.refuse("there is no \(facade.rawValue) \(number)", expected: expected)
        }
        return ItemName(number, of: facade)
    }

    /// Returns the item with this number in the app's own count.
    func own(_ facade: Facade, _ words: PlacedText) -> ItemName? {
        let knowsBefore = facade != .queue || knowsQueuesBefore
        guard knowsBefore, before[facade] > 0 else { return any(facade, words) }
        let expectation = "the number of \(facade.one), as the whole file counts them"
        guard let number = words.count(expectation), let count = count(of: facade) else {
            return nil
        }
        let (first, last) = (before[facade] + 1, before[facade] + count)
        guard number >= first, number <= last else {
            let expected =
                switch count {
                case 0: "\(facade.origin) of this app"
                case 1: "\(facade.rawValue) \(last), its only one"
                default: "one of \(facade.rawValue)s \(first) to \(last)"
                }
            return words.refuse("this app has no \(facade.rawValue) \(number)", expected: expected)
        }
        return ItemName(number - before[facade], of: facade)
    }

    /// The number of items of a façade, readable or not; `nil` without a list.
    private func count(of facade: Facade) -> UInt64? {
        facade == .queue && !knowsQueue ? nil : counts[facade]
    }

    /// The sessions that numbers count.
    func sessions(by numbering: Numbering) -> [PlannedSession] {
        switch numbering {
        case .file: apps.flatMap(\.sessions)
        case .app: sessions
        }
    }
}
