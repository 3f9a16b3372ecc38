import RunLog
import RunPlan

/// The key `operations`: the upload operations that the app begins, in order.
enum OperationKeys {
    static let name = "operations"

    static func read(_ node: YAMLNode, draft: inout ScenarioDraft) {
        let expectation = "a list of uploads, such as “- upload: video.mov” with “to: …” under it"
        guard let items = node.items(orElse: "there is no operation", expected: expectation)
        else { return }
        draft.counts[.operations] = UInt64(items.count)
        for item in items {
            var operation = OperationDraft(filePaths: draft.filePaths)
            entries.read(item, into: &operation)
            draft.outside += operation.outside
            guard let source = operation.source, let destination = operation.destination else {
                continue
            }
            draft.destinations?.append(destination)
            draft.app.operations.append(
                PlannedOperation(
                    source: source, to: destination, refreshesToken: operation.refreshesToken))
        }
    }

    static let shape = Shape.list(of: entries.shape)

    private struct OperationDraft {
        let filePaths: [String]?
        var source: String?
        var destination: String?
        var outside: [OutsidePath] = []
        var refreshesToken = false
    }

    private static let entries = KeyTable<OperationDraft>(
        name: "an operation",
        keys: [
            .required("upload", .path, "one of the files", example: "video.mov") {
                node, operation in
                operation.source = node.source(among: operation.filePaths)
            },
            .required(
                "to", .path, "where it goes, below the docroot", example: "in/video.mov"
            ) { node, operation in
                operation.destination = node.destination(
                    of: .operations, orElse: &operation.outside)
            },
            .yesOrNo(
                "refreshes-token",
                "`yes`: the app replaces an address whose token has expired; the default is `no`",
                \.refreshesToken),
        ])
}

extension PlannedOperation {
    func sentence(number: Int, of app: String?) -> String {
        let whose = app.map { ", of “\($0)”," } ?? ""
        let token = refreshesToken ? "; a token that has expired is replaced" : ""
        return "Operation \(number)\(whose) uploads \(source) to \(destination)\(token)."
    }
}
