import Foundation
import Testing

/// `export --as trace`, against the published format and the run's model.
@Suite(.enabled(if: Program.python != nil, "./lab test makes a Python")) struct TraceEventTests {
    @Test(arguments: Exported.scenarios)
    func `the trace has every span, moment and series`(scenario: String) throws {
        let desk = try Desk()
        let run = try Exported.play(scenario, at: desk)
        let answer = try desk.lab("export", run, "--as", "trace", "--to", "run.trace.json")
        #expect(answer.code == 0, "\(answer.call): \(answer.errors)")
        let judged = try Exported.judge("trace", ["\(run)/run.json", "run.trace.json"], at: desk)
        #expect(judged.code == 0, "\(judged.output)\(judged.errors)")
    }

    @Test(arguments: [
        (#""ph":"X""#, #""ph":"Q""#), (#""dur":"#, #""dur":-"#),
        (#""pid":2,"tid""#, #""pid":7,"tid""#),
        (#""s":"g""#, #""s":"x""#), (#""cat":"running""#, #""cat":"walking""#),
        (#""bytes":80000"#, #""bytes":79999"#),
    ])
    func `a trace that is wrong is found`(slip: (old: String, new: String)) throws {
        let desk = try Desk()
        try desk.write(
            Desk.green.replacing(
                "expect:", with: "timeline:\n  - 1 s: app killed\n  - 3 s: app launched\nexpect:"),
            to: "green.yaml")
        let run = try Exported.play("green.yaml", at: desk)
        let trace = try desk.lab("export", run, "--as", "trace").output
        let wrong = trace.replacing(slip.old, with: slip.new)
        #expect(wrong != trace)
        try desk.write(wrong, to: "run.trace.json")
        let judged = try Exported.judge("trace", ["\(run)/run.json", "run.trace.json"], at: desk)
        #expect(judged.code == 1, "\(judged.output)\(judged.errors)")
    }
}
