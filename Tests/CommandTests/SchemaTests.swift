import Foundation
import Testing

/// `schema`, against a judge that nobody here wrote: what the reader takes, it must take.
@Suite struct SchemaTests {
    /// Says `good` or the first flaw of each file, by the schema in the first. YAML 1.2, as in
    /// editors: `on` is a word there and no truth value.
    private static let judge = """
        import json, sys
        import jsonschema_rs
        from ruamel.yaml import YAML
        schema = json.load(open(sys.argv[1]))
        judge = jsonschema_rs.Draft202012Validator(schema)
        for path in sys.argv[2:]:
            flaws = sorted(judge.iter_errors(YAML(typ='safe', pure=True).load(open(path))), key=str)
            print(path, 'good' if not flaws else flaws[0].message[:200].replace('\\n', ' '))
        """

    private func judged(_ files: [String], by option: String..., at desk: Desk) throws -> [String] {
        let schema = try Program.run(["schema"] + option, in: desk.url)
        #expect(schema.code == 0)
        try desk.write(schema.output, to: "schema.json")
        try desk.write(Self.judge, to: "judge.py")
        let answer = try Program.run(
            ["judge.py", "schema.json"] + files, of: Program.python ?? "", in: desk.url,
            environment: [:])
        #expect(answer.code == 0, "\(answer.errors)")
        return answer.lines
    }

    private static func files(endingWith end: String, but others: [String] = []) -> [String] {
        let found = FileManager.default.enumerator(atPath: Desk.houseScenarios)
        return (found?.compactMap { $0 as? String } ?? [])
            .filter { $0.hasSuffix(end) && !others.contains(where: $0.hasSuffix) }
            .sorted().map { "\(Desk.houseScenarios)/\($0)" }
    }

    @Test(.enabled(if: Program.python != nil, "./lab test installs jsonschema-rs"))
    func `all scenarios of the house are good, and the example of the language's page`() throws {
        let desk = try Desk()
        let page = try String(contentsOfFile: "\(Desk.houseScenarios)/README.md", encoding: .utf8)
        let example = page.components(separatedBy: "```yaml\n")[1].components(separatedBy: "```")
        try desk.write(example[0], to: "example.yaml")
        let files =
            Self.files(endingWith: ".yaml", but: [".faults.yaml", ".part.yaml", "suite.yaml"])
            + ["example.yaml"]
        #expect(files.count > 20)
        #expect(try judged(files, at: desk) == files.map { "\($0) good" })
    }

    @Test(.enabled(if: Program.python != nil, "./lab test installs jsonschema-rs"))
    func `all files of faults are good by their schema, and no scenarios`() throws {
        let desk = try Desk()
        let files = Self.files(endingWith: ".faults.yaml")
        #expect(try judged(files, by: "--faults", at: desk) == files.map { "\($0) good" })
        #expect(try judged(files, at: desk).allSatisfy { !$0.hasSuffix(" good") })
    }

    @Test(.enabled(if: Program.python != nil, "./lab test installs jsonschema-rs"))
    func `suite files are good by their schema, and are no scenarios`() throws {
        let desk = try Desk()
        let files = Self.files(endingWith: "suite.yaml")
        #expect(!files.isEmpty)
        #expect(try judged(files, by: "--suite", at: desk) == files.map { "\($0) good" })
        #expect(try judged(files, at: desk).allSatisfy { !$0.hasSuffix(" good") })
    }

    @Test(.enabled(if: Program.python != nil, "./lab test installs jsonschema-rs"))
    func `all parts are good by their schema, and are no scenarios`() throws {
        let desk = try Desk()
        let files = Self.files(endingWith: ".part.yaml")
        #expect(try judged(files, by: "--part", at: desk) == files.map { "\($0) good" })
        #expect(try judged(files, at: desk).allSatisfy { !$0.hasSuffix(" good") })
        #expect(!files.isEmpty)
    }

    /// What is put into a good scenario, and what it takes the place of.
    private static let slips: [(String, String)] = [
        ("name: a small upload\n", ""), ("files:", "flies:"), ("80 kB", "80"), ("80 kB", "80 kb"),
        ("10 Mbit/s", "10 Mbps"), ("20 ms", "-20 ms"), ("loss: 1 %", "loss: 1"),
        ("loss: 1 %", "los: 1 %"), ("loss: 1 %", "jitter: { normal: { mean: 1 ms } }"),
        ("loss: 1 %", "queue: { discipline: codle }"), ("loss: 1 %", "profile: apple-ltd"),
        ("- session 1 completes within 30 s", "session 1 completes within 30 s"),
        ("session 1 completes within 30 s", "session 1 completes in 30 s"),
        ("session 1 completes within 30 s", "session 1 resumes thrice"),
        ("to: incoming/note.txt", "too: incoming/note.txt"), ("incoming/note.txt", "/note.txt"),
        ("expect:", "timeline: [5 s: app slain]\nexpect:"), ("expect:", "timeline: []\nexcept:"),
        ("expect:", "timeline: [soon: app killed]\nexpect:"), ("expect:", "seed: seven\nexpect:"),
        ("expect:", "tcp: { tls: 1.1 }\nexpect:"), ("expect:", "tcp: { ecn: yes }\nexpect:"),
        ("expect:", "server: { faults: { a: { do: explode } } }\nexpect:"),
        ("expect:", "server: { faults: { a: { do: reset, requests: none } } }\nexpect:"),
        ("expect:", "excuse: { S99: whatever reason there may be }\nexpect:"),
    ]

    @Test(.enabled(if: Program.python != nil, "./lab test installs jsonschema-rs"))
    func `slips are seen in an editor`() throws {
        let desk = try Desk()
        var files: [String] = []
        for (number, slip) in Self.slips.enumerated() {
            let text = Desk.green.replacing(slip.0, with: slip.1, maxReplacements: 1)
            #expect(text != Desk.green)
            files.append("slip-\(number).yaml")
            try desk.write(text, to: files[number])
        }
        let lines = try judged(["green.yaml"] + files, at: desk)
        #expect(lines.first == "green.yaml good")
        for (line, slip) in zip(lines.dropFirst(), Self.slips) {
            #expect(!line.hasSuffix(" good"), "\(slip)")
        }
        #expect(lines.count == files.count + 1)
    }

    @Test func `the pages of the language are written anew, both or none`() throws {
        let desk = try Desk()
        let names = ["README.md", "STATEMENTS.md"]
        var pages: [String: String] = [:]
        for name in names {
            let page = try String(
                contentsOfFile: "\(Desk.houseScenarios)/\(name)", encoding: .utf8)
            pages[name] = page
            let old = page.replacing("| `mtu` |", with: "| `mtoo` |")
                .replacing("| A7 |", with: "| A77 |")
            #expect(old != page)
            try desk.write(old, to: "Scenarios/\(name)")
        }
        let answer = try desk.lab("schema", "--renew")
        #expect(answer.code == 0 && answer.output.isEmpty, "\(answer.call): \(answer.errors)")
        for name in names { #expect(try desk.text(of: "Scenarios/\(name)") == pages[name]) }

        let stale = pages["README.md"]?.replacing("| `mtu` |", with: "| `mtoo` |") ?? ""
        try desk.write(stale, to: "Scenarios/README.md")
        try desk.write("no table\n", to: "Scenarios/STATEMENTS.md")
        let refused = try desk.lab("schema", "--renew")
        #expect(refused.code == 2)
        #expect(refused.errors.contains("no place for the table “statements”"), "\(refused.errors)")
        #expect(try desk.text(of: "Scenarios/README.md") == stale)
    }

    @Test func `what is written is not printed, too`() throws {
        let desk = try Desk()
        let answer = try desk.lab("schema", "--renew", "--part")
        #expect(
            answer.code == 2 && answer.errors.contains("--renew prints no schema"),
            "\(answer.errors)")
    }

    @Test func `a path is not needed, and said to be so`() throws {
        let desk = try Desk()
        let answer = try desk.lab("schema", "Scenarios")
        #expect(answer.code == 2 && answer.errors.contains("takes no path"), "\(answer.errors)")
    }
}
