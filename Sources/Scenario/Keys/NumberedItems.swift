import Checks
import Quantities
import RunLog

/// The items of one façade by number: a file counts those of all apps, an app its own.
struct NumberedItems {
    let facade: Facade
    /// One item in a sentence, such as `a task`.
    let one: String
    /// Their origin in a sentence, such as `tasks under “background”`.
    let origin: String
    /// The number of items before this app's, and of all; `nil` if unreadable.
    let before: UInt64?
    let count: UInt64?

    /// Returns the item with this number in the file.
    func any(_ words: PlacedText, _ mistakes: inout Mistakes) -> ItemName? {
        let expectation = "the number of \(one), counted from 1"
        guard let number = mistakes.count(words, expectation), let count else { return nil }
        guard number > 0, number <= count else {
            let expected =
                switch count {
                case 0: origin
                case 1: "\(facade.rawValue) 1, the only one"
                default: "one of \(facade.rawValue)s 1 to \(count)"
                }
            mistakes.add(
                "there is no \(facade.rawValue) \(number)", at: words.place, expected: expected)
            return nil
        }
        return ItemName(number, of: facade)
    }

    /// Returns the item with this number in the app's own count.
    func own(_ words: PlacedText, _ mistakes: inout Mistakes) -> ItemName? {
        guard let before, before > 0 else { return any(words, &mistakes) }
        let expectation = "the number of \(one), as the whole file counts them"
        guard let number = mistakes.count(words, expectation), let count else { return nil }
        let (first, last) = (before + 1, before + count)
        guard number >= first, number <= last else {
            let expected =
                switch count {
                case 0: "\(origin) of this app"
                case 1: "\(facade.rawValue) \(last), its only one"
                default: "one of \(facade.rawValue)s \(first) to \(last)"
                }
            mistakes.add(
                "this app has no \(facade.rawValue) \(number)",
                at: words.place,
                expected: expected)
            return nil
        }
        return ItemName(number - before, of: facade)
    }
}

extension ScenarioDraft {
    /// Makes an expectation of an item and a time; checks both, so that all mistakes are told.
    func timed(
        _ item: ItemName?, _ words: PlacedText, _ mistakes: inout Mistakes,
        _ plan: (ItemName, TimeSpan) -> ExpectationPlan
    ) -> ExpectationPlan? {
        guard let time = reachable(words, mistakes: &mistakes), let item else { return nil }
        return plan(item, time)
    }

    func items(_ facade: Facade) -> NumberedItems {
        let (one, origin) =
            switch facade {
            case .queue: ("a session", "sessions under “queue”")
            case .operations: ("an operation", "uploads under “\(OperationKeys.name)”")
            case .background: ("a task", "tasks under “\(BackgroundKeys.name)”")
            case .bucket: ("a transfer", "transfers under “\(ResumableKeys.name)”")
            }
        return NumberedItems(
            facade: facade, one: one, origin: origin,
            before: facade == .queue && sessionsBefore == nil ? nil : before[facade],
            count: facade == .queue && sessionCount == nil ? nil : counts[facade])
    }
}
