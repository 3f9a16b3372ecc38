import Foundation
import Scenario
import Testing

/// Each statement of the behaviour has a test that cites it, in its name or in what it says of
/// itself.
@Suite struct StatementsHaveTestsTests {
    /// Nothing does these yet: the settings of the queue. Whoever builds them takes them from here.
    static let awaited: Set<String> = []

    static let citations: [String: [String]] = {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent()
        let paths = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
        let itself = URL(filePath: #filePath).lastPathComponent
        let files = (paths?.compactMap { $0 as? URL } ?? [])
            .filter { $0.pathExtension == "swift" && $0.lastPathComponent != itself }
        var found: [String: [String]] = [:]
        for file in files.sorted(by: { $0.path < $1.path }) {
            guard let text = try? String(contentsOf: file, encoding: .utf8) else { continue }
            for number in cited(in: text) {
                found[number, default: []].append(file.lastPathComponent)
            }
        }
        return found
    }()

    @Test(arguments: Statement.all.map(\.number)) func `a test cites it`(number: String) {
        let tests = Self.citations[number] ?? []
        if Self.awaited.contains(number) {
            #expect(tests.isEmpty, "\(number) has tests: it is awaited no more")
        } else {
            #expect(!tests.isEmpty, "write a test of \(number), and cite it in its name")
        }
    }

    @Test func `what is awaited are statements`() {
        #expect(Self.awaited.isSubset(of: Statement.all.map(\.number)))
    }

    @Test func `names of tests and what they say of themselves cite, and code does not`() {
        let text = """
            /// Behaviour A1 and A2.
            @Test func `it goes on (B3, B4)`() { cites("S1") }
            // A5 is no citation, and neither is XA6, A77x or `A7` in code: A8.
            let a9 = "A9"
            /// From A10 to A12.
            """
        #expect(Self.cited(in: text) == ["A1", "A2", "B3", "B4", "A10", "A11", "A12"])
    }

    /// In the lines of documentation and in the names of tests; `A3 to A5` are three.
    private static func cited(in text: String) -> Set<String> {
        var numbers: Set<String> = []
        for line in text.split(separator: "\n").map({ $0.drop { $0 == " " } }) {
            let words: Substring
            if line.hasPrefix("///") {
                words = line
            } else if let name = line.firstMatch(of: /func `([^`]*)`/) {
                words = name.1
            } else {
                continue
            }
            for match in words.matches(of: /\b([APUBKSL])(\d{1,2})\b( to \1(\d{1,2})\b)?/) {
                guard let first = Int(match.2) else { continue }
                let last = match.4.flatMap { Int($0) } ?? first
                for number in first...max(first, last) { numbers.insert("\(match.1)\(number)") }
            }
        }
        return numbers
    }
}
