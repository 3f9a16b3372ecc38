import Foundation
import Testing

/// `schema --of`, against a judge that nobody here wrote: what the program writes, it must take,
/// and nothing else.
@Suite struct ResultSchemaTests {
    /// Says for each file `good` or the place and message of its first flaw.
    private static let judge = """
        import json, sys
        import jsonschema_rs
        schema = json.load(open(sys.argv[1]))
        judge = jsonschema_rs.Draft202012Validator(schema)
        for path in sys.argv[2:]:
            flaws = sorted(judge.iter_errors(json.load(open(path))), key=str)
            flaw = flaws[0] if flaws else None
            print(path, 'good' if not flaw else
                f'{flaw.instance_path} {flaw.message[-200:]}'.replace('\\n', ' '))
        """

    private static func judged(
        _ files: [String], as kind: String, at desk: Desk
    ) throws -> [String] {
        let schema = try desk.lab("schema", "--of", kind)
        #expect(schema.code == 0, "\(schema.call): \(schema.errors)")
        try desk.write(schema.output, to: "\(kind).schema.json")
        try desk.write(judge, to: "judge.py")
        let answer = try Program.run(
            ["judge.py", "\(kind).schema.json"] + files, of: Program.python ?? "", in: desk.url,
            environment: [:])
        #expect(answer.code == 0, "\(answer.errors)")
        return answer.lines
    }

    private static func expectGood(_ files: [String], as kind: String, at desk: Desk) throws {
        #expect(!files.isEmpty)
        #expect(try judged(files, as: kind, at: desk) == files.map { "\($0) good" })
    }

    /// Hash seeds differ in every process; runs do not (S15).
    @Test(.enabled(if: Program.python != nil, "./lab test installs jsonschema-rs"))
    func `the house's scenarios leave the same files in two processes, and they are good`() throws {
        let desk = try Desk()
        for name in ["out/house", "again"] {
            let answer = try Program.run(
                ["run", Desk.houseScenarios, "--report", name], of: Program.path, in: desk.url,
                environment: [:], seconds: 400)
            #expect(answer.code == 0, "\(answer.call): \(answer.output)")
        }
        // These tell how long the machine took.
        #expect(
            try desk.shell("diff -rq out/house again").lines
                == ["ctrf.json", "index.html", "junit.xml"].map {
                    "Files out/house/\($0) and again/\($0) differ"
                })
        _ = try desk.lab("run", ".", "--seeds", "1...2", "--packets", "--report", "out/red")
        let found = FileManager.default.enumerator(atPath: desk.url.appending(path: "out").path)
        let files = (found?.compactMap { $0 as? String } ?? []).sorted().map { "out/\($0)" }
        try Self.expectGood(files.filter { $0.hasSuffix("/summary.json") }, as: "summary", at: desk)
        try Self.expectGood(["out/red/performance.json"], as: "performance", at: desk)
        let runs = files.filter { $0.hasSuffix("/run.json") }
        #expect(runs.count > 1_000)
        try Self.expectGood(runs, as: "run", at: desk)
    }

    @Test(.enabled(if: Program.python != nil, "./lab test installs jsonschema-rs"))
    func `a live run and a suite with all kinds of trouble are good`() throws {
        let desk = try Desk()
        try desk.write(
            Desk.red.replacing("note.txt: 80 kB", with: "note.txt: 4 kB"), to: "live.yaml")
        #expect(try desk.lab("live", "live.yaml", "--report", "live").code == 1)
        try desk.write(Desk.green, to: "suite/a.yaml")
        try desk.write("tags: [long]\n" + Desk.green, to: "suite/b.yaml")
        try desk.write("sometimes:\n  - a session fails\n", to: "suite/suite.yaml")
        // A folder stands where a run's files would go.
        try desk.write(Desk.green, to: "suite/c.yaml")
        try desk.write("", to: "out/suite/c")
        #expect(try desk.lab("run", "suite", "--report", "out").code == 2)
        try Self.expectGood(["live/summary.json", "out/summary.json"], as: "summary", at: desk)
        try Self.expectGood(["live/live/run.json"], as: "run", at: desk)
    }

    @Test(.enabled(if: Program.python != nil, "./lab test installs jsonschema-rs"))
    func `crashes, random runs, figures and comparisons are good`() throws {
        let desk = try Desk()
        _ = try desk.lab("crash", ".", "--report", "crashes")
        try Self.expectGood(["crashes/crashes.json"], as: "crashes", at: desk)
        _ = try desk.lab("chance", "--runs", "5", "--report", "chance")
        try Self.expectGood(["chance/chance.json"], as: "chance", at: desk)
        let baselines = URL(filePath: Desk.houseScenarios).deletingLastPathComponent()
            .appending(path: "Reports/baselines").path
        let sheets = ["bench.json", "scenarios.json"].map { "\(baselines)/\($0)" }
        try Self.expectGood(sheets, as: "figures", at: desk)
        _ = try desk.lab("run", ".", "--report", "a")
        _ = try desk.lab("run", ".", "--seeds", "1...2", "--report", "b")
        let comparison = try desk.lab("compare", "a", "b", "--json", "--report", "change")
        try desk.write(comparison.output, to: "comparison.json")
        try Self.expectGood(["change/performance.json"], as: "performance", at: desk)
        try Self.expectGood(["comparison.json"], as: "comparison", at: desk)
    }

    /// What is changed in a good summary, and a word of the judge's answer.
    private static let slips: [(old: String, new: String, says: String)] = [
        (#""green" : "#, #""gren" : "#, "green"), (#""seed" : 1"#, #""seed" : "1""#, "seed"),
        (#""world" : "simulated""#, #""world" : "dreamt""#, "dreamt"),
        ("transferlab-suite/1", "transferlab-suite/2", "format"),
        (#""rule" : "#, #""colour" : "red", "rule" : "#, "colour"),
        (#""isGreen" : true"#, #""isGreen" : 1"#, "isGreen"),
    ]

    @Test(
        .enabled(if: Program.python != nil, "./lab test installs jsonschema-rs"),
        arguments: slips)
    func `a key that the schema does not know is refused, and so is a wrong value`(
        slip: (old: String, new: String, says: String)
    ) throws {
        let desk = try Desk()
        _ = try desk.lab("run", ".", "--report", "out")
        let text = try desk.text(of: "out/summary.json")
        let odd = text.replacing(slip.old, with: slip.new)
        #expect(odd != text, "\(slip)")
        try desk.write(odd, to: "odd.json")
        let lines = try Self.judged(["odd.json"], as: "summary", at: desk)
        #expect(lines.count == 1 && !lines[0].hasSuffix(" good"), "\(lines)")
        #expect(lines[0].contains(slip.says), "\(lines)")
    }

    @Test func `a schema that does not exist is refused, with those that do`() throws {
        let desk = try Desk()
        let answer = try desk.lab("schema", "--of", "sumary")
        #expect(answer.code == 2 && answer.output.isEmpty)
        #expect(answer.errors.contains("did you mean “summary”?"), "\(answer.errors)")
        let both = try desk.lab("schema", "--of", "run", "--suite")
        #expect(both.code == 2 && both.errors.contains("--of prints one schema"))
        let help = try desk.lab("help", "schema")
        for name in [
            "summary", "run", "crashes", "chance", "figures", "comparison", "performance", "events",
        ] {
            #expect(help.output.contains("  \(name)  "), "\(help.output)")
        }
    }
}
