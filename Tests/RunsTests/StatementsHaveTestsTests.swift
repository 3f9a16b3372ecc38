import Foundation
import Scenario
import Testing

@testable import Runs

/// Each statement of the behaviour has a test that cites it, in its name or in what it says of
/// itself.
@Suite struct StatementsHaveTestsTests {
    static let citations = Result {
        try TestCitations(in: HouseScenarios.root.appending(path: "Tests").path)
    }

    @Test(arguments: Statement.all.map(\.number)) func `a test cites it`(number: String) throws {
        let row = try Self.citations.get().statements.first { $0.statement == number }
        #expect(row?.tests.isEmpty == false, "write a test of \(number), and cite it in its name")
    }

    @Test func `names of tests and what they say of themselves cite, and code does not`() {
        // In pieces, so that these lines cite nothing themselves.
        let (says, named) = ("///", "@Test func")
        let text = """
            \(says) Behaviour A1 and A2.
            \(named) `it goes on (B3, B4)`() { cites("S1") }
            // A5 is no citation, and neither is XA6, A77x or `A7` in code: A8.
            let a9 = "A9"

            \(says) From A10 to A12.
            """
        let citations = TestCitations.citations(in: text)
        #expect(
            citations.map(\.statement) == ["A1", "A2", "B3", "B4", "A10", "A11", "A12"])
        #expect(citations.map(\.line) == [1, 1, 2, 2, 6, 6, 6])
        #expect(citations[2].words == "it goes on (B3, B4)")
    }

    @Test func `a folder without tests is told, and a statement without one is untested`() throws {
        #expect(throws: RunFailure.self) { try TestCitations(in: "/nowhere") }
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "cited tests \(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try Data("/\("//") All of A1 to A19.\n".utf8).write(to: folder.appending(path: "A.swift"))
        let citations = try TestCitations(in: folder.path)
        #expect(citations.untested.first == "A20")
        #expect(citations.statements.first?.tests.first?.line == 1)
    }
}
