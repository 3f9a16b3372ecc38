package import Foundation

/// A copy of the project with all mutants planted. Files that have not changed keep their dates, so
/// that only what changed is built again.
package struct PlantedTree {
    package let folder: URL

    /// What a build and the tests need of the project.
    private static let copied = [
        "Package.swift", "Sources", "Tests", "Scenarios", "Reports/README.md", "Reports/baselines",
        "Reports/pictures", "README.md", "CONTRIBUTING.md", "lab",
    ]

    package init(at folder: URL) { self.folder = folder }

    /// Writes the copy.
    package func plant(_ field: MutantField, of root: URL) throws(RunFailure) {
        let planting = try MutantPlanting(field) { path in
            try? String(contentsOf: root.appending(path: path), encoding: .utf8)
        }
        var wanted: [String: Data] = [:]
        for name in Self.copied {
            for path in Self.files(at: name, in: root) {
                wanted[path] = FileManager.default.contents(
                    atPath: root.appending(path: path).path)
            }
        }
        for (path, text) in planting.texts { wanted[path] = Data(text.utf8) }  // any order: files
        wanted["Package.swift"] = wanted["Package.swift"].map(Self.tolerant)
        do {
            for name in Self.copied {
                for path in Self.files(at: name, in: folder) where wanted[path] == nil {
                    try FileManager.default.removeItem(at: folder.appending(path: path))
                }
            }
            for path in wanted.keys.sorted() {
                try write(wanted[path] ?? Data(), to: path, like: root)
            }
        } catch {
            throw RunFailure("\(folder.path) cannot be written: \(error.systemReason)")
        }
    }

    private func write(_ data: Data, to path: String, like root: URL) throws {
        let file = folder.appending(path: path)
        guard FileManager.default.contents(atPath: file.path) != data else { return }
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try data.write(to: file)
        if FileManager.default.isExecutableFile(atPath: root.appending(path: path).path) {
            try FileManager.default.setAttributes(
                [.posixPermissions: 0o755], ofItemAtPath: file.path)
        }
    }

    /// A bug may leave a variable unused, so warnings are not errors in the copy.
    private static func tolerant(_ manifest: Data) -> Data {
        let text = String(decoding: manifest, as: UTF8.self)
        return Data(text.replacing(".treatAllWarnings(as: .error),", with: "").utf8)
    }

    /// Returns the paths of all files at or below `name`, relative to `root`, in order.
    private static func files(at name: String, in root: URL) -> [String] {
        let place = root.appending(path: name).path
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: place, isDirectory: &isFolder) else {
            return []
        }
        guard isFolder.boolValue else { return [name] }
        let found = FileManager.default.enumerator(atPath: place)?.compactMap { $0 as? String }
        return (found ?? []).filter { file in
            var isFolder: ObjCBool = false
            let isThere = FileManager.default.fileExists(
                atPath: "\(place)/\(file)", isDirectory: &isFolder)
            return isThere && !isFolder.boolValue
        }.sorted().map { "\(name)/\($0)" }
    }
}
