import RunLog

/// What was asked of the items of a rule, and what became of them.
struct ItemStory: BreachStory {
    private let items: Set<String>
    private let names: RunNames
    private let isTelling: (Fact) -> ItemName?
    private var latest = LatestReasons()

    /// - Parameter isTelling: Returns the item of a fact that explains something, or else `nil`.
    init(
        of items: some Sequence<String>, _ names: RunNames,
        isTelling: @escaping (Fact) -> ItemName?
    ) {
        self.items = Set(items)
        self.names = names
        self.isTelling = isTelling
    }

    var reasons: [BreachCause.Reason] { latest.reasons }

    mutating func read(_ event: RunEvent, index: Int) {
        guard let item = isTelling(event.fact), items.contains("\(item)") else { return }
        latest.add(event.fact.sentence(names), event, index: index, of: names)
    }

    /// Returns the session whose place in its queue, or whose turn, has changed.
    static func orders(_ fact: Fact) -> ItemName? {
        switch fact {
        case .engine(.accepts(let session, _, _)), .engine(.fails(let session, _, _, _)),
            .engine(.waitsForNetwork(let session, _)), .queue(.asked(let session, _)),
            .queue(.reordered(let session, _, _)):
            session
        case .engine(.moves(let session, _, let stage, _)):
            stage == .running || stage == .completed ? nil : session
        default: nil
        }
    }

    /// Returns the item that is tried, that fails, or that the app asks for again.
    static func attempts(_ fact: Fact) -> ItemName? {
        switch fact {
        case .engine(.attempt(let item, _)), .engine(.fails(let item, _, _, _)),
            .queue(.asked(let item, _)), .operations(.asked(let item, _)),
            .entries(.asked(let item, _)):
            item
        default: nil
        }
    }
}
