import RunLog
import RunPlan
import TransferEngine

/// The key `queue`: what the app adds to its transfer queue, in order.
enum QueueKeys {
    static let example = "[{ upload: video.mov, to: incoming/video.mov }]"

    static func read(_ node: YAMLNode, draft: inout ScenarioDraft) {
        let expectation = "a list of uploads, such as “- upload: video.mov” with “to: …” under it"
        guard let items = node.items(orElse: "there is nothing to upload", expected: expectation)
        else { return }
        draft.sessionCount = items.count
        var destinations: [String] = []
        var areAllKnown = true
        for item in items {
            var session = SessionDraft(filePaths: draft.filePaths, accounts: draft.app.accounts)
            entries.read(item, into: &session, given: kind(of: item).spares)
            draft.outside += session.outside
            destinations += session.destinations
            areAllKnown =
                areAllKnown && session.areDestinationsKnown && session.outside.isEmpty
            guard isOneKind(item), let work = session.work else { continue }
            var planned = PlannedSession(work, limits: session.limits, settings: session.settings)
            planned.account = session.account
            planned.beginning = session.beginning
            if planned.beginning == .enqueued, planned.leavesDocroot(draft.outside) {
                planned.beginning = .refused
            }
            requireFiles(item, planned)
            draft.sessions.append(planned)
            if session.beginning != .enqueued {
                draft.app.notEnqueued[draft.sessions.count] = session.beginning
            }
        }
        requireKeptFirst(items, draft.sessions)
        requireRefusedLast(items, draft.sessions)
        if areAllKnown { draft.destinations = destinations }
    }

    /// Requires sessions that are only made to come last: they get their numbers when they are
    /// saved, not from their place.
    private static func requireKeptFirst(_ items: [YAMLNode], _ sessions: [PlannedSession]) {
        // Unreadable entries have been reported already.
        guard items.count == sessions.count,
            let made = sessions.firstIndex(where: { $0.beginning == .made }),
            sessions[made...].contains(where: { $0.beginning != .made })
        else { return }
        items[made].refuse(
            "a session with “saved: no” comes before a session without it",
            expected: "sessions with “saved: no” at the end of the queue")
    }

    /// Requires sessions that the queue will refuse to come last, because they get no number.
    private static func requireRefusedLast(_ items: [YAMLNode], _ sessions: [PlannedSession]) {
        guard items.count == sessions.count,
            let refused = sessions.firstIndex(where: { $0.beginning == .refused }),
            sessions[refused...].contains(where: { $0.beginning != .refused })
        else { return }
        items[refused].refuse(
            "a session that the queue refuses comes before one that it takes",
            expected: "sessions that are refused at the end of the queue")
    }

    /// Requires files, unless the session is only saved or made: then an app may add them later.
    private static func requireFiles(_ item: YAMLNode, _ session: PlannedSession) {
        guard case .upload([]) = session.work, session.beginning == .enqueued else { return }
        item.refuse(
            "there is nothing to upload",
            expected: "files under “uploads”, or “enqueued: no” for a session without files")
    }

    static let shape = Shape.list(of: entries.shape)

    /// The kind of a session, by the key that names it.
    private enum Kind: String, CaseIterable {
        case upload, uploads, download, downloads, persistent
        case persistentDownloads = "persistent-downloads"

        /// Required keys that this kind does not have.
        var spares: [String] {
            switch self {
            case .upload: []
            case .download: ["upload"]
            case .uploads, .downloads, .persistent, .persistentDownloads: ["upload", "to"]
            }
        }
    }

    private static func kind(of item: YAMLNode) -> Kind {
        Kind.allCases.last { item[$0.rawValue] != nil } ?? .upload
    }

    private static func isOneKind(_ item: YAMLNode) -> Bool {
        let kinds = Kind.allCases.filter { item[$0.rawValue] != nil }
        if kinds.count > 1 {
            item.refuse(
                "“\(kinds[0].rawValue)” and “\(kinds[1].rawValue)” in one session",
                expected: "a separate session for each")
            return false
        }
        guard let kind = kinds.first, kind.spares.contains("to"), item["to"] != nil else {
            return true
        }
        item.refuse(
            "“to” beside “\(kind.rawValue)”, which names a destination for each file",
            expected: "only the destinations under “\(kind.rawValue)”")
        return false
    }

    private struct SessionDraft {
        let filePaths: [String]?
        let accounts: [PlannedAccount]
        var account: PlannedAccount?
        var beginning = PlannedSession.Beginning.enqueued
        var source: String?
        /// The object of a download, below the docroot.
        var object: String?
        var isDownload = false
        var destination: String?
        /// The files of a persistent session.
        var paths: [PlannedPath]?
        /// Several files, or several objects.
        var uploads: [PlannedPath]?
        var downloads: [PlannedPath]?
        /// The objects of a persistent session.
        var objects: [PlannedPath]?
        var outside: [OutsidePath] = []
        var limits: NetworkLimits = []
        var settings = TransferSettings()

        var work: PlannedSession.Work? {
            if let paths { return .paths(paths, isDownload: false) }
            if let objects { return .paths(objects, isDownload: true) }
            if let uploads { return .upload(uploads) }
            if let downloads { return .download(downloads) }
            guard let destination, let from = object ?? source else { return nil }
            let path = PlannedPath(source: from, destination: destination)
            return object == nil ? .upload([path]) : .download([path])
        }

        /// The destinations on the server.
        var destinations: [String] {
            let places =
                (paths ?? uploads)?.map(\.destination) ?? [destination].compactMap(\.self)
            return object == nil && downloads == nil && objects == nil
                ? places.map { account?.path($0) ?? $0 } : []
        }

        var areDestinationsKnown: Bool {
            destination != nil
                || [paths, uploads, downloads, objects].contains { $0 != nil }
        }
    }

    private static let entries = KeyTable<SessionDraft>(
        name: "an entry of the queue",
        keys: [
            .unlessGiven(
                "upload", .path, "one of the files", example: "video.mov"
            ) { node, session in
                session.source = node.source(among: session.filePaths)
            },
            .optional(
                "download", .path, "an object of the server, instead of an upload"
            ) { node, session in
                session.object = node.destination()
                session.isDownload = true
            },
            .unlessGiven(
                "to", .path,
                "where an upload goes, below the docroot, or a download, in the app's container",
                example: "incoming/video.mov"
            ) { node, session in
                session.destination =
                    session.isDownload
                    ? node.place(besides: session.filePaths)
                    : node.destination(of: .queue, orElse: &session.outside)
            },
            .optional(
                "uploads", .either([PathPhrases.shape, .words([none])]),
                "several files that one session uploads one after the other, and where each "
                    + "goes; `none` in a session that is not enqueued yet",
                example: "{ a.mov: incoming/a.mov, b.mov: incoming/b.mov }"
            ) { node, session in
                session.uploads =
                    node.says(none)
                    ? []
                    : PathPhrases.paths(
                        in: node, among: session.filePaths, outside: &session.outside)
            },
            .optional(
                "downloads", PathPhrases.shape,
                "several objects of the server, and where each goes in the app's container",
                example: "{ films/a.mov: a.mov, films/b.mov: b.mov }"
            ) { node, session in
                session.downloads = PathPhrases.objects(in: node, besides: session.filePaths)
            },
            .optional(
                "persistent", PathPhrases.shape,
                "a persistent session: the files that can be added while it is open, and where "
                    + "each goes",
                example: "{ a.mov: incoming/a.mov }"
            ) { node, session in
                session.paths = PathPhrases.paths(
                    in: node, among: session.filePaths, outside: &session.outside)
            },
            .optional(
                "persistent-downloads", PathPhrases.shape,
                "a persistent session that downloads: the objects that can be asked for while it "
                    + "is open, and where each goes in the app's container",
                example: "{ films/a.mov: a.mov }"
            ) { node, session in
                session.objects = PathPhrases.objects(in: node, besides: session.filePaths)
            },
            .optional(
                "network", .either([limitShape, .list(of: limitShape)]),
                "which networks it may use; the default is any network"
            ) { node, session in
                for item in node.oneOrSeveral {
                    let limit: NetworkLimit? = item.choice(complaint: "there is no network limit")
                    session.limits.formUnion(limit?.limits ?? [])
                }
            },
            .optional(
                "account", .text,
                "one of the accounts; by default all sessions of an app share one account",
                example: "studio"
            ) { node, session in
                session.account = node.text(expected: "the name of an account")?
                    .account(among: session.accounts)
            },
            .optional(
                "enqueued", YesOrNo.shape,
                "`no`: the first launch only saves it; a rule or the timeline can enqueue it later"
            ) { node, session in
                if node.yesOrNo() == false { session.beginning = .saved }
            },
            .optional(
                "saved", YesOrNo.shape,
                "`no`: the session is only made; it is gone with its process unless a rule or "
                    + "the timeline saves it"
            ) { node, session in
                if node.yesOrNo() == false { session.beginning = .made }
            },
        ] + KeyTable.keys(SettingsKeys.keys, of: \SessionDraft.settings))

    /// The files of a session that has none yet.
    private static let none = "none"

    private static let limitShape = Shape.choice(of: NetworkLimit.self)

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

extension PlannedSession {
    /// Whether the queue has to refuse the session for one of these paths. A persistent session
    /// gets its paths later.
    fileprivate func leavesDocroot(_ outside: [OutsidePath]) -> Bool {
        !isPersistent
            && uploads.contains { file in
                outside.contains { $0.words.text == file.destination }
            }
    }
}

extension PlacedText {
    /// Reads a file to send; `nil` also if the list of files is unreadable.
    func source(among filePaths: [String]?) -> String? {
        guard let filePaths else { return nil }
        if filePaths.contains(text) { return text }
        return refuse(
            "there is no file “\(text)”", expected: "a path under “files”", among: filePaths)
    }

    /// Reads the target of a download in the app's container, which must not overwrite a file.
    func target(besides filePaths: [String]?, _ complaint: String) -> String? {
        checked(path(below: "the container"), expected: "another path for the download") {
            filePaths?.contains($0) == true ? "“\($0)” \(complaint)" : nil
        }
    }
}

extension YAMLNode {
    func source(among filePaths: [String]?) -> String? {
        text(expected: "a path under “files”")?.source(among: filePaths)
    }

    func place(besides filePaths: [String]?) -> String? {
        text(expected: "a path in the app's container such as films/video.mov")?
            .target(besides: filePaths, "is already under “files”")
    }

    /// Reads a destination on the server.
    func destination() -> String? {
        destinationWords?.path(below: "the docroot")
    }

    /// Reads the destination of an upload. A path that leaves the docroot is kept for later, when
    /// it is known whether the scenario expects that the façade refuses it.
    func destination(of facade: Facade, orElse outside: inout [OutsidePath]) -> String? {
        guard let words = destinationWords else { return nil }
        guard let path = OutsidePath(words, of: facade) else {
            return words.path(below: "the docroot")
        }
        outside.append(path)
        return words.text
    }

    private var destinationWords: PlacedText? {
        text(expected: "a path below the docroot such as incoming/video.mov")
    }
}
