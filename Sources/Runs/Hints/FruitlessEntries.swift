import Checks
import Quantities
import Reports
import RunLog
import RunPlan
import Scenario

extension RunHints {
    /// Entries that were refused each time.
    var refusedEntries: [String] {
        guard !isChaos else { return [] }
        return entries.compactMap { (played) -> String? in
            let refusals = played.deeds.compactMap { refusal(of: played, at: $0.at) }
            guard let first = refusals.first, refusals.count == played.deeds.count,
                !isExpected(first)
            else { return nil }
            return "\(words(for: played)) is refused\(often(refusals.count)): \(first.reason)"
        }
    }

    /// Entries that changed nothing, however often they came.
    var voidEntries: [String] {
        guard !isChaos else { return [] }
        return entries.compactMap { (played) -> String? in
            guard !played.deeds.isEmpty, played.deeds.allSatisfy(\.isVoid),
                !played.isLeftToChance, !isExpectedToBeVoid(played)
            else { return nil }
            return "\(words(for: played)) changes nothing\(often(played.deeds.count))"
        }
    }

    /// Whether the effect cannot be seen at once, or an expectation says that there is none.
    private func isExpectedToBeVoid(_ played: PlayedEntry) -> Bool {
        if case .asks(.invalidate) = played.entry.action { return true }
        guard case .asks(.item(_, let item)) = played.entry.action else { return false }
        // The app hands commands about tasks to the system, which carries them out later.
        guard item.facade == .queue else { return item.facade == .background }
        let sessions = scenario.apps.flatMap(\.sessions)
        guard case .upload(let paths) = sessions[Int(item.number) - 1].work else { return false }
        return paths.contains {
            wishes.contains(.happens(.publication($0.destination), .exactly(0)))
        }
    }

    private func often(_ count: Int) -> String { count == 1 ? "" : ", \(count) times" }

    /// The refusal of a command of the timeline at this moment.
    private func refusal(of played: PlayedEntry, at now: Instant) -> OddityBook.Refusal? {
        guard case .asks(let command) = played.entry.action else { return nil }
        return oddities.refusals.first { $0.at == now && $0.facade == command.facade }
    }

    /// Whether an expectation speaks of refusals by this façade.
    private func isExpected(_ refusal: OddityBook.Refusal) -> Bool {
        wishes.contains { wish in
            guard case .happens(let happening, _) = wish else { return false }
            switch (happening, refusal.facade) {
            case (.refusal, .queue), (.taskRefusal, .background), (.transferRefusal, .bucket):
                return true
            default: return false
            }
        }
    }
}

extension RunHints.PlayedEntry {
    /// Whether the entry comes at moments drawn from the seed.
    fileprivate var isLeftToChance: Bool {
        switch entry.occasion {
        case .byChance, .about: true
        case .at, .every, .when: false
        }
    }
}

extension AppPlan.Command {
    /// The façade that carries the command out.
    fileprivate var facade: Facade {
        switch self {
        case .item(_, let item): item.facade
        case .emptyLists: .operations
        case .invalidate: .background
        case .start, .doNotStart, .stop, .save, .deleteAccount, .move, .insert, .change, .shorten,
            .addPath, .listen, .signIn, .demarcate:
            .queue
        }
    }
}
