import RunLog
import RunPlan

/// The key `resumable`: the resumable transfers that the app starts, in order.
enum ResumableKeys {
    static let name = "resumable"

    static func read(_ node: YAMLNode, draft: inout ScenarioDraft, mistakes: inout Mistakes) {
        let expectation =
            "a list of transfers, such as “- upload: video.mov” with “to: …” and “bucket: …” "
            + "under it"
        guard let items = mistakes.items(of: node, expected: expectation) else { return }
        guard !items.isEmpty else {
            mistakes.add("there is no transfer", at: node.place, expected: expectation)
            return
        }
        draft.counts[.bucket] = UInt64(items.count)
        for item in items {
            var transfer = TransferDraft(filePaths: draft.filePaths)
            entries.read(item, into: &transfer, mistakes: &mistakes)
            guard let planned = transfer.planned(at: item, mistakes: &mistakes) else { continue }
            if !planned.isDownload { draft.destinations?.append(planned.objectPath) }
            draft.app.transfers.append(planned)
        }
    }

    static let shape = Shape.list(of: entries.shape)

    private struct TransferDraft {
        let filePaths: [String]?
        /// Keys that were given, readable or not.
        var isUpload = false
        var isDownload = false
        var source: PlacedText?
        var target: PlacedText?
        var bucket: String?

        func planned(at node: YAMLNode, mistakes: inout Mistakes) -> PlannedTransfer? {
            guard isUpload != isDownload else {
                mistakes.add(
                    "this is neither an upload nor a download", at: node.place,
                    expected: "“upload: video.mov” or “download: video.mov”, each with “to: …”")
                return nil
            }
            let (file, object) = isUpload ? (source, target) : (target, source)
            guard let file, let object, let bucket, isGood(file, &mistakes),
                let id = mistakes.name(object, "an object’s identifier, without a slash")
            else { return nil }
            return PlannedTransfer(
                isDownload: isDownload, path: file.text, object: id, bucket: bucket)
        }

        private func isGood(_ file: PlacedText, _ mistakes: inout Mistakes) -> Bool {
            guard let filePaths else { return false }
            if isUpload {
                guard !filePaths.contains(file.text) else { return true }
                let nearest = Spelling.nearest(to: file.text, among: filePaths)
                mistakes.add(
                    "there is no file “\(file.text)”", at: file.place,
                    expected: "a path under “files”",
                    suggestion: nearest.map { "“\($0)”" })
                return false
            }
            if let problem = RelativePath.problem(with: file.text, below: "the container") {
                mistakes.add(problem.message, at: file.place, expected: problem.expected)
                return false
            }
            guard filePaths.contains(file.text) else { return true }
            mistakes.add(
                "“\(file.text)” is one of the files", at: file.place,
                expected: "another path for the download")
            return false
        }
    }

    private static let entries = KeyTable<TransferDraft>(
        name: "a transfer",
        keys: [
            .optional("upload", .path, "one of the files") { node, transfer, mistakes in
                transfer.isUpload = true
                transfer.source = mistakes.text(of: node, expected: "a path")
            },
            .optional(
                "download", .path, "the identifier of an object in the bucket",
                example: "video.mov"
            ) { node, transfer, mistakes in
                transfer.isDownload = true
                transfer.source = mistakes.text(of: node, expected: "an object’s identifier")
            },
            .required(
                "to", .path,
                "for an upload, the object's identifier in the bucket, without a slash; for a "
                    + "download, a path in the container that is none of `files`",
                example: "video.mov"
            ) { node, transfer, mistakes in
                transfer.target = mistakes.text(of: node, expected: "an object, or a path")
            },
            .required(
                "bucket", .text, "the bucket that has the object", example: "films"
            ) { node, transfer, mistakes in
                let wanted = "the name of a bucket, without a slash"
                guard let words = mistakes.text(of: node, expected: wanted) else { return }
                transfer.bucket = mistakes.name(words, wanted)
            },
        ])
}

extension Mistakes {
    /// Reads one component of a path.
    fileprivate mutating func name(_ words: PlacedText, _ expectation: String) -> String? {
        let problem = RelativePath.problem(with: words.text, below: "the docroot")
        guard problem == nil, !words.text.contains("/") else {
            add("“\(words.text)” is not a name", at: words.place, expected: expectation)
            return nil
        }
        return words.text
    }
}

extension PlannedTransfer {
    func sentence(number: Int, of app: String? = nil) -> String {
        let whose = app.map { ", of “\($0)”," } ?? ""
        let deed =
            isDownload
            ? "downloads \(object) of the bucket “\(bucket)” to \(path)"
            : "uploads \(path) as \(object) into the bucket “\(bucket)”"
        return "Transfer \(number)\(whose) \(deed), in chunks."
    }
}
