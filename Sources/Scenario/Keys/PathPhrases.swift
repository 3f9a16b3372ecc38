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
        in node: YAMLNode, among files: [String]?, outside: inout [OutsidePath]
    ) -> [PlannedPath]? {
        let expectation =
            "the files that can be added, and where each goes, such as “{ a.mov: incoming/a.mov }”"
        guard let pairs = node.pairs(expected: expectation) else { return nil }
        var paths: [PlannedPath] = []
        for (key, value) in pairs {
            let source = key.source(among: files)
            let destination = value.destination(of: .queue, orElse: &outside)
            guard let source, let destination else { continue }
            paths.append(PlannedPath(source: source, destination: destination))
        }
        return paths.count == pairs.count ? paths : nil
    }

    /// Reads `downloads: { films/a.mov: a.mov }`; `nil` if a part is unreadable.
    static func objects(in node: YAMLNode, besides files: [String]?) -> [PlannedPath]? {
        let expectation =
            "the objects to download, and where each goes, such as “{ films/a.mov: a.mov }”"
        guard let pairs = node.pairs(expected: expectation) else { return nil }
        let paths = pairs.compactMap { key, value -> PlannedPath? in
            both(key.path(below: "the docroot"), value.place(besides: files)).map {
                PlannedPath(source: $0, destination: $1)
            }
        }
        return paths.count == pairs.count ? paths : nil
    }

    // MARK: Who adds them

    static let actions: [Phrase<TimelineEntry.Action>] = [
        Phrase(
            "all files are added to session N",
            "adds files to a persistent session; the queue refuses while it is not open"
        ) { holes, draft in
            draft.allPaths(ofSession: holes[0], by: .file).map { .asks($0) }
        },
        Phrase("PATH is added to session N") { holes, draft in
            draft.path(holes[0], ofSession: holes[1], by: .file).map { .asks($0) }
        },
    ]

    /// Actions of an app's rules, by the app's own count.
    static let commands: [Phrase<AppPlan.Command>] = [
        Phrase(
            "add all files to session N", "adds files to a persistent session, which must be open"
        ) { holes, draft in draft.allPaths(ofSession: holes[0], by: .app) },
        Phrase("add PATH to session N") { holes, draft in
            draft.path(holes[0], ofSession: holes[1], by: .app)
        },
    ]

    static let occasions: [Phrase<AppPlan.Occasion>] = [
        Phrase("on session N can accept paths", "a persistent session is open") { holes, draft in
            draft.persistent(holes[0], by: .app).map { .canAcceptPaths($0.session) }
        },
        Phrase(
            "on session N stops PATH",
            "a file of a session has arrived or failed; with `file-callbacks: off` the app hears "
                + "nothing of those of persistent sessions"
        ) { holes, draft in draft.stop(of: holes[1], inSession: holes[0]) },
    ]

    // MARK: What is expected

    static let happenings: [Phrase<ExpectationPlan>] =
        Facade.queue.counted(
            "connects", "the number of connections that were opened for it", Happening.connection)
        + Facade.queue.counted(
            "gives up a file",
            "the number of files that failed for good while the session went on with others, or "
                + "that were added to a persistent session and did not arrive",
            Happening.givingUp)
}

extension ScenarioDraft {
    /// Returns a persistent session and its paths, by its number.
    fileprivate func persistent(
        _ words: PlacedText, by numbering: Numbering
    ) -> (session: ItemName, paths: [PlannedPath])? {
        let sessions = sessions(by: numbering)
        // Unreadable entries have been reported already.
        guard let session = item(.queue, words, by: numbering), sessions.count == sessionCount
        else { return nil }
        guard case .paths(let paths, _) = sessions[Int(session.number) - 1].work else {
            return words.refuse(
                "session \(words.text) is not persistent",
                expected: "a session with files under “persistent” or “persistent-downloads”")
        }
        return (session, paths)
    }

    /// Returns the stop of one of a session's files, by the name that the app is told.
    fileprivate func stop(
        of path: PlacedText, inSession words: PlacedText
    ) -> AppPlan.Occasion? {
        guard let session = item(.queue, words, by: .app),
            sessions(by: .app).count == sessionCount
        else { return nil }
        let planned = sessions(by: .app)[Int(session.number) - 1]
        let names = planned.paths.map(\.source)
        guard names.contains(path.text) else {
            return path.refuse(
                "session \(session.number) has no file “\(path.text)”",
                expected: "one of its paths: \(names.list)", among: names)
        }
        let told = planned.isDownload ? planned.account?.path(path.text) : nil
        return .stoppedFile(told ?? path.text, of: session)
    }

    fileprivate func allPaths(
        ofSession words: PlacedText, by numbering: Numbering
    ) -> AppPlan.Command? {
        persistent(words, by: numbering).map { .addPath(Int($0.session.number), path: nil) }
    }

    fileprivate func path(
        _ path: PlacedText, ofSession words: PlacedText, by numbering: Numbering
    ) -> AppPlan.Command? {
        guard let (session, paths) = persistent(words, by: numbering) else { return nil }
        let names = paths.map(\.source)
        guard let place = names.firstIndex(of: path.text) else {
            return path.refuse(
                "“\(path.text)” cannot be added to session \(session.number)",
                expected: "one of its paths: \(names.list)", among: names)
        }
        return .addPath(Int(session.number), path: place + 1)
    }
}
