import Foundation
import Testing

/// `ctrf.json` obeys the rules of the Common Test Report Format, and counts as `junit.xml` does.
@Suite struct CTRFTests {
    /// The rules of ctrf.io's schema that concern what is written here; a key of another name is
    /// none of the format.
    private static let judge = """
        import json, sys
        import jsonschema_rs
        text, whole = {'type': 'string'}, {'type': 'integer'}
        name = {'type': 'string', 'minLength': 1}
        texts = {'type': 'array', 'items': text}
        extra = {'type': 'object'}

        def thing(required, **properties):
            return {'type': 'object', 'required': required.split(), 'properties': properties,
                'additionalProperties': False}

        status = {'enum': ['passed', 'failed', 'skipped', 'pending', 'other']}
        attachment = thing('name contentType path', name=text, contentType=text, path=text,
            extra=extra)
        test = thing('name status duration', id=text, name=name, status=status, duration=whole,
            start=whole, stop=whole, suite=dict(texts, minItems=1), message=text, trace=text,
            snippet=text, line=whole, rawStatus=text, tags=texts, labels=extra, type=text,
            filePath=text, stdout=texts, stderr=texts,
            attachments={'type': 'array', 'items': attachment}, parameters=extra, extra=extra)
        counts = 'tests passed failed skipped pending other start stop'
        summary = thing(counts,
            **{key: whole for key in counts.split() + ['flaky', 'suites', 'duration']}, extra=extra)
        results = thing('tool summary tests', tool=thing('name', name=name, version=text),
            summary=summary, tests={'type': 'array', 'items': test}, environment=extra, extra=extra)
        report = thing('results reportFormat specVersion', reportFormat={'const': 'CTRF'},
            specVersion={'type': 'string', 'pattern': '^[0-9]+[.][0-9]+[.][0-9]+$'}, reportId=text,
            timestamp=text, generatedBy=text, results=results, extra=extra)
        report['$schema'] = 'https://json-schema.org/draft/2020-12/schema'
        judge = jsonschema_rs.Draft202012Validator(report)
        for path in sys.argv[1:]:
            document = json.load(open(path))
            for flaw in judge.iter_errors(document):
                print(path, flaw.instance_path, flaw.message)
            summary, tests = document['results']['summary'], document['results']['tests']
            if summary['tests'] != len(tests): print(path, 'tests')
            if summary['start'] > summary['stop']: print(path, 'ends before it begins')
            for word in status['enum']:
                if summary[word] != sum(test['status'] == word for test in tests): print(path, word)
        """

    @Test(.enabled(if: Program.python != nil, "./lab test installs jsonschema-rs"))
    func `the report of every command obeys the format`() throws {
        let desk = try Desk()
        try desk.write(Desk.red, to: "a/first.yaml")
        try desk.write(Desk.green, to: "a/second.yaml")
        _ = try desk.lab("run", ".", "--report", "run")
        _ = try desk.lab("run", "a", "--fail-fast", "--jobs", "1", "--report", "fast")
        _ = try desk.lab("live", "green.yaml", "--report", "live")
        _ = try desk.lab("crash", ".", "--report", "crash")
        _ = try desk.lab("chance", "--runs", "3", "--cells", "9", "--report", "chance")
        try desk.write(Self.judge, to: "judge.py")
        _ = try desk.lab("crash", "green.yaml", "--point", "1", "--report", "point")
        _ = try desk.lab("chance", "--play", "5", "--report", "play")
        let names = ["run", "fast", "live", "crash", "chance", "point", "play"]
        let files = names.map { "\($0)/ctrf.json" }
        let answer = try Program.run(
            ["judge.py"] + files, of: Program.python ?? "", in: desk.url, environment: [:])
        #expect(answer.code == 0 && answer.output.isEmpty, "\(answer.output)\(answer.errors)")
    }

    @Test func `a red test has its message, its place and its files`() throws {
        let desk = try Desk()
        _ = try desk.lab("run", ".", "--report", "out")
        let report = try JSONDecoder().decode(Report.self, from: desk.data(of: "out/ctrf.json"))
        #expect(report.results.summary.passed == 1 && report.results.summary.failed == 1)
        let red = try #require(report.results.tests.first { $0.status == "failed" })
        #expect(
            red.name == "an upload in no time, seed 1" && red.suite == ["simulated", "scenarios"])
        #expect(red.message?.contains("expected") == true && red.trace?.contains("seen") == true)
        #expect(red.filePath == "red.yaml" && red.line == 12)
        #expect(
            red.attachments?.map(\.path) == ["out/red/report.html", "out/red/events.jsonl"])
    }

    @Test func `the report names the version, and the tags of each scenario`() throws {
        let desk = try Desk()
        try desk.write(Desk.green.replacing("files:", with: "tags: [a, b]\nfiles:"), to: "t.yaml")
        _ = try desk.lab("run", "green.yaml", "t.yaml", "--report", "out")
        let report = try JSONDecoder().decode(Report.self, from: desk.data(of: "out/ctrf.json"))
        let version = try desk.lab("--version").output.trimmingCharacters(in: .newlines)
        #expect("TransferLab \(report.results.tool.version)" == version)
        #expect(report.results.tests.map(\.tags) == [nil, ["a", "b"]])
    }

    @Test func `a single point and a single seed leave their results, too`() throws {
        let desk = try Desk()
        let calls = [
            ["crash", "green.yaml", "--point", "1"], ["chance", "--play", "5"],
        ]
        for call in calls {
            let answer = try Program.run(call + ["--report", "out"], in: desk.url)
            let data = try desk.data(of: "out/ctrf.json")
            let report = try JSONDecoder().decode(Report.self, from: data)
            #expect(report.results.tests.map(\.status) == ["passed"], "\(answer.call)")
            let xml = try desk.text(of: "out/junit.xml")
            #expect(xml.contains("tests=\"1\" failures=\"0\""), "\(answer.call)")
        }
    }

    private struct Report: Decodable {
        var results: Results

        struct Results: Decodable {
            var tool: Tool
            var summary: Summary
            var tests: [Test]
        }

        struct Tool: Decodable { var version: String }

        struct Summary: Decodable {
            var passed: Int
            var failed: Int
        }

        struct Test: Decodable {
            var name: String
            var status: String
            var suite: [String]
            var tags: [String]?
            var message: String?
            var trace: String?
            var filePath: String?
            var line: Int?
            var attachments: [Attachment]?
        }

        struct Attachment: Decodable { var path: String }
    }
}
