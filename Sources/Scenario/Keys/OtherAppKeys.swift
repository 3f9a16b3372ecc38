import Content
import RunLog
import RunPlan

/// The key `apps` of a phone: apps by name, each with its own files and queue.
enum OtherAppKeys {
    static let nameShape = Shape.matching("[a-z0-9-]+", example: "backup")
    static let shape = Shape.mapping(of: nameShape, to: keys.shape)

    static func read(_ node: YAMLNode, phone: inout PhoneDraft, mistakes: inout Mistakes) {
        let expectation =
            "a name for each app, such as “backup: { files: { a.bin: 1 MB }, queue: … }”"
        guard let pairs = mistakes.pairs(of: node, expected: expectation) else {
            phone.hasUnreadApps = true
            return
        }
        for (key, value) in pairs {
            guard let name = name(key, mistakes: &mistakes) else {
                phone.hasUnreadApps = true
                continue
            }
            // The same keys as for the first app.
            var draft = ScenarioDraft()
            draft.before = phone.before
            draft.knowsQueuesBefore = phone.knowsQueues
            draft.noQueue(beside: value)
            keys.read(
                value, into: &draft, mistakes: &mistakes,
                given: ScenarioDraft.needsNoQueue(value) ? ["queue"] : [])
            if draft.filePaths == nil || draft.destinations == nil { phone.hasUnreadApps = true }
            phone.before += draft.counts
            phone.knowsQueues = phone.knowsQueues && draft.knowsQueue
            phone.plan.apps.append(
                PlannedApp(
                    name: name, files: draft.files, sessions: draft.sessions, app: draft.app))
        }
    }

    private static let keys = KeyTable<ScenarioDraft>(
        name: "an app",
        keys: [
            .required(
                "files", .mapping(of: .path, to: .size), "what lies in its container",
                example: FileKeys.example, read: FileKeys.read),
            .optional(
                AccountKeys.name, AccountKeys.shape,
                "accounts of its queue, by their names, and the folder of each",
                read: AccountKeys.read),
            .unlessGiven(
                "queue", QueueKeys.shape, "what it adds to its transfer queue, in this order",
                example: QueueKeys.example, read: QueueKeys.read),
            .optional(
                OperationKeys.name, OperationKeys.shape,
                "the upload operations that it begins, in this order", read: OperationKeys.read),
            .optional(
                ResumableKeys.name, ResumableKeys.shape,
                "the resumable transfers that it starts, in this order", read: ResumableKeys.read),
            .optional(
                BackgroundKeys.name, BackgroundKeys.shape,
                "the tasks that it makes in its background sessions, in this order",
                read: BackgroundKeys.read),
            .optional(
                "app", AppKeys.shape, "what it does when it receives a callback",
                read: AppKeys.read),
        ])

    /// Reads an app's name, which links and events carry too.
    static func name(_ key: PlacedText, mistakes: inout Mistakes) -> String? {
        if key.isPlainName { return key.text }
        mistakes.add(
            "“\(key.text)” is not a name", at: key.place,
            expected: "lower-case letters, digits and hyphens, such as backup")
        return nil
    }
}

extension ScenarioDraft {
    /// Counts the sessions of a phone's apps, and the versions of their files, after the earlier
    /// ones.
    mutating func count(
        _ phone: PhoneDraft, on device: Int, at place: Place, mistakes: inout Mistakes
    ) {
        guard !phone.hasUnreadApps else {
            // The mistake is there, not where the apps are mentioned.
            (otherPaths, appPlaces, sessionCount, destinations) = (nil, nil, nil, nil)
            return
        }
        for (offset, app) in phone.plan.apps.enumerated() {
            let name = app.name ?? ""
            if appPlaces?.contains(where: { $0.name == name }) == true {
                mistakes.add(
                    "there are two apps “\(name)”", at: place,
                    expected: "a different name for each app")
            }
            for file in app.files {
                if pathsOfAll?.contains(file.path) == true {
                    mistakes.add(
                        "another app also has a file “\(file.path)”", at: place,
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
