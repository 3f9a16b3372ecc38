import RunPlan
import TransferEngine

/// The key `queue`: what the app adds to its transfer queue, in this order.
enum QueueKeys {
    static let example = "[{ upload: video.mov, to: incoming/video.mov }]"

    static func read(_ node: YAMLNode, draft: inout ScenarioDraft, mistakes: inout Mistakes) {
        let expectation = "a list of uploads, such as “- upload: video.mov” with “to: …” under it"
        guard let items = mistakes.items(of: node, expected: expectation) else { return }
        guard !items.isEmpty else {
            mistakes.add("there is nothing to upload", at: node.place, expected: expectation)
            return
        }
        draft.sessionCount = items.count
        var destinations: [String] = []
        var areAllKnown = true
        for item in items {
            var session = SessionDraft(filePaths: draft.filePaths)
            // One of the two has to be there, and which one is for the author to say.
            let isPersistent = item["persistent"] != nil
            entries.read(
                item, into: &session, mistakes: &mistakes,
                given: isPersistent ? ["upload", "to"] : [])
            destinations += session.destinations
            areAllKnown = areAllKnown && session.areDestinationsKnown
            if isPersistent, item["upload"] != nil || item["to"] != nil {
                mistakes.add(
                    "a persistent session has no upload of its own", at: item.place,
                    expected: "its file under “persistent”, and a rule that adds it")
                continue
            }
            guard let work = session.work else { continue }
            draft.sessions.append(PlannedSession(work, limits: session.limits))
        }
        if areAllKnown { draft.destinations = destinations }
    }

    static let shape = Shape.list(of: entries.shape)

    private struct SessionDraft {
        let filePaths: [String]?
        var source: String?
        var destination: String?
        var paths: [PlannedPath]?
        var limits: NetworkLimits = []

        var work: PlannedSession.Work? {
            if let paths { return .paths(paths) }
            guard let source, let destination else { return nil }
            return .upload(PlannedPath(source: source, destination: destination))
        }

        var destinations: [String] { paths?.map(\.destination) ?? [destination].compactMap(\.self) }

        var areDestinationsKnown: Bool { paths != nil || destination != nil }
    }

    private static let entries = KeyTable<SessionDraft>(
        name: "an entry of the queue",
        keys: [
            .unlessGiven(
                "upload", .path, "one of the files", example: "video.mov"
            ) { node, session, mistakes in
                session.source = mistakes.source(node, among: session.filePaths)
            },
            .unlessGiven(
                "to", .path, "where it goes, below the docroot", example: "incoming/video.mov"
            ) { node, session, mistakes in
                session.destination = mistakes.destination(node)
            },
            .optional(
                "persistent", PathPhrases.shape,
                "no upload, but files that can be added while it is open, and where each goes"
            ) { node, session, mistakes in
                session.paths = PathPhrases.paths(in: node, among: session.filePaths, &mistakes)
            },
            .optional(
                "network", .either([limitShape, .list(of: limitShape)]),
                "networks that it does not use; without it every one"
            ) { node, session, mistakes in
                for item in node.oneOrSeveral {
                    let limit: NetworkLimit? = mistakes.choice(
                        item, complaint: "a session is not limited to")
                    session.limits.formUnion(limit?.limits ?? [])
                }
            },
        ])

    private static let limitShape = Shape.words(NetworkLimit.allCases.map(\.rawValue))

    private enum NetworkLimit: String, CaseIterable {
        case wifiOnly = "wifi only"
        case unmeteredOnly = "unmetered only"
        case notInLowDataMode = "not in low data mode"

        var limits: NetworkLimits {
            switch self {
            case .wifiOnly: .noCellular
            case .unmeteredOnly: .noMetered
            case .notInLowDataMode: .noLowData
            }
        }
    }
}

extension Mistakes {
    /// A file that is to be sent. Without a readable list of files the fault is there, not here.
    mutating func source(_ node: YAMLNode, among filePaths: [String]?) -> String? {
        text(of: node, expected: Self.sourceExpectation).flatMap { source($0, among: filePaths) }
    }

    private static let sourceExpectation = "a path that stands under “files”"

    mutating func source(_ words: PlacedText, among filePaths: [String]?) -> String? {
        guard let filePaths else { return nil }
        guard filePaths.contains(words.text) else {
            let nearest = Spelling.nearest(to: words.text, among: filePaths)
            add(
                "there is no file “\(words.text)”", at: words.place,
                expected: Self.sourceExpectation,
                suggestion: nearest.map { "“\($0)”" })
            return nil
        }
        return words.text
    }

    /// Where it goes.
    mutating func destination(_ node: YAMLNode) -> String? {
        let expectation = "a path below the docroot such as incoming/video.mov"
        guard let words = text(of: node, expected: expectation) else { return nil }
        if let problem = RelativePath.problem(with: words.text, below: "the docroot") {
            add(problem.message, at: words.place, expected: problem.expected)
            return nil
        }
        return words.text
    }
}
