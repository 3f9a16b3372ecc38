import Checks
import Quantities
import RunLog

/// Tasks, upload operations or resumable transfers, which are spoken of by their numbers: a file
/// counts those of all apps, and an app its own.
struct NumberedItems {
    let facade: Facade
    /// `a task`, in a sentence.
    let one: String
    /// `tasks under “background”`: where they would have to be.
    let origin: String
    /// How many are counted before those of this app.
    let before: Int
    let count: Int

    /// One of the file, if there is one of this number.
    func any(_ words: PlacedText, _ mistakes: inout Mistakes) -> ItemName? {
        let expectation = "the number of \(one), counted from 1"
        guard let number = mistakes.count(words, expectation) else { return nil }
        guard (1...UInt64(max(count, 1))).contains(number), count > 0 else {
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

    /// One of this app, as the app itself counts it.
    func own(_ words: PlacedText, _ mistakes: inout Mistakes) -> ItemName? {
        let expectation = "the number of \(one), as the whole file counts them"
        guard let number = mistakes.count(words, expectation) else { return nil }
        let (first, last) = (before + 1, before + count)
        guard number >= UInt64(first), number <= UInt64(last) else {
            let expected =
                switch count {
                case 0: "\(origin) of this app"
                case 1: "\(facade.rawValue) \(last), its only one"
                default: "one of \(facade.rawValue)s \(first) to \(last)"
                }
            mistakes.add(
                "\(facade.rawValue) \(number) is none of this app", at: words.place,
                expected: expected)
            return nil
        }
        return ItemName(number - UInt64(before), of: facade)
    }
}

extension ScenarioDraft {
    /// What is expected of an item by a time; both are looked at, so that all mistakes are told.
    func timed(
        _ item: ItemName?, _ words: PlacedText, _ mistakes: inout Mistakes,
        _ plan: (ItemName, TimeSpan) -> ExpectationPlan
    ) -> ExpectationPlan? {
        guard let time = reachable(words, mistakes: &mistakes), let item else { return nil }
        return plan(item, time)
    }

    var tasks: NumberedItems {
        NumberedItems(
            facade: .background, one: "a task", origin: "tasks under “\(BackgroundKeys.name)”",
            before: tasksBefore, count: taskCount)
    }

    var transfers: NumberedItems {
        NumberedItems(
            facade: .bucket, one: "a transfer", origin: "transfers under “\(ResumableKeys.name)”",
            before: transfersBefore, count: transferCount)
    }

    var operations: NumberedItems {
        NumberedItems(
            facade: .operations, one: "an operation",
            origin: "uploads under “\(OperationKeys.name)”", before: operationsBefore,
            count: operationCount)
    }
}
