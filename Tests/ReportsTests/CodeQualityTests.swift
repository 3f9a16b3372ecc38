import Foundation
import Reports
import Testing

/// GitLab compares the fingerprints of two branches: the same failure has the same one.
@Suite struct CodeQualityTests {
    private static func failed(_ name: String, _ message: String, line: Int) -> TestCase {
        var test = TestCase(suite: ["a"], name: name, place: SourcePlace(file: "a.yaml"))
        test.outcome = .failed(
            TestFailure("S3", message, at: SourcePlace(file: "a.yaml", line: line)))
        return test
    }

    private static func issues(_ cases: [TestCase]) throws -> [Issue] {
        try JSONDecoder().decode(
            [Issue].self, from: CodeQuality.data(for: TestReport(of: "run", cases)))
    }

    @Test func `an issue has what GitLab asks for`() throws {
        let issue = try #require(Self.issues([Self.failed("b", "at 3 s", line: 9)]).first)
        #expect(issue.description == "b: at 3 s" && issue.check_name == "transferlab/S3")
        #expect(issue.severity == "major" && issue.location.path == "a.yaml")
        #expect(issue.location.lines.begin == 9)
    }

    @Test func `a failure that has moved, or comes later, keeps its fingerprint`() throws {
        let before = try Self.issues([Self.failed("b", "at 3 s", line: 9)])
        let after = try Self.issues([Self.failed("b", "at 4 s", line: 11)])
        #expect(before[0].fingerprint == after[0].fingerprint)
    }

    @Test func `two failures never share a fingerprint`() throws {
        let issues = try Self.issues(
            ["b", "c", "b", "b"].map { Self.failed($0, "at 3 s", line: 9) })
        #expect(Set(issues.map(\.fingerprint)).count == 4)
    }

    @Test func `a failure without a file is left out, and without failures the list is empty`()
        throws
    {
        var test = TestCase(suite: ["chance"], name: "seed 7")
        test.outcome = .failed(TestFailure("S3", "why"))
        #expect(try Self.issues([test, TestCase(suite: ["a"], name: "good")]).isEmpty)
    }

    private struct Issue: Decodable {
        var description: String
        var check_name: String
        var fingerprint: String
        var severity: String
        var location: Location

        struct Location: Decodable {
            var path: String
            var lines: Lines
        }

        struct Lines: Decodable { var begin: Int }
    }
}
