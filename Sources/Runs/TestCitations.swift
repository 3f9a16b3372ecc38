import Foundation
import Scenario

/// The tests that cite statements, in their names or their documentation.
package struct TestCitations: Hashable, Sendable, Codable {
    package let statements: [Row]

    package struct Row: Hashable, Sendable, Codable {
        package let statement: String
        package let text: String
        package let tests: [Place]
    }

    package struct Place: Hashable, Sendable, Codable {
        package let path: String
        package let line: Int
        /// The test's name, or the line of documentation.
        package let words: String
    }

    /// Reads all tests in a folder, in the order of their paths.
    package init(in folder: String) throws(RunFailure) {
        let root = URL(filePath: folder)
        let files = FileManager.default.enumerator(atPath: root.path)?
            .compactMap { $0 as? String }.filter { $0.hasSuffix(".swift") }.sorted()
        guard let files, !files.isEmpty else {
            throw RunFailure(
                "there are no tests in “\(folder)”: name a folder of tests, such as Tests")
        }
        var found: [String: [Place]] = [:]
        for file in files {
            guard let text = try? String(contentsOf: root.appending(path: file), encoding: .utf8)
            else { throw RunFailure("\(folder)/\(file) cannot be read") }
            for (number, line, words) in Self.citations(in: text) {
                found[number, default: []].append(
                    Place(path: "\(folder)/\(file)", line: line, words: words))
            }
        }
        statements = Statement.all.map { statement in
            Row(
                statement: statement.number, text: statement.text,
                tests: found[statement.number] ?? [])
        }
    }

    package var untested: [String] { statements.filter(\.tests.isEmpty).map(\.statement) }

    /// Returns the citations in documentation and in names of tests; `A3 to A5` are three.
    package static func citations(
        in text: String
    ) -> [(statement: String, line: Int, words: String)] {
        var citations: [(statement: String, line: Int, words: String)] = []
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() {
            let line = line.drop { $0 == " " }
            let words: Substring
            if line.hasPrefix("///") {
                words = line.dropFirst(3).drop { $0 == " " }
            } else if let name = line.firstRange(of: "func `") {
                words = line[name.upperBound...].prefix { $0 != "`" }
            } else {
                continue
            }
            for number in cited(in: words) { citations.append((number, index + 1, String(words))) }
        }
        return citations
    }

    private static func cited(in words: Substring) -> [String] {
        var numbers: [String] = []
        for match in words.matches(of: /\b([APUBKSL])(\d{1,2})\b( to \1(\d{1,2})\b)?/) {
            guard let first = Int(match.2) else { continue }
            let last = match.4.flatMap { Int($0) } ?? first
            for number in first...max(first, last) { numbers.append("\(match.1)\(number)") }
        }
        return numbers
    }
}
