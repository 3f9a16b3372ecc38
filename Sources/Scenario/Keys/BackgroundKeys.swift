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
        for item in items {
            var task = TaskDraft(filePaths: draft.filePaths)
            entries.read(item, into: &task)
            if let destination = task.destination { draft.destinations?.append(destination) }
            guard let transfer = task.transfer(at: item) else { continue }
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
        var resumableKey: YAMLNode?
        var source: String?
        var size: ByteCount?
        var object: String?
        var destination: String?
        var session = "com.example.background"
        var allowsCellular = true
        var isDiscretionary = false
        var isResumed = true

        func transfer(at node: YAMLNode) -> PlannedTask.Transfer? {
            if let resumableKey, !isUpload {
                return resumableKey.refuse(
                    "only an upload of a file can be resumable",
                    expected: "“resumable” only beside “upload: …”")
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
                return node.refuse(
                    "this is neither an upload nor a download",
                    expected: "“upload: video.mov” with “to: …”, or “download: …” without it")
            }
        }
    }

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
                "download", .path,
                "an object on the server, uploaded before by a session or another task"
            ) { node, task in
                task.isDownload = true
                task.object = node.destination()
            },
            .optional("to", .path, "where an upload goes, below the docroot") { node, task in
                task.hasDestination = true
                task.destination = node.destination()
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
                "discretionary", "`yes`: it waits for Wi-Fi and a charger", \.isDiscretionary),
            .yesOrNo(
                "resumed", "`no`: it waits until the timeline or a rule of the app resumes it",
                \.isResumed),
        ])
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
    func sentence(number: Int, of app: String?) -> String {
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
