import RunPlan
import TransferEngine

/// The key `queue`: what the app adds to its transfer queue, in order.
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
            var session = SessionDraft(
                filePaths: draft.filePaths, accounts: draft.app.accounts)
            entries.read(
                item, into: &session, mistakes: &mistakes, given: kind(of: item).spares)
            destinations += session.destinations
            areAllKnown = areAllKnown && session.areDestinationsKnown
            guard isOneKind(item, &mistakes), let work = session.work
            else { continue }
            var planned = PlannedSession(
                work, limits: session.limits, settings: session.settings)
            planned.account = session.account
            planned.beginning = session.beginning
            draft.sessions.append(planned)
            if session.beginning != .enqueued {
                draft.app.notEnqueued[draft.sessions.count] = session.beginning
            }
        }
        requireKeptFirst(items, draft.sessions, &mistakes)
        if areAllKnown { draft.destinations = destinations }
    }

    /// Requires sessions that are only made to come last: they get their numbers when they are
    /// saved, not from their place.
    private static func requireKeptFirst(
        _ items: [YAMLNode], _ sessions: [PlannedSession], _ mistakes: inout Mistakes
    ) {
        // With unreadable entries the mistake is there, not here.
        guard items.count == sessions.count,
            let made = sessions.firstIndex(where: { $0.beginning == .made }),
            sessions[made...].contains(where: { $0.beginning != .made })
        else { return }
        mistakes.add(
            "a session with “saved: no” comes before a session without it", at: items[made].place,
            expected: "sessions with “saved: no” at the end of the queue")
    }

    static let shape = Shape.list(of: entries.shape)

    /// The kind of a session, by the key that names it.
    private enum Kind: String, CaseIterable {
        case upload, download, persistent

        /// Required keys that this kind does not have.
        var spares: [String] {
            switch self {
            case .upload: []
            case .download: ["upload"]
            case .persistent: ["upload", "to"]
            }
        }
    }

    private static func kind(of item: YAMLNode) -> Kind {
        Kind.allCases.last { item[$0.rawValue] != nil } ?? .upload
    }

    private static func isOneKind(_ item: YAMLNode, _ mistakes: inout Mistakes) -> Bool {
        let kinds = Kind.allCases.filter { item[$0.rawValue] != nil }
        if kinds.count > 1 {
            mistakes.add(
                "“\(kinds[0].rawValue)” and “\(kinds[1].rawValue)” in one session",
                at: item.place, expected: "a separate session for each")
            return false
        }
        guard kinds == [.persistent], item["to"] != nil else { return true }
        mistakes.add(
            "a persistent session has no destination of its own", at: item.place,
            expected: "the destination of each file, under “persistent”")
        return false
    }

    private struct SessionDraft: SettingsDraft {
        let filePaths: [String]?
        let accounts: [PlannedAccount]
        var account: PlannedAccount?
        var beginning = PlannedSession.Beginning.enqueued
        var source: String?
        /// The object of a download, below the docroot.
        var object: String?
        var isDownload = false
        var destination: String?
        var paths: [PlannedPath]?
        var limits: NetworkLimits = []
        var settings = TransferSettings()

        var work: PlannedSession.Work? {
            if let paths { return .paths(paths) }
            guard let destination else { return nil }
            if let object {
                return .download(PlannedPath(source: object, destination: destination))
            }
            guard let source else { return nil }
            return .upload(PlannedPath(source: source, destination: destination))
        }

        /// The destinations on the server.
        var destinations: [String] {
            let places = paths?.map(\.destination) ?? [destination].compactMap(\.self)
            return object == nil ? places.map { account?.path($0) ?? $0 } : []
        }

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
            .optional(
                "download", .path, "an object of the server, instead of an upload"
            ) { node, session, mistakes in
                session.object = mistakes.destination(node)
                session.isDownload = true
            },
            .unlessGiven(
                "to", .path,
                "where an upload goes, below the docroot, or a download, in the app's container",
                example: "incoming/video.mov"
            ) { node, session, mistakes in
                session.destination =
                    session.isDownload
                    ? mistakes.place(node, besides: session.filePaths)
                    : mistakes.destination(node)
            },
            .optional(
                "persistent", PathPhrases.shape,
                "a persistent session: the files that can be added while it is open, and where "
                    + "each goes",
                example: "{ a.mov: incoming/a.mov }"
            ) { node, session, mistakes in
                session.paths = PathPhrases.paths(in: node, among: session.filePaths, &mistakes)
            },
            .optional(
                "network", .either([limitShape, .list(of: limitShape)]),
                "which networks it may use; the default is any network"
            ) { node, session, mistakes in
                for item in node.oneOrSeveral {
                    let limit: NetworkLimit? = mistakes.choice(
                        item, complaint: "there is no network limit")
                    session.limits.formUnion(limit?.limits ?? [])
                }
            },
            .optional(
                "account", .text,
                "one of the accounts; by default all sessions of an app share one account",
                example: "studio"
            ) { node, session, mistakes in
                let words = mistakes.text(of: node, expected: "the name of an account")
                session.account = words.flatMap {
                    AccountKeys.account($0, among: session.accounts, &mistakes)
                }
            },
            .optional(
                "enqueued", YesOrNo.shape,
                "`no`: the first launch only saves it; a rule or the timeline can enqueue it later"
            ) { node, session, mistakes in
                if mistakes.yesOrNo(node) == false { session.beginning = .saved }
            },
            .optional(
                "saved", YesOrNo.shape,
                "`no`: the session is only made; it is gone with its process unless a rule or "
                    + "the timeline saves it"
            ) { node, session, mistakes in
                if mistakes.yesOrNo(node) == false { session.beginning = .made }
            },
        ] + SettingsKeys.keys(of: SessionDraft.self))

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
    /// Reads a file to send. Without a readable list of files the mistake is there, not here.
    mutating func source(_ node: YAMLNode, among filePaths: [String]?) -> String? {
        text(of: node, expected: Self.sourceExpectation).flatMap { source($0, among: filePaths) }
    }

    private static let sourceExpectation = "a path under “files”"

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

    /// Reads the target of a download, which must not overwrite the app's own files.
    fileprivate mutating func place(_ node: YAMLNode, besides filePaths: [String]?) -> String? {
        let expectation = "a path in the app's container such as films/video.mov"
        guard let words = text(of: node, expected: expectation) else { return nil }
        if let problem = RelativePath.problem(with: words.text, below: "the container") {
            add(problem.message, at: words.place, expected: problem.expected)
            return nil
        }
        guard filePaths?.contains(words.text) != true else {
            add(
                "“\(words.text)” is already under “files”", at: words.place,
                expected: "another path for the download")
            return nil
        }
        return words.text
    }

    /// Reads a destination on the server.
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
