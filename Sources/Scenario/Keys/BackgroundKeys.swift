import Quantities
import RunLog
import RunPlan
import TransferEngine

/// The key `background`: the tasks of the app's background sessions, in order.
enum BackgroundKeys {
    static let name = "background"

    static func read(_ node: YAMLNode, draft: inout ScenarioDraft, mistakes: inout Mistakes) {
        let expectation = "a list of tasks, such as “- upload: video.mov” with “to: …” under it"
        guard let items = mistakes.items(of: node, expected: expectation) else { return }
        guard !items.isEmpty else {
            mistakes.add("there is no task", at: node.place, expected: expectation)
            return
        }
        draft.counts[.background] = UInt64(items.count)
        for item in items {
            var task = TaskDraft(filePaths: draft.filePaths)
            entries.read(item, into: &task, mistakes: &mistakes)
            if let destination = task.destination { draft.destinations?.append(destination) }
            guard let transfer = task.transfer(at: item, mistakes: &mistakes) else { continue }
            draft.app.tasks.append(
                PlannedTask(
                    session: task.session, transfer,
                    limits: task.allowsCellular ? [] : .noCellular,
                    isDiscretionary: task.isDiscretionary, isResumed: task.isResumed))
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
        var resumableAt: Place?
        var source: String?
        var size: ByteCount?
        var object: String?
        var destination: String?
        var session = "com.example.background"
        var allowsCellular = true
        var isDiscretionary = false
        var isResumed = true

        func transfer(
            at node: YAMLNode, mistakes: inout Mistakes
        ) -> PlannedTask.Transfer? {
            if let resumableAt, !isUpload {
                mistakes.add(
                    "only an upload of a file can be resumable", at: resumableAt,
                    expected: "“resumable” only beside “upload: …”")
                return nil
            }
            switch (isUpload, isData, isDownload, hasDestination) {
            case (true, false, false, true):
                guard let source, let destination else { return nil }
                return .upload(source, to: destination, isResumable: isResumable)
            case (false, true, false, true):
                guard let size, let destination else { return nil }
                return .data(size, to: destination)
            case (false, false, true, false): return object.map { .download($0) }
            case (_, _, _, _):
                mistakes.add(
                    "this is neither an upload nor a download", at: node.place,
                    expected: "“upload: video.mov” with “to: …”, or “download: …” without it")
                return nil
            }
        }
    }

    private static let entries = KeyTable<TaskDraft>(
        name: "a task",
        keys: [
            .optional("upload", .path, "one of the files") { node, task, mistakes in
                task.isUpload = true
                task.source = mistakes.source(node, among: task.filePaths)
            },
            .optional(
                "data", .size,
                "an upload from memory instead of a file: refused, because only files go in the "
                    + "background",
                example: "200 kB"
            ) { node, task, mistakes in
                task.isData = true
                task.size = mistakes.data(node)
            },
            .optional(
                "download", .path,
                "an object on the server, uploaded before by a session or another task"
            ) { node, task, mistakes in
                task.isDownload = true
                task.object = mistakes.destination(node)
            },
            .optional(
                "to", .path, "where an upload goes, below the docroot"
            ) { node, task, mistakes in
                task.hasDestination = true
                task.destination = mistakes.destination(node)
            },
            .optional(
                "resumable", YesOrNo.shape,
                "`yes`: its server takes resumable uploads, so from iOS 17 on a retry continues "
                    + "where the server is; by default a retry sends all of it again"
            ) { node, task, mistakes in
                task.resumableAt = node.place
                if let choice = mistakes.yesOrNo(node) { task.isResumable = choice }
            },
            .optional(
                "session", .text,
                "the identifier of its background session; by default all tasks share one session"
            ) { node, task, mistakes in
                let wanted = "an identifier such as com.example.photos"
                guard let words = mistakes.text(of: node, expected: wanted) else { return }
                task.session = words.text
            },
            .optional(
                "cellular", YesOrNo.shape, "`no`: it waits for Wi-Fi"
            ) { node, task, mistakes in
                if let choice = mistakes.yesOrNo(node) { task.allowsCellular = choice }
            },
            .optional(
                "discretionary", YesOrNo.shape, "`yes`: it waits for Wi-Fi and a charger"
            ) { node, task, mistakes in
                if let choice = mistakes.yesOrNo(node) { task.isDiscretionary = choice }
            },
            .optional(
                "resumed", YesOrNo.shape,
                "`no`: it waits until the timeline or a rule of the app resumes it"
            ) { node, task, mistakes in
                if let choice = mistakes.yesOrNo(node) { task.isResumed = choice }
            },
        ])
}

extension ScenarioDraft {
    /// Whether the queue may be missing, because the app has tasks, operations or resumable
    /// transfers.
    static func needsNoQueue(_ node: YAMLNode) -> Bool {
        [BackgroundKeys.name, OperationKeys.name, ResumableKeys.name].contains { node[$0] != nil }
    }

    mutating func noQueue(beside node: YAMLNode) {
        guard node["queue"] == nil, Self.needsNoQueue(node) else { return }
        sessionCount = 0
        destinations = []
    }
}

extension Mistakes {
    /// Reads a size that fits into an app's memory.
    fileprivate mutating func data(_ node: YAMLNode) -> ByteCount? {
        guard let words = text(of: node, expected: Measure.size.expectation),
            let size = size(words)
        else { return nil }
        guard size <= ByteCount(100_000_000) else {
            add(
                "\(size) of memory is too much for an app", at: words.place,
                expected: "at most 100 MB")
            return nil
        }
        return size
    }
}

extension PlannedTask {
    func sentence(number: Int, of app: String? = nil) -> String {
        let notes = [
            limits.contains(.noCellular) ? "not over cellular" : nil,
            isDiscretionary ? "over Wi-Fi and with a charger alone" : nil,
            isResumed ? nil : "once it is resumed",
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
            }
        return "Task \(number)\(whose), in the background session “\(session)”, \(deed)"
            + (notes.isEmpty ? "" : ", \(notes)") + "."
    }
}
