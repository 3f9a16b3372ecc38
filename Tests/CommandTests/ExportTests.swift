import Foundation
import Testing

/// `export`: what it takes, and what it refuses.
@Suite struct ExportTests {
    @Test func `a scenario is played for its export`() throws {
        let desk = try Desk()
        _ = try desk.lab("run", "green.yaml", "--seed", "3", "--report", "out")
        for form in ["csv", "trace", "openmetrics"] {
            let run = try desk.lab("export", "out/green", "--as", form)
            let scenario = try desk.lab("export", "green.yaml", "--seed", "3", "--as", form)
            #expect(run.code == 0 && scenario.code == 0, "\(scenario.errors)")
            #expect(run.output == scenario.output, "\(form)")
        }
    }

    @Test func `what cannot be exported is refused with a remedy`() throws {
        let desk = try Desk()
        _ = try desk.lab("run", ".", "--report", "out")
        for (words, says) in [
            (["out/green"], "needs --as with one of"),
            (["out/green", "--as", "xml"], "--as takes one of qlog, trace, csv, openmetrics"),
            (["out/green", "--as", "csv", "--flow", "1"], "--flow is for --as qlog only"),
            (["out/green", "--as", "qlog", "--flow", "7"], "a number from 1 to 1"),
            (["out", "--as", "csv"], "name the folder of one of its runs"),
            ([".", "--as", "csv"], "export takes one scenario, and . has 2"),
            (["out/green", "--as", "csv", "--seed", "2"], "it takes no --seed"),
            (["nowhere", "--as", "trace"], "nowhere"),
            (["out/green", "--as", "csv", "--to", "out"], "cannot write out"),
        ] {
            let answer = try Program.run(["export"] + words, in: desk.url)
            #expect(answer.code == 2 && answer.output.isEmpty, "\(answer.call)")
            #expect(answer.errors.contains(says), "\(answer.call): \(answer.errors)")
        }
    }
}
