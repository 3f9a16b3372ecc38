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

    @Test func `an export that fails leaves what was there`() throws {
        let desk = try Desk()
        _ = try desk.lab("run", "green.yaml", "--report", "out")
        try desk.write("before", to: "old.csv")
        let export = "\"$lab\" export out/green --as csv --to"
        let short = try desk.shell("trap '' XFSZ; ulimit -f 1; \(export) old.csv")
        #expect(short.code == 2, "\(short.call)")
        #expect(short.errors.contains("cannot write old.csv: File too large"), "\(short.errors)")
        #expect(try desk.text(of: "old.csv") == "before")
        let full = try desk.shell("ln -s /dev/full full.csv; \(export) full.csv")
        #expect(full.code == 2 && full.errors.contains("the disk is full"), "\(full.errors)")
        // The device is still there, and nothing beside it.
        #expect(try desk.shell("test -c full.csv").code == 0)
        #expect(try desk.shell("ls | grep unfinished").output == "")
        #expect(try desk.shell("\(export) old.csv").code == 0)
        #expect(try desk.text(of: "old.csv").hasPrefix("time_s,"))
    }
}
