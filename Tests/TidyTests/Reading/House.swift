import Foundation

/// The repository as it stands on the disk, read once for all rules.
enum House {
    static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    /// Every Swift file under `Sources` and `Tests`, and the manifest.
    static let sources: [SourceFile] =
        texts.filter { $0.path.hasSuffix(".swift") }
        .map { SourceFile(path: $0.path, text: $0.text) }

    static let manifest = Manifest(
        sources.first { $0.path == "Package.swift" } ?? SourceFile(path: "Package.swift", text: ""))

    /// Every text that is committed, dot files included: paths from the root, in order.
    static let texts: [(path: String, text: String)] =
        files.compactMap { path in
            guard let contents = try? Data(contentsOf: root.appending(path: path)),
                let text = String(data: contents, encoding: .utf8)
            else { return nil }
            return (path, text)
        }

    /// Every file but those that `.gitignore` names.
    static let files: [String] = entries.filter { !$0.hasSuffix("/") }

    /// Every folder but those that `.gitignore` names; each ends in a slash.
    static let folders: [String] = entries.filter { $0.hasSuffix("/") }

    private static let entries = entries(of: "")

    /// What `.gitignore` leaves out, and git's own folder.
    private static func isIgnored(_ path: String) -> Bool {
        let kept = ["Reports/README.md", "Reports/baselines/", "Reports/pictures/"]
        if path.hasPrefix("Reports/") && path != "Reports/" {
            return !kept.contains { path.hasPrefix($0) }
        }
        return [".git", ".git/", ".build/", ".lab/"].contains(path)
    }

    private static func entries(of folder: String) -> [String] {
        let place = root.appending(path: folder)
        let names = (try? FileManager.default.contentsOfDirectory(atPath: place.path)) ?? []
        return names.sorted().flatMap { name -> [String] in
            var isFolder: ObjCBool = false
            let path = folder + name
            _ = FileManager.default.fileExists(
                atPath: root.appending(path: path).path, isDirectory: &isFolder)
            let entry = isFolder.boolValue ? path + "/" : path
            if isIgnored(entry) { return [] }
            return isFolder.boolValue ? [entry] + entries(of: entry) : [entry]
        }
    }
}
