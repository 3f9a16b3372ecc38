import Checks
import Quantities
import RunLog

/// Picks the events of a log that explain why a rule failed, and says them in the words of the
/// rule's subject.
protocol BreachStory {
    /// Reads an event of the log, up to the breach.
    mutating func read(_ event: RunEvent, index: Int)
    /// The reasons, in the order of the log.
    var reasons: [BreachCause.Reason] { get }
}

extension RuleSubject {
    func story(of breach: Breach, _ names: RunNames) -> any BreachStory {
        let words = "\(breach.expected) \(breach.seen)"
        return switch self {
        case .content: ContentStory(of: words, names)
        case .repetition: RepetitionStory(names)
        case .order: ItemStory(of: CauseBook.items(in: words), names, isTelling: ItemStory.orders)
        case .attempts:
            ItemStory(
                of: CauseBook.items(in: words).prefix(1), names, isTelling: ItemStory.attempts)
        }
    }
}

/// The latest reasons of a story.
struct LatestReasons {
    private static let most = 8

    private(set) var reasons: [BreachCause.Reason] = []

    mutating func add(_ words: String, _ event: RunEvent, index: Int, of names: RunNames) {
        if reasons.count == Self.most { reasons.removeFirst() }
        reasons.append(BreachCause.Reason(words, event, index: index, of: names))
    }
}

extension BreachCause.Reason {
    /// Makes a reason of an event, with the name of its app if the run has several.
    init(_ words: String, _ event: RunEvent, index: Int, of names: RunNames) {
        let app = names.app(event.app).map { "\($0): " } ?? ""
        self.init(event: index, at: event.at, words: app + words)
    }
}
