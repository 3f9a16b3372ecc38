import Testing

/// A newcomer sees the house from the outside first: nothing lies around, nothing is empty, and
/// nothing knows the machine it was written on.
@Suite struct TreeTests {
    static let topLevel: Set<String> = [
        "Package.swift", "Sources", "Tests", "Scenarios", "Reports", "README.md", "CHANGELOG.md",
        "CONTRIBUTING.md", "lab",
    ]

    /// Where people's files lie on one machine or another, each written without its first slash.
    static let homes = ["home", "root", "work", "Users"]

    @Test func `the top level holds what a newcomer expects`() {
        (Self.strangers(in: House.files + House.folders)).expectNone()
    }

    @Test func `no folder is empty, and every target has sources`() {
        Self.emptyFolders(House.folders, files: House.files).expectNone()
    }

    @Test func `no text names a place on somebody's machine`() {
        House.texts.flatMap { Self.machinePaths(in: $0.text, path: $0.path) }.expectNone()
    }

    @Test func `a stranger at the top level is found, once`() {
        let entries = ["docs/", "docs/a.md", "Sources/", "Sources/a.swift", ".ci/", ".gitignore"]
        #expect(Self.strangers(in: entries).map(\.path) == ["docs"])
    }

    @Test func `an empty folder is found, and a target that holds no source`() {
        let folders = ["Sources/", "Sources/A/", "Sources/B/", "Sources/B/C/", "Sources/CLib/"]
        let files = ["Sources/A/notes.md", "Sources/CLib/module.modulemap"]
        let findings = Self.emptyFolders(folders, files: files)
        #expect(findings.map(\.path) == ["Sources/A/", "Sources/B/", "Sources/B/C/"])
    }

    @Test(arguments: homes) func `a machine's path is found`(home: String) {
        let text =
            "fine\nsee /\(home)/me/x\nhttps://host/\(home)/x\nlet a = \"/\(home)\"\na/\(home)/b\n"
        let findings = Self.machinePaths(in: text, path: "README.md")
        #expect(findings.map(\.line) == [2, 4])
        #expect(Self.machinePaths(in: "/\(home)like/x", path: "README.md").isEmpty)
    }

    static func strangers(in entries: [String]) -> [Finding] {
        let names = Set(entries.compactMap { $0.split(separator: "/").first.map(String.init) })
        return names.sorted().filter { !topLevel.contains($0) && !$0.hasPrefix(".") }.map { name in
            Finding(
                path: name, line: 1, fault: "the top level holds only \(topLevel.sorted())",
                remedy: "move it into one of them or delete it")
        }
    }

    static func emptyFolders(_ folders: [String], files: [String]) -> [Finding] {
        folders.filter { folder in
            let inside = files.filter { $0.hasPrefix(folder) }
            let isTarget =
                folder.split(separator: "/").count == 2
                && (folder.hasPrefix("Sources/") || folder.hasPrefix("Tests/"))
            guard isTarget else { return inside.isEmpty }
            return !inside.contains { $0.hasSuffix(".swift") || $0.hasSuffix("/module.modulemap") }
        }
        .filter { $0.split(separator: "/").count > 1 }
        .map { folder in
            Finding(
                path: folder, line: 1, fault: "nothing is in it",
                remedy: "delete it; a room comes with its first file")
        }
    }

    static func machinePaths(in text: String, path: String) -> [Finding] {
        let starts = homes.map { "/\($0)" }
        guard starts.contains(where: { text.contains($0) }) else { return [] }
        return text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
            .compactMap { index, line in
                starts.first { begins(with: $0, in: line) }.map { start in
                    Finding(
                        path: path, line: index + 1, fault: "\(start) is a place on one machine",
                        remedy: "write it relative to the repository or to the run")
                }
            }
    }

    /// Whether an absolute path begins with `start`: not in the middle of a path or an address.
    private static func begins(with start: String, in line: Substring) -> Bool {
        line.ranges(of: start).contains { range in
            let before = line[..<range.lowerBound].last
            let after = line[range.upperBound...].first
            let isMiddle = before.map { $0.isLetter || $0.isNumber || ".-_/}*~".contains($0) }
            let goesOn = after.map { $0.isLetter || $0.isNumber || "-_".contains($0) }
            return !(isMiddle ?? false) && !(goesOn ?? false)
        }
    }
}
