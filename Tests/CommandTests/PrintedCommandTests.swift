import Foundation
import Testing

/// Every command that a page of this project prints is one that works in a fresh clone: its word,
/// its options and its files are there.
@Suite struct PrintedCommandTests {
    static let root = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    static let pages = [
        "README.md", "CONTRIBUTING.md", "Reports/README.md", "Scenarios/README.md",
        "Tests/Mutants/README.md",
        "Scenarios/STATEMENTS.md", "Sources/Capture/Capture.docc/Packets.md",
        "Sources/DocrootServer/DocrootServer.docc/Server.md",
        "Sources/Live/Live.docc/LiveRuns.md", "Sources/Protocols/Protocols.docc/PacedTransport.md",
        "Sources/Runs/Runs.docc/Benchmark.md",
        "Sources/Runs/Runs.docc/CommandLine.md", "Sources/Runs/Runs.docc/Failures.md",
        "Sources/Scenario/Scenario.docc/Glossary.md",
    ]

    /// What the wrapper does itself stands in its own head.
    static let wrappersOwn: Set<String> = ["test", "setup", "cpu", "help"]

    /// The words behind `./lab` of each command on a page, without what follows `#`, `|` or `;`.
    static func commands(on page: String) throws -> [[String]] {
        let text = try String(contentsOf: root.appending(path: page), encoding: .utf8)
        let blocks = text.components(separatedBy: "```").enumerated()
            .filter { !$0.offset.isMultiple(of: 2) }.map(\.element)
        let spans = text.components(separatedBy: "`").filter { $0.hasPrefix("./lab ") }
        let lines = blocks.joined(separator: "\n").replacing("\\\n", with: " ")
            .split(separator: "\n").map(String.init)
        return (lines + spans).filter { $0.hasPrefix("./lab ") }.map { line in
            let end = line.firstIndex { "#|;".contains($0) } ?? line.endIndex
            return line[..<end].split(whereSeparator: \.isWhitespace).dropFirst().map(String.init)
        }
    }

    @Test(arguments: pages) func `it is known, and so are its options and its files`(
        page: String
    ) throws {
        let wrapper = try String(contentsOf: Self.root.appending(path: "lab"), encoding: .utf8)
        for words in try Self.commands(on: page) {
            let call = "./lab \(words.joined(separator: " ")) in \(page)"
            let name = try #require(words.first, "\(call)")
            if Self.wrappersOwn.contains(name) {
                #expect(wrapper.contains("#   ./lab \(name) ") || name == "help", "\(call)")
                continue
            }
            let help = try Program.run(["help", name], in: Self.root)
            #expect(help.code == 0, "\(call)")
            for option in words where option.hasPrefix("--") {
                #expect(help.output.contains(option), "\(call) has an option of its own")
            }
            for file in words where file.hasPrefix("Scenarios/") && file.hasSuffix(".yaml") {
                let path = Self.root.appending(path: file).path
                #expect(FileManager.default.fileExists(atPath: path), "\(call)")
            }
        }
    }

    @Test func `every page with commands is among them`() throws {
        let files = FileManager.default.enumerator(atPath: Self.root.path)
        let ignored = [".build", ".git", ".lab", "Reports/latest"]
        while let path = files?.nextObject() as? String {
            if ignored.contains(path) { files?.skipDescendants() }
            guard path.hasSuffix(".md"), !Self.pages.contains(path) else { continue }
            #expect(try Self.commands(on: path).isEmpty, "\(path) is not among the pages")
        }
    }

    @Test func `there are commands on the front page, and each command is on some page`() throws {
        let front = Set(try Self.commands(on: "README.md").compactMap(\.first))
        #expect(front.isSuperset(of: ["run", "test", "check"]))
        let all = Set(try Self.pages.flatMap { try Self.commands(on: $0) }.compactMap(\.first))
        let overview = try Program.run(["help"], in: Self.root).output.split(separator: "\n")
        let known = overview.filter { $0.hasPrefix("  ") && !$0.hasPrefix("   ") }.compactMap {
            $0.split(separator: " ").first
        }
        #expect(known.count > 15)
        #expect(Set(known.map(String.init)).subtracting(all) == [])
    }
}
