import Foundation
import Testing

/// `schema --of events`, against a judge that nobody here wrote: it takes each line of a log, and
/// nothing else.
@Suite(.enabled(if: Program.python != nil, "./lab test installs jsonschema-rs"))
struct EventSchemaTests {
    /// Prints the flaws of all lines, and how many lines there were. Of lines that differ in
    /// numbers alone, one is judged.
    private static let judge = """
        import json, re, sys
        import jsonschema_rs
        schema = json.load(open(sys.argv[1]))
        judge = jsonschema_rs.Draft202012Validator(schema)
        count, seen = 0, set()
        for path in sys.argv[2:]:
            for line in open(path):
                count += 1
                form = re.sub(r'\\d+', '0', line)
                if form not in seen:
                    seen.add(form)
                    for flaw in judge.iter_errors(json.loads(line)):
                        print(line[:300], flaw.instance_path, flaw.message[-200:])
        subjects = {key for form in seen for key in json.loads(form)} - {'at', 'app'}
        print(count, *sorted(subjects))
        """

    private static func judged(_ files: [String], at desk: Desk) throws -> [String] {
        let schema = try desk.lab("schema", "--of", "events")
        #expect(schema.code == 0, "\(schema.call): \(schema.errors)")
        try desk.write(schema.output, to: "events.schema.json")
        try desk.write(judge, to: "judge.py")
        let answer = try Program.run(
            ["judge.py", "events.schema.json"] + files, of: Program.python ?? "", in: desk.url,
            environment: [:])
        #expect(answer.code == 0, "\(answer.errors)")
        return answer.lines
    }

    private static func logs(_ paths: [String], at desk: Desk) throws -> [String] {
        for path in paths {
            _ = try desk.lab("run", path, "--report", "out")
        }
        return try desk.shell("find out -name events.jsonl | sort").lines
    }

    private static let subjects = """
        background connection daemon device engine entries file link network operations packets \
        queue run server shown store
        """

    /// Together they have most kinds of facts, by each façade.
    private static let scenarios = [
        "background/a-day-in-the-life-of-a-phone", "queue/the-range-is-not-satisfiable",
        "resumable/changed-while-suspended", "background/disk-full-then-space",
        "persistent/a-failure-empties-it", "queue/told-once-of-a-damaged-store",
        "operations/a-path-that-leaves-the-docroot", "visits/a-chunk-that-is-cut",
        "background/bits-flip-in-the-daemons-store",
        "background/callbacks-in-the-first-breath-of-a-launch",
        "background/one-identifier-in-two-apps", "network/always-first",
        "queue/put-in-front-while-stopped", "background/a-download-that-resumes",
    ]

    @Test func `every line of the house's logs is good`() throws {
        let desk = try Desk()
        let paths = Self.scenarios.map { "\(Desk.houseScenarios)/\($0).yaml" }
        let logs = try Self.logs(paths, at: desk)
        #expect(logs.count >= paths.count)
        let lines = try Self.judged(logs, at: desk)
        #expect(lines.count == 1, "\(lines.prefix(5))")
        #expect(lines.last?.hasSuffix(" " + Self.subjects) == true, "\(lines.last ?? "")")
    }

    @Test(arguments: [
        ("\"at\":", "\"when\":"), ("\"opening\"", "\"opened\""), ("\"to\":", "\"too\":"),
        ("\"simulated\"", "\"dreamt\""), ("\"launch\":1", "\"launch\":\"1\""),
        ("{\"at\":0,", "{\"at\":0,\"colour\":1,"),
    ])
    func `a line with another name or value is refused`(slip: (old: String, new: String)) throws {
        let desk = try Desk()
        _ = try Self.logs(["green.yaml"], at: desk)
        let log = try desk.text(of: "out/green/events.jsonl")
        let wrong = log.replacing(slip.old, with: slip.new)
        #expect(wrong != log)
        try desk.write(wrong, to: "wrong.jsonl")
        #expect(try Self.judged(["wrong.jsonl"], at: desk).count > 1)
    }
}
