import Quantities
import Reports
import RunLog
import Testing

@Suite struct TerminalSummaryTests {
    @Test func `a green run is one line`() {
        let text = summary().text(for: SampleRun.suite.entries[0])
        #expect(
            text == """
                ✔ app killed in the middle  seed 7, 8 MB in 9.221 s, 6.941 Mbit/s, \
                600 kB sent again, 112 packets dropped
                """)
    }

    @Test func `a red run says rule, expected, seen, event and the command`() {
        let text = summary().text(for: SampleRun.suite.entries[1])
        let lines = text.split(separator: "\n").dropFirst().joined(separator: "\n")
        #expect(
            lines == """
                    S3 failed
                    S3: each append begins where the server said it would
                      expected   an append at 3 MB, as the server had acknowledged
                      seen       an append at 3000001 B
                      at         5.12 s, event 86: an append to /tus/1 begins at 3 MB
                    reproduce  ./lab run Scenarios/queue/kill.yaml --seed 7
                """)
    }

    @Test func `a canary says which rule fell as it must`() {
        let model = SampleRun().model(verdicts: SampleRun.fallen, mustFail: "S3")
        let text = summary().text(for: SuiteEntry(model, folder: "canary"))
        #expect(text.hasPrefix("✔ "))
        #expect(text.hasSuffix("S3 failed, as it must"))
    }

    @Test func `a run whose queue took no session says so`() {
        var collector = FigureCollector()
        collector.read(RunEvent(at: .start, .run(.began(SampleRun().beginning))))
        let model = ReportModel(collector, verdicts: [], digest: "")
        let text = summary().text(for: SuiteEntry(model, folder: "a"))
        #expect(text.contains("no session was accepted"))
        let page = HTMLReport.document(for: model, charts: nil)
        #expect(page.contains("No session was accepted into the queue."))
    }

    @Test func `the last line counts`() {
        #expect(summary().total(of: SampleRun.suite) == "2 runs: 1 green, ✘ 1 red")
        let one = Suite(entries: [SampleRun.suite.entries[0]])
        #expect(summary().total(of: one) == "1 run: ✔ all green")
    }

    @Test func `colour comes only when asked for`() {
        #expect(!summary().text(for: SampleRun.suite.entries[1]).contains("\u{1B}"))
        let coloured = TerminalSummary(isColoured: true).text(for: SampleRun.suite.entries[1])
        #expect(coloured.contains("\u{1B}[31m✘\u{1B}[0m"))
    }

    @Test func `a scenario's name cannot steer the terminal`() {
        var run = SampleRun()
        run.name = "red \u{1B}[2J\u{9B}31m\nnext"
        let text = summary().text(for: SuiteEntry(run.model(), folder: "a"))
        #expect(text.hasPrefix("✔ red \u{FFFD}[2J\u{FFFD}31m next"))
    }

    private func summary() -> TerminalSummary { TerminalSummary(isColoured: false, nameWidth: 0) }
}
