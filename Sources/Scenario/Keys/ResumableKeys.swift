import RunLog
import RunPlan

/// The key `resumable`: the resumable transfers that the app starts, in order.
enum ResumableKeys {
    static let name = "resumable"

    static func read(_ node: YAMLNode, draft: inout ScenarioDraft) {
        let expectation =
            "a list of transfers, such as “- upload: video.mov” with “to: …” and “bucket: …” "
            + "under it"
        guard let items = node.items(orElse: "there is no transfer", expected: expectation)
        else { return }
        draft.counts[.bucket] = UInt64(items.count)
        for item in items {
            var transfer = TransferDraft(filePaths: draft.filePaths)
            entries.read(item, into: &transfer)
            guard let planned = transfer.planned(at: item) else { continue }
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

        func planned(at node: YAMLNode) -> PlannedTransfer? {
            guard isUpload != isDownload else {
                return node.refuse(
                    "this is neither an upload nor a download",
                    expected: "“upload: video.mov” or “download: video.mov”, each with “to: …”")
            }
            let (file, object) = isUpload ? (source, target) : (target, source)
            guard let file, let object, let bucket, let path = path(file),
                let id = object.name("an object’s identifier, without a slash")
            else { return nil }
            return PlannedTransfer(isDownload: isDownload, path: path, object: id, bucket: bucket)
        }

        private func path(_ file: PlacedText) -> String? {
            guard let filePaths else { return nil }
            return isUpload
                ? file.source(among: filePaths)
                : file.target(besides: filePaths, "is one of the files")
        }
    }

    private static let entries = KeyTable<TransferDraft>(
        name: "a transfer",
        keys: [
            .optional("upload", .path, "one of the files") { node, transfer in
                transfer.isUpload = true
                transfer.source = node.text(expected: "a path")
            },
            .optional(
                "download", .path, "the identifier of an object in the bucket",
                example: "video.mov"
            ) { node, transfer in
                transfer.isDownload = true
                transfer.source = node.text(expected: "an object’s identifier")
            },
            .required(
                "to", .path,
                "for an upload, the object's identifier in the bucket, without a slash; for a "
                    + "download, a path in the container that is none of `files`",
                example: "video.mov", \.target
            ) { $0.text(expected: "an object, or a path") },
            .required("bucket", .text, "the bucket that has the object", example: "films") {
                node, transfer in
                let wanted = "the name of a bucket, without a slash"
                transfer.bucket = node.text(expected: wanted)?.name(wanted)
            },
        ])
}

extension PlacedText {
    /// Reads one component of a path.
    fileprivate func name(_ expectation: String) -> String? {
        guard objection(toPathBelow: "the docroot") == nil, !text.contains("/") else {
            return refuse("“\(text)” is not a name", expected: expectation)
        }
        return text
    }
}

extension PlannedTransfer {
    func sentence(number: Int, of app: String?) -> String {
        let whose = app.map { ", of “\($0)”," } ?? ""
        let deed =
            isDownload
            ? "downloads \(object) of the bucket “\(bucket)” to \(path)"
            : "uploads \(path) as \(object) into the bucket “\(bucket)”"
        return "Transfer \(number)\(whose) \(deed), in chunks."
    }
}
