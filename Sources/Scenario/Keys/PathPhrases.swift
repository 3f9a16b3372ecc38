import Checks
import RunLog
import RunPlan

/// Phrases about persistent sessions: the paths that can be added, who adds them when, and
/// expectations.
///
/// An entry of the queue lists the files; rules and the timeline name them.
enum PathPhrases {
    static let shape = Shape.mapping(of: .path, to: .path)

    /// Reads `persistent: { a.mov: in/a.mov }`; `nil` if a part is unreadable.
    static func paths(
        in node: YAMLNode, among files: [String]?, _ mistakes: inout Mistakes
    ) -> [PlannedPath]? {
        let expectation =
            "the files that can be added, and where each goes, such as “{ a.mov: incoming/a.mov }”"
        guard let pairs = mistakes.pairs(of: node, expected: expectation) else { return nil }
        guard !pairs.isEmpty else {
            mistakes.add("there is nothing to add", at: node.place, expected: expectation)
            return nil
        }
        let paths = pairs.compactMap { key, value -> PlannedPath? in
            let source = mistakes.source(key, among: files)
            guard let destination = mistakes.destination(value), let source else { return nil }
            return PlannedPath(source: source, destination: destination)
        }
        return paths.count == pairs.count ? paths : nil
    }

    // MARK: Who adds them

    static let actions: [Phrase<TimelineEntry.Action>] = [
        Phrase(
            "all files are added to session N",
            "adds files to a persistent session; the queue refuses while it is not open"
        ) { holes, draft, mistakes in
            draft.persistent(holes[0], &mistakes).map { .asks(.addPath($0.number, path: nil)) }
        },
        Phrase("PATH is added to session N") { holes, draft, mistakes in
            guard let session = draft.persistent(holes[1], &mistakes) else { return nil }
            return session.path(holes[0], &mistakes).map {
                .asks(.addPath(session.number, path: $0))
            }
        },
    ]

    /// Actions of an app's rules, by the app's own count.
    static let commands: [Phrase<AppPlan.Command>] = [
        Phrase(
            "add all files to session N", "adds files to a persistent session, which must be open"
        ) {
            holes, draft, mistakes in
            draft.ownPersistent(holes[0], &mistakes).map { .addPath($0.number, path: nil) }
        },
        Phrase("add PATH to session N") { holes, draft, mistakes in
            guard let session = draft.ownPersistent(holes[1], &mistakes) else { return nil }
            return session.path(holes[0], &mistakes).map { .addPath(session.number, path: $0) }
        },
    ]

    static let occasions: [Phrase<AppPlan.Occasion>] = [
        Phrase("on session N can accept paths", "a persistent session is open") {
            holes, draft, mistakes in
            draft.ownPersistent(holes[0], &mistakes).map {
                .canAcceptPaths(ItemName(UInt64($0.number)))
            }
        }
    ]

    // MARK: What is expected

    static let happenings: [Phrase<ExpectationPlan>] = [
        Facade.queue.counted("connects", "the number of connections that were opened for it") {
            .connection($0)
        },
        Facade.queue.counted(
            "gives up a file",
            "the number of files that were added to a persistent session and did not arrive"
        ) { .givingUp($0) },
    ]
}

/// A session of the plan to which paths can be added.
private struct PersistentSession {
    var paths: [PlannedPath]
    var number: Int

    /// Returns the number of a path, from 1.
    func path(_ words: PlacedText, _ mistakes: inout Mistakes) -> Int? {
        if let place = paths.firstIndex(where: { $0.source == words.text }) { return place + 1 }
        let names = paths.map(\.source)
        mistakes.add(
            "“\(words.text)” cannot be added to session \(number)", at: words.place,
            expected: "a file under its “persistent”: \(names.list)",
            suggestion: Spelling.nearest(to: words.text, among: names).map { "“\($0)”" })
        return nil
    }
}

extension ScenarioDraft {
    /// Returns a persistent session by its number in the file.
    fileprivate func persistent(
        _ words: PlacedText, _ mistakes: inout Mistakes
    ) -> PersistentSession? {
        return items(.queue).any(words, &mistakes).flatMap {
            persistent($0, among: apps.flatMap(\.sessions), words, &mistakes)
        }
    }

    /// Returns a persistent session by its app's own count.
    fileprivate func ownPersistent(
        _ words: PlacedText, _ mistakes: inout Mistakes
    ) -> PersistentSession? {
        items(.queue).own(words, &mistakes).flatMap {
            persistent($0, among: sessions, words, &mistakes)
        }
    }

    private func persistent(
        _ name: ItemName, among sessions: [PlannedSession], _ words: PlacedText,
        _ mistakes: inout Mistakes
    ) -> PersistentSession? {
        // With unreadable entries the mistake is there, not here.
        guard sessions.count == sessionCount else { return nil }
        guard case .paths(let paths) = sessions[Int(name.number) - 1].work else {
            mistakes.add(
                "session \(words.text) is not persistent", at: words.place,
                expected: "a session with files under “persistent” in the queue")
            return nil
        }
        return PersistentSession(paths: paths, number: Int(name.number))
    }
}
