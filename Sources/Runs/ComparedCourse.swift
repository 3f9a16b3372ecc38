import RunLog

/// What happened in two runs, up to the first difference: all events, or the deeds of one actor.
struct ComparedCourse: Encodable {
    /// `nil` for all events.
    let actor: String?
    /// The number of events that both have before the difference.
    let common: Int
    /// The last of these events.
    let before: [Line]
    /// The first event that differs; `nil` after the end.
    let left: Line?
    let right: Line?

    struct Line: Encodable {
        /// The event's number in its log, from 0.
        var event: Int
        var words: String
    }

    /// A deed of an actor, and the words by which it is compared.
    struct Deed {
        var line: Line
        var words: String
    }

    /// The number of common events to show before the difference.
    private static let context = (ofEvents: 3, ofDeeds: 2)

    /// Compares two logs event by event.
    init(_ left: [RunEvent], _ right: [RunEvent], _ names: [RunNames]) {
        actor = nil
        let common = zip(left, right).prefix { Self.isSame($0, $1) }.count
        self.common = common
        let isSame = common == left.count && common == right.count
        before =
            isSame
            ? []
            : (max(0, common - Self.context.ofEvents)..<common).map {
                Line(event: $0, words: left[$0].line(names[0]))
            }
        self.left = Self.line(left, common, names[0])
        self.right = Self.line(right, common, names[1])
    }

    /// Compares the deeds of an actor by their words.
    init(of actor: String, _ left: [Deed], _ right: [Deed]) {
        self.actor = actor
        let common = zip(left, right).prefix { $0.words == $1.words }.count
        self.common = common
        let isSame = common == left.count && common == right.count
        let context = isSame ? [] : left[max(0, common - Self.context.ofDeeds)..<common]
        before = context.map(\.line)
        self.left = common < left.count ? left[common].line : nil
        self.right = common < right.count ? right[common].line : nil
    }

    var isSame: Bool { left == nil && right == nil }

    /// The difference for people.
    var lines: [String] {
        let end = actor == nil ? "(end of the run)" : "(nothing more)"
        let events =
            before.map { "    \($0.event)  \($0.words)" }
            + [("<", left), (">", right)].map { mark, line in
                let number = actor == nil ? "\(common)  " : ""
                return "  \(mark) " + (line.map { "\($0.event)  \($0.words)" } ?? number + end)
            }
        guard let name = actor else { return events }
        return isSame
            ? ["\(name): the same \(common) events."]
            : ["\(name): the first \(common) events are the same, then they differ."] + events
    }

    /// Whether two events are the same. Beginnings always are, because their seeds and scenarios
    /// are compared.
    private static func isSame(_ left: RunEvent, _ right: RunEvent) -> Bool {
        if case (.run(.began), .run(.began)) = (left.fact, right.fact) { return true }
        return left == right
    }

    /// Returns the event in words; a mark stands for all packets since the mark before it.
    private static func line(_ log: [RunEvent], _ index: Int, _ names: RunNames) -> Line? {
        guard index < log.count else { return nil }
        let words = log[index].line(names)
        guard case .packets = log[index].fact else { return Line(event: index, words: words) }
        return Line(event: index, words: words + " (the packets before it differ)")
    }
}
