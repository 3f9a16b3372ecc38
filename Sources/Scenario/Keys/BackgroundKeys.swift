import Protocols
import Quantities
import RunLog
import RunPlan
import TransferEngine

/// The key `background`: the tasks of the app's background sessions, in order.
enum BackgroundKeys {
    static let name = "background"

    static func read(_ node: YAMLNode, draft: inout ScenarioDraft) {
        let expectation = "a list of tasks, such as “- upload: video.mov” with “to: …” under it"
        guard let items = node.items(orElse: "there is no task", expected: expectation)
        else { return }
        draft.counts[.background] = UInt64(items.count)
        for (index, item) in items.enumerated() {
            var task = TaskDraft(filePaths: draft.filePaths)
            entries.read(item, into: &task)
            if let object = task.uploadedObject { draft.destinations?.append(object) }
            guard let transfer = task.transfer(at: item, number: index + 1, in: draft)
            else { continue }
            var planned = PlannedTask(
                session: task.session, transfer,
                limits: task.allowsCellular ? [] : .noCellular, isResumed: task.isResumed)
            planned.method = task.method
            planned.fields = HTTPFields(task.fields.map { ($0.name, $0.value) })
            guard task.isAcceptable(planned, at: item) else { continue }
            draft.app.tasks.append(planned)
        }
    }

    static let shape = Shape.list(of: entries.shape)

    private struct TaskDraft {
        let filePaths: [String]?
        /// Keys that were given, readable or not.
        var isUpload = false
        var isData = false
        var isDownload = false
        var hasDestination = false
        var isResumable = false
        var resumableKey: YAMLNode?
        var resumed: PlacedText?
        var isResumption = false
        var method: String?
        var fields: [(name: String, value: String)] = []
        var source: String?
        var size: ByteCount?
        var object: String?
        var destination: String?
        var session = "com.example.background"
        var allowsCellular = true
        var isResumed = true

        /// The object on the server, if the address is that of one.
        var uploadedObject: String? { destination.map(TaskRequest.object(at:)) }

        /// Reports an address, a method or a field that no request can have.
        func isAcceptable(_ task: PlannedTask, at node: YAMLNode) -> Bool {
            if isResumption {
                guard method != nil || !fields.isEmpty else { return true }
                node.refuse(
                    "it continues the request of another task",
                    expected: "“resumes” without “method” and “fields”")
                return false
            }
            do throws(TaskRefusal) {
                try task.request(to: .none)?.check(isUpload: !isDownload)
                return true
            } catch {
                node.refuse(error.message, expected: "a request such as “method: POST”")
                return false
            }
        }

        func transfer(
            at node: YAMLNode, number: Int, in draft: ScenarioDraft
        ) -> PlannedTask.Transfer? {
            if let resumableKey, !isUpload {
                return resumableKey.refuse(
                    "only an upload of a file can be resumable",
                    expected: "“resumable” only beside “upload: …”")
            }
            if isResumption, !isUpload, !isData, !isDownload, !hasDestination {
                guard let resumed, let task = draft.own(.background, resumed) else { return nil }
                return resumption(of: Int(task.number), resumed, number, draft)
            }
            switch (isUpload || isResumption, isData, isDownload, hasDestination) {
            case (true, false, false, true):
                guard let source, let destination else { return nil }
                return .upload(source, to: destination, isResumable: isResumable)
            case (false, true, false, true):
                guard let size, let destination else { return nil }
                return .data(size, to: destination)
            case (false, false, true, false): return object.map { .download($0) }
            case (_, _, _, _):
                return node.refuse(
                    "this is neither an upload nor a download",
                    expected: "“upload: video.mov” with “to: …”, or “download: …” without it")
            }
        }

        private func resumption(
            of task: Int, _ words: PlacedText, _ number: Int, _ draft: ScenarioDraft
        ) -> PlannedTask.Transfer? {
            guard task < number else {
                return words.refuse(
                    "there is nothing to continue yet", expected: "an earlier task of the list")
            }
            // Tasks that could not be read have been reported.
            guard draft.app.tasks.count == number - 1 else { return nil }
            switch draft.app.tasks[task - 1].transfer {
            case .download, .resumption: return .resumption(of: task)
            case .upload, .data:
                return words.refuse(
                    "task \(words.text) is not a download", expected: "the number of a download")
            }
        }
    }

    /// A place below the docroot, or any path of the server.
    private static let address = Shape.either([
        .path, .matching("/.+", example: "/dav/incoming/video.mov"),
    ])

    private static let entries = KeyTable<TaskDraft>(
        name: "a task",
        keys: [
            .optional("upload", .path, "one of the files") { node, task in
                task.isUpload = true
                task.source = node.source(among: task.filePaths)
            },
            .optional(
                "data", .size,
                "an upload from memory instead of a file: refused, because only files go in the "
                    + "background",
                example: "200 kB"
            ) { node, task in
                task.isData = true
                task.size = node.text(expected: Measure.size.expectation)?
                    .size(expected: "at most 100 MB") {
                        $0 > ByteCount(100_000_000)
                            ? "\($0) of memory is too much for an app" : nil
                    }
            },
            .optional(
                "download", address,
                "an object on the server, uploaded before by a session or another task; with a "
                    + "slash at its beginning, any path and query"
            ) { node, task in
                task.isDownload = true
                task.object = node.address()
            },
            .optional(
                "resumes", .number,
                "the number of an earlier download, which this task continues with the data that "
                    + "the app got when that one failed or was put off; without any it begins "
                    + "anew"
            ) { node, task in
                task.isResumption = true
                task.resumed = node.text(expected: "the number of a task, such as 1")
            },
            .optional(
                "to", address,
                "where an upload goes, below the docroot; with a slash at its beginning, any path "
                    + "and query"
            ) { node, task in
                task.hasDestination = true
                task.destination = node.address()
            },
            .optional(
                "method", .text,
                "the method of its request; by default PUT for an upload, GET for a download",
                example: "POST"
            ) { node, task in
                task.method = node.text(expected: "a method such as POST")?.text
            },
            .optional(
                "fields", .mapping(of: .text, to: .text),
                "more fields for the head of its request", example: "{ If-None-Match: '\"v1\"' }"
            ) { node, task in
                let fields = node.pairs(expected: "fields such as { Accept: image/png }") ?? []
                task.fields = fields.compactMap { name, value in
                    value.text(expected: "the value of the field").map { (name.text, $0.text) }
                }
            },
            .optional(
                "resumable", YesOrNo.shape,
                "`yes`: its server takes resumable uploads, so from iOS 17 on a retry continues "
                    + "where the server is; by default a retry sends all of it again"
            ) { node, task in
                task.resumableKey = node
                if let choice = node.yesOrNo() { task.isResumable = choice }
            },
            .optional(
                "session", .text,
                "the identifier of its background session; by default all tasks share one session"
            ) { node, task in
                let words = node.text(expected: "an identifier such as com.example.photos")
                task.session = words?.text ?? task.session
            },
            .yesOrNo("cellular", "`no`: it waits for Wi-Fi", \.allowsCellular),
            .yesOrNo(
                "resumed", "`no`: it waits until the timeline or a rule of the app resumes it",
                \.isResumed),
        ])
}

extension Account {
    /// Stands for the server of a scenario, which is not known yet.
    fileprivate static let none = Account(
        host: "server", port: 0, credentials: CredentialHandle(""))
}

extension YAMLNode {
    /// Reads a place below the docroot, or any path and query of the server.
    fileprivate func address() -> String? {
        guard let words = text(expected: "a path such as incoming/video.mov, or /dav/video.mov")
        else { return nil }
        return words.text.hasPrefix("/") ? words.text : words.path(below: "the docroot")
    }
}

extension ScenarioDraft {
    /// Returns the keys that an app need not have: no queue beside tasks, operations or resumable
    /// transfers.
    mutating func givenKeys(in node: YAMLNode) -> [String] {
        let queue = Facade.queue.key
        guard node[queue] == nil, Facade.allCases.contains(where: { node[$0.key] != nil }) else {
            return []
        }
        sessionCount = 0
        destinations = []
        return [queue]
    }
}

extension PlannedTask {
    func sentence(number: Int, of app: String?, before: ItemCounts) -> String {
        let notes = [
            limits.contains(.noCellular) ? "not over cellular" : nil,
            isResumed ? nil : "once it is resumed",
            method.map { "by \($0)" },
            fields.all.isEmpty
                ? nil : "with " + fields.all.map { "\($0.name): \($0.value)" }.list,
        ].compactMap(\.self).joined(separator: ", ")
        let whose = app.map { ", of “\($0)”" } ?? ""
        let deed =
            switch transfer {
            case .upload(let source, let destination, let isResumable):
                "uploads \(source) to \(destination)"
                    + (isResumable ? ", which takes resumable uploads" : "")
            case .data(let size, let destination):
                "would upload \(size) of the app's memory to \(destination)"
            case .download(let object): "downloads \(object)"
            case .resumption(let task):
                "continues the download of "
                    + "\(before.name(ItemName(UInt64(task), of: .background)))"
            }
        return "Task \(number)\(whose), in the background session “\(session)”, \(deed)"
            + (notes.isEmpty ? "" : ", \(notes)") + "."
    }
}
