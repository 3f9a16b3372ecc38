import Foundation
import Testing

/// `export --as openmetrics`, against a parser that nobody here wrote.
@Suite(.enabled(if: Program.python != nil, "./lab test makes a Python")) struct MetricTests {
    @Test func `a suite's metrics are those of its summary`() throws {
        let desk = try Desk()
        _ = try desk.lab("run", "\(Desk.houseScenarios)/resumable", "--report", "out")
        let metrics = try desk.lab("export", "out", "--as", "openmetrics")
        #expect(metrics.code == 0, "\(metrics.errors)")
        try desk.write(metrics.output, to: "metrics.txt")
        let files = ["out/summary.json", "metrics.txt"]
        let judged = try Exported.judge("metrics", files, at: desk)
        #expect(judged.code == 0, "\(judged.output)\(judged.errors)")
    }

    @Test func `metrics that are wrong are found`() throws {
        let desk = try Desk()
        _ = try desk.lab("run", ".", "--report", "out")
        let metrics = try desk.lab("export", "out", "--as", "openmetrics")
        let files = ["out/summary.json", "metrics.txt"]
        for (old, new) in [
            ("# EOF\n", ""), ("_total{", "{"), ("payload_bytes bytes\n", "payload_bytes seconds\n"),
            ("world=\"simulated\"", "world=simulated"),
            ("status=\"green\"} ", "status=\"green\"} 9"),
        ] {
            let wrong = metrics.output.replacing(old, with: new)
            #expect(wrong != metrics.output, "\(old)")
            try desk.write(wrong, to: "metrics.txt")
            #expect(try Exported.judge("metrics", files, at: desk).code == 1, "\(old)")
        }
    }

    @Test func `a run's metrics are those of its suite`() throws {
        let desk = try Desk()
        _ = try desk.lab("run", ".", "--report", "out")
        let suite = try desk.lab("export", "out", "--as", "openmetrics").lines
        let run = try desk.lab("export", "out/red", "--as", "openmetrics").lines
        #expect(run.count > 40 && run.contains("transferlab_runs{status=\"red\"} 1"))
        #expect(run.contains { $0.hasPrefix("transferlab_run_green{") && $0.hasSuffix(" 0") })
        let own = run.filter { !$0.hasPrefix("transferlab_runs{") }
        #expect(own.allSatisfy(suite.contains))
    }

    @Test func `matrices, red runs and strange names have metrics, too`() throws {
        let desk = try Desk()
        let matrix = "for each: { size: [1 kB, 2 kB] }\n" + Desk.green
        try desk.write(
            matrix.replacing("a small upload", with: #"'a "small" \ upload'"#)
                .replacing("80 kB", with: "'${size}'"), to: "suite/matrix.yaml")
        try desk.write(Desk.red, to: "suite/red.yaml")
        try desk.write("tags: [long]\n" + Desk.green, to: "suite/long.yaml")
        _ = try desk.lab("run", "suite", "--seeds", "1...2", "--report", "out")
        let metrics = try desk.lab("export", "out/summary.json", "--as", "openmetrics")
        #expect(metrics.code == 0, "\(metrics.errors)")
        try desk.write(metrics.output, to: "metrics.txt")
        let judged = try Exported.judge("metrics", ["out/summary.json", "metrics.txt"], at: desk)
        #expect(judged.code == 0, "\(judged.output)\(judged.errors)")
        #expect(metrics.output.contains("transferlab_runs{status=\"left_out\"} 1"))
    }
}
