import Content
import RunLog
import RunPlan

/// The key `apps` of a phone: apps by name, each with its own files and queue.
enum OtherAppKeys {
    static let nameShape = Shape.matching("[a-z0-9-]+", example: "backup")
    static let shape = Shape.mapping(of: nameShape, to: keys.shape)

    static func read(_ node: YAMLNode, phone: inout PhoneDraft) {
        let expectation =
            "a name for each app, such as “backup: { files: { a.bin: 1 MB }, queue: … }”"
        guard let pairs = node.pairs(expected: expectation) else {
            phone.hasUnreadApps = true
            return
        }
        for (key, value) in pairs {
            guard let name = key.plainName() else {
                phone.hasUnreadApps = true
                continue
            }
            var draft = ScenarioDraft()
            draft.before = phone.before
            draft.knowsQueuesBefore = phone.knowsQueues
            let given = draft.givenKeys(in: value)
            keys.read(value, into: &draft, given: given)
            phone.outside += draft.outside
            phone.signIns += draft.signIns
            if draft.filePaths == nil || draft.destinations == nil { phone.hasUnreadApps = true }
            phone.before += draft.counts
            phone.knowsQueues = phone.knowsQueues && draft.knowsQueue
            phone.plan.apps.append(
                PlannedApp(
                    name: name, files: draft.files, sessions: draft.sessions, app: draft.app))
        }
    }

    private static let keys = KeyTable<ScenarioDraft>(
        name: "an app", keys: keys(ofApp: "it", its: "its"))

    /// The first app needs no files beside flows.
    private static func files(of its: String, isFirst: Bool) -> KeyTable<ScenarioDraft>.Key {
        let shape = Shape.mapping(of: .path, to: .either([.size, FileSeries.shape]))
        let about = "what lies in \(its) container"
        return isFirst
            ? .unlessGiven("files", shape, about, example: FileKeys.example, read: FileKeys.read)
            : .required("files", shape, about, example: FileKeys.example, read: FileKeys.read)
    }

    /// Makes the keys of an app, in words for the language page; the first app has `examples`.
    static func keys(
        ofApp it: String, its: String, examples: [String: String] = [:]
    ) -> [KeyTable<ScenarioDraft>.Key] {
        [
            files(of: its, isFirst: !examples.isEmpty),
            .optional(
                IdentityKeys.name, IdentityKeys.shape,
                "how \(it) proves to the server who it is; by default it says nothing",
                example: examples[IdentityKeys.name], read: IdentityKeys.read),
            .optional(
                AccountKeys.name, AccountKeys.shape,
                "accounts of its queue, by their names: the folder of each, or its keys",
                example: examples[AccountKeys.name], read: AccountKeys.read),
            .unlessGiven(
                "queue", QueueKeys.shape, "what \(it) adds to its transfer queue, in this order",
                example: QueueKeys.example, read: QueueKeys.read),
            .optional(
                OperationKeys.name, OperationKeys.shape,
                "the upload operations that \(it) begins, in this order", read: OperationKeys.read),
            .optional(
                ResumableKeys.name, ResumableKeys.shape,
                "the resumable transfers that \(it) starts, in this order",
                read: ResumableKeys.read),
            .optional(
                BackgroundKeys.name, BackgroundKeys.shape,
                "the tasks that \(it) makes in its background sessions, in this order",
                read: BackgroundKeys.read),
            .optional(
                BackgroundSessionKeys.name, BackgroundSessionKeys.shape,
                "how \(it) makes its background sessions, by their identifiers",
                example: examples[BackgroundSessionKeys.name], read: BackgroundSessionKeys.read),
            .optional(
                "app", AppKeys.shape, "what \(it) does when it receives a callback",
                example: examples["app"], read: AppKeys.read),
        ]
    }
}

extension PlacedText {
    /// Reads the name of an app, a phone or an account, which links and events carry too.
    func plainName() -> String? {
        if isPlainName { return text }
        return refuse(
            "“\(text)” is not a name",
            expected: "lower-case letters, digits and hyphens, such as backup")
    }
}

extension ScenarioDraft {
    /// Counts the sessions of a phone's apps, and the versions of their files, after the earlier
    /// ones.
    mutating func count(_ phone: PhoneDraft, on device: Int, at words: some Placed) {
        guard !phone.hasUnreadApps else {
            // Unreadable apps have been reported already.
            (otherPaths, appPlaces, sessionCount, destinations) = (nil, nil, nil, nil)
            return
        }
        for (offset, app) in phone.plan.apps.enumerated() {
            let name = app.name ?? ""
            if appPlaces?.contains(where: { $0.name == name }) == true {
                words.refuse(
                    "there are two apps “\(name)”", expected: "a different name for each app")
            }
            for file in app.files {
                if pathsOfAll?.contains(file.path) == true {
                    words.refuse(
                        "another app also has a file “\(file.path)”",
                        expected: "different paths for the files of all apps")
                }
                otherPaths?.append(file.path)
            }
            // The first app of the first phone is the scenario's own.
            let index = device == 0 ? offset + 1 : offset
            appPlaces?.append(AppPlace(name: name, device: device, index: index))
            counts += app.counts
            destinations?.append(
                contentsOf: app.sessions.flatMap(\.destinations)
                    + app.app.operations.map(\.destination)
                    + app.app.tasks.compactMap(\.destination)
                    + app.app.transfers.filter { !$0.isDownload }.map(\.objectPath))
        }
    }
}

/// The place of an app that a timeline may mention.
struct AppPlace {
    var name: String
    var device: Int
    var index: Int
}
