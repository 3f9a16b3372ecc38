import Content
import RunPlan

/// The key `files`: the files in the app's container, by path and size.
enum FileKeys {
    static let example = "{ video.mov: 80 MB }"

    static func read(_ node: YAMLNode, draft: inout ScenarioDraft) {
        let expectation = "a path and a size for each file, such as \(example)"
        guard let pairs = node.pairs(expected: expectation) else { return }
        let paths = pairs.map(\.key.text)
        draft.filePaths = paths
        let files = Set(paths)
        for (key, value) in pairs {
            if key.path(below: "the app's container") != nil,
                let file = folders(of: key.text).first(where: files.contains)
            {
                key.refuse(
                    "“\(file)” is a file, not a folder",
                    expected: "paths that can exist together in one file system")
            }
            guard let size = value.size() else { continue }
            let version = FileVersion(file: UInt32(draft.files.count + 1), edit: 0)
            draft.files.append(PlannedFile(path: key.text, version: version, size: size))
        }
    }

    /// The folders in which a file is, the outermost first.
    private static func folders(of path: String) -> [String] {
        path.indices.filter { path[$0] == "/" }.map { String(path[..<$0]) }
    }
}
