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
        for item in items {
            var session = SessionDraft(filePaths: draft.filePaths)
            entries.read(item, into: &session, mistakes: &mistakes)
            guard let destination = session.destination else { continue }
            destinations.append(destination)
            guard let source = session.source else { continue }
            draft.sessions.append(
                PlannedSession(
                    source: source, destination: destination, limits: session.limits))
        }
        if destinations.count == items.count { draft.destinations = destinations }
    }

    static let shape = Shape.list(of: entries.shape)

    private struct SessionDraft {
        let filePaths: [String]?
        var source: String?
        var destination: String?
        var limits: NetworkLimits = []
    }

    private static let entries = KeyTable<SessionDraft>(
        name: "an entry of the queue",
        keys: [
            .required(
                "upload", .path, "one of the files", example: "video.mov", read: readUpload),
            .required(
                "to", .path, "where it goes, below the docroot", example: "incoming/video.mov",
                read: readDestination),
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

    private static func readUpload(
        _ node: YAMLNode, session: inout SessionDraft, mistakes: inout Mistakes
    ) {
        let expectation = "a path that stands under “files”"
        guard let words = mistakes.text(of: node, expected: expectation) else { return }
        // Without a readable list of files the fault is there, not here.
        guard let filePaths = session.filePaths else { return }
        guard filePaths.contains(words.text) else {
            let nearest = Spelling.nearest(to: words.text, among: filePaths)
            mistakes.add(
                "there is no file “\(words.text)”", at: words.place, expected: expectation,
                suggestion: nearest.map { "“\($0)”" })
            return
        }
        session.source = words.text
    }

    private static func readDestination(
        _ node: YAMLNode, session: inout SessionDraft, mistakes: inout Mistakes
    ) {
        let expectation = "a path below the docroot such as incoming/video.mov"
        guard let words = mistakes.text(of: node, expected: expectation) else { return }
        if let problem = RelativePath.problem(with: words.text, below: "the docroot") {
            mistakes.add(problem.message, at: words.place, expected: problem.expected)
            return
        }
        session.destination = words.text
    }
}
