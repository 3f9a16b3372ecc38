import Foundation
import Reports
import RunLog
import Testing

/// A run that trapped has no verdict; every format has it as an error, with its seed and command.
@Suite struct TrappedRunTests {
    private static var suite: Suite {
        var suite = Suite(entries: [SampleRun.suite.entries[0]])
        suite.trapped = [
            TrappedRun(
                scenario: "a <b>", path: "Scenarios/queue/b.yaml", world: .simulated, seed: 5,
                reason: "it trapped", command: "./lab run Scenarios/queue/b.yaml --seed 5")
        ]
        return suite
    }

    @Test func `the suite is not green, and counts the run`() {
        #expect(!Self.suite.isGreen && Self.suite.count == 2 && Self.suite.red == 0)
    }

    @Test func `the JUnit file has an error with the reason and the command`() {
        let document = SampleRun.junit(of: Self.suite)
        #expect(document.contains("tests=\"2\" failures=\"0\" errors=\"1\""))
        #expect(document.contains("name=\"a &lt;b&gt;, seed 5\""))
        #expect(
            document.contains(
                """
                <error type="trap" message="it trapped">Scenarios/queue/b.yaml:1
                reproduce with: ./lab run Scenarios/queue/b.yaml --seed 5</error>
                """))
    }

    @Test func `the summary has the run beside the others, and none if none trapped`() {
        func summary(_ suite: Suite) -> String {
            String(decoding: SuiteJSON.data(for: suite), as: UTF8.self)
        }
        #expect(summary(Self.suite).contains("\"trapped\" : ["))
        #expect(summary(Self.suite).contains("\"reason\" : \"it trapped\","))
        #expect(!summary(SampleRun.suite).contains("trapped"))
    }

    @Test func `the index and the terminal name it with its command`() {
        let page = SuiteIndex.document(for: Self.suite)
        #expect(page.contains("<h1>1 of 2 runs trapped</h1>"))
        #expect(page.contains("</span> a &lt;b&gt;, seed 5</p>"))
        #expect(page.contains("<code>./lab run Scenarios/queue/b.yaml --seed 5</code>"))
        let lines = TerminalSummary(isColoured: false)
        #expect(
            lines.text(for: Self.suite.trapped[0]) == """
                ✘ a <b>, seed 5
                    it trapped
                    reproduce  ./lab run Scenarios/queue/b.yaml --seed 5
                """)
        #expect(lines.total(of: Self.suite) == "2 runs: 1 green, ✘ 1 trapped")
    }
}
