import Content
import RunPlan

/// The key `files`: the files in the app's container, by path and size.
enum FileKeys {
    static let example = "{ video.mov: 80 MB }"

    static func read(_ node: YAMLNode, draft: inout ScenarioDraft, mistakes: inout Mistakes) {
        let expectation = "a path and a size for each file, such as \(example)"
        guard let pairs = mistakes.pairs(of: node, expected: expectation) else { return }
        draft.filePaths = pairs.map(\.key.text)
        for (key, value) in pairs {
            if let problem = RelativePath.problem(with: key.text, below: "the app's container") {
                mistakes.add(problem.message, at: key.place, expected: problem.expected)
            } else if let file = pairs.first(where: { key.text.hasPrefix($0.key.text + "/") }) {
                mistakes.add(
                    "“\(file.key.text)” is a file, not a folder", at: key.place,
                    expected: "paths that can exist together in one file system")
            }
            guard let words = mistakes.text(of: value, expected: Measure.size.expectation),
                let size = mistakes.size(words)
            else { continue }
            let version = FileVersion(file: UInt32(draft.files.count + 1), edit: 0)
            draft.files.append(PlannedFile(path: key.text, version: version, size: size))
        }
    }
}
