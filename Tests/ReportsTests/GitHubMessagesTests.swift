import Reports
import Testing

/// What GitHub Actions reads is escaped as its documentation demands, and bounded.
@Suite struct GitHubMessagesTests {
    private static func report(_ count: Int, name: String = "a test") -> TestReport {
        TestReport(
            of: "run",
            (0..<count).map { number in
                var test = TestCase(
                    suite: ["a"], name: "\(name) \(number)", place: SourcePlace(file: "a.yaml"))
                test.outcome = .failed(TestFailure("S3", "cause \(number)", command: "./lab"))
                return test
            })
    }

    @Test func `properties and messages are escaped, each by its own rules`() {
        var test = TestCase(suite: ["a"], name: "100 %: a, b\nc")
        test.outcome = .failed(
            TestFailure(
                "S3", "50 %, then: c\r\nd",
                at: SourcePlace(file: "a,b: 1%.yaml", line: 3, column: 9)
            ))
        let lines = GitHubMessages.annotations(for: TestReport(of: "run", [test]))
        #expect(
            lines == [
                "::error file=a%2Cb%3A 1%25.yaml,line=3,col=9,"
                    + "title=100 %25%3A a%2C b%0Ac::50 %25, then: c%0D%0Ad"
            ])
    }

    @Test func `a failure without a file has no file, and one without a column no column`() {
        var test = TestCase(suite: ["chance"], name: "seed 7")
        test.outcome = .broke(TestFailure("trap", "it trapped"))
        var other = TestCase(suite: ["a"], name: "b", place: SourcePlace(file: "b.yaml"))
        other.outcome = .failed(TestFailure("S3", "why"))
        #expect(
            GitHubMessages.annotations(for: TestReport(of: "chance", [test, other])) == [
                "::error title=seed 7::it trapped", "::error file=b.yaml,line=1,title=b::why",
            ])
    }

    @Test func `more failures than GitHub shows are counted in a notice`() {
        let ten = GitHubMessages.annotations(for: Self.report(10))
        #expect(ten.count == 10 && ten.allSatisfy { $0.hasPrefix("::error ") })
        let lines = GitHubMessages.annotations(for: Self.report(13))
        #expect(lines.count == 11)
        #expect(lines.last?.hasPrefix("::notice title=TransferLab run::3 more failures") == true)
    }

    @Test func `the summary says how many failed, and lists them in a table`() {
        var report = Self.report(2, name: "a | `b` *c* <d>")
        report.cases.append(TestCase(suite: ["a"], name: "good"))
        var skipped = TestCase(suite: ["a"], name: "skipped")
        skipped.outcome = .skipped(because: "an earlier run was red")
        report.cases.append(skipped)
        let lines = GitHubMessages.summary(of: report).split(separator: "\n")
        #expect(lines.first == "## TransferLab run: ✘ 2 failed, 1 passed, 1 left out")
        #expect(lines.count == 5)
        #expect(
            lines[3]
                == "| a &#124; &#96;b&#96; &#42;c&#42; &lt;d&gt; 0 | cause 0 "
                + "| <code>a.yaml:1</code> | <code>./lab</code> |")
    }

    @Test func `a green summary is a headline`() {
        let report = TestReport(of: "run", [TestCase(suite: ["a"], name: "good")])
        #expect(GitHubMessages.summary(of: report) == "## TransferLab run: ✔ all 1 passed\n\n")
    }

    @Test func `a summary stays below GitHub's limit, and says what it leaves out`() {
        let summary = GitHubMessages.summary(
            of: Self.report(5_000, name: String(repeating: "*", count: 5_000)))
        #expect(summary.utf8.count < 1_000_000)
        #expect(summary.contains("\nand 4900 more; junit.xml lists them all\n"))
    }
}
