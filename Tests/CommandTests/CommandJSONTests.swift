import Foundation
import Testing

/// What a program reads of the commands that look at scenarios and runs.
@Suite struct CommandJSONTests {
    @Test func `a check names the scenarios, and with exit code 2 each mistake with its place`()
        throws
    {
        let desk = try Desk()
        let good = try fields(of: desk.lab("check", "green.yaml", "--json"), "check", code: 0)
        let scenarios = try #require(good["scenarios"] as? [[String: Any]])
        #expect(scenarios.map { $0["name"] as? String } == ["a small upload"])
        #expect((good["mistakes"] as? [Any])?.isEmpty == true)
        try desk.write(Desk.green.replacing("80 kB", with: "80"), to: "unit.yaml")
        let call = try desk.lab("check", "unit.yaml", "missing.yaml", "--json")
        let mistakes = try #require(
            try fields(of: call, "check", code: 2)["mistakes"] as? [[String: Any]])
        try #require(mistakes.count == 2 && call.errors.isEmpty)
        #expect(mistakes[0]["file"] as? String == "unit.yaml")
        #expect(mistakes[0]["line"] as? Int == 7 && mistakes[0]["column"] as? Int == 13)
        #expect(mistakes[0]["message"] as? String == "“80” has no unit")
        #expect((mistakes[1]["message"] as? String)?.contains("missing.yaml") == true)
        #expect(mistakes[1]["file"] == nil)
    }

    @Test func `an explanation has a sentence for each line`() throws {
        let desk = try Desk()
        let json = try fields(of: desk.lab("explain", "green.yaml", "--json"), "explain", code: 0)
        let scenario = try #require((json["scenarios"] as? [[String: Any]])?.first)
        let sentences = try #require(scenario["sentences"] as? [String])
        let lines = try desk.lab("explain", "green.yaml").lines
        #expect(lines.count { $0.hasPrefix("  - ") } == sentences.count)
        #expect(sentences.first == "The commands need something quick to play.")
    }

    @Test func `a difference names both runs and the first event that is not the same`() throws {
        let desk = try Desk()
        for (name, seed) in [("a", "1"), ("b", "1"), ("c", "2")] {
            _ = try desk.lab("run", "green.yaml", "--seed", seed, "--report", name)
        }
        let same = try fields(of: desk.lab("diff", "a/green", "b/green", "--json"), "diff", code: 0)
        #expect(same["isEqual"] as? Bool == true)
        let answer = try desk.lab("diff", "a/green", "c/green", "--json")
        let other = try fields(of: answer, "diff", code: 1)
        let runs = try #require(other["runs"] as? [[String: Any]])
        #expect(runs.map { $0["seed"] as? Int } == [1, 2])
        let course = try #require((other["courses"] as? [[String: Any]])?.first)
        let event = try #require((course["left"] as? [String: Any])?["event"] as? Int)
        #expect(course["common"] as? Int == event)
        let text = try desk.lab("diff", "a/green", "c/green").output
        #expect(text.hasPrefix("The runs differ from event \(event) on."), "\(text)")
    }

    @Test func `two worlds are compared actor by actor`() throws {
        let desk = try Desk()
        try desk.write(Desk.green.replacing("80 kB", with: "4 kB"), to: "small.yaml")
        _ = try desk.lab("run", "small.yaml", "--report", "a")
        _ = try desk.lab("live", "small.yaml", "--report", "b")
        let answer = try desk.lab("diff", "a/small", "b/small", "--json")
        let json = try fields(of: answer, "diff", code: 0)
        let actors = (json["courses"] as? [[String: Any]])?.compactMap { $0["actor"] as? String }
        #expect(actors == ["Queue", "Server"], "\(answer.output)")
    }

    @Test func `a replay tells both digests, and when they differ how to see where`() throws {
        let desk = try Desk()
        _ = try desk.lab("run", "green.yaml", "--report", "out")
        let same = try fields(of: desk.lab("replay", "out/green", "--json"), "replay", code: 0)
        #expect(same["isSame"] as? Bool == true && same["isGreen"] as? Bool == true)
        #expect(same["digest"] as? String == same["digestNow"] as? String)
        let text = try desk.text(of: "out/green/run.json")
        try desk.write(
            text.replacing(#""seed" : 1"#, with: #""seed" : 2"#), to: "out/green/run.json")
        let other = try fields(of: desk.lab("replay", "out/green", "--json"), "replay", code: 1)
        let command = try #require(other["difference"] as? String)
        #expect(try desk.shell(command.replacing("./lab", with: "\"$lab\"")).code == 1)
    }

    @Test func `a flight has its steps when they are asked for`() throws {
        let desk = try Desk()
        _ = try desk.lab("run", "green.yaml", "--report", "out", "--flights")
        let flight = "out/green/flights/app-1-launch-1.flight"
        let short = try fields(of: desk.lab("replay", flight, "--json"), "flight", code: 0)
        #expect(short["isSame"] as? Bool == true && short["steps"] == nil)
        let long = try fields(
            of: desk.lab("replay", flight, "--json", "--steps"), "flight", code: 0)
        #expect((long["steps"] as? [Any])?.count == long["inputs"] as? Int)
    }

    @Test(
        .enabled(
            if: FileManager.default.isExecutableFile(atPath: "/usr/bin/tshark"),
            "tshark is not installed; ./lab test installs it"))
    func `a capture is explained frame by frame`() throws {
        let desk = try Desk()
        let text = Desk.green.replacing("loss: 1 %", with: "queue: 200 kB, loss: 3 %")
            .replacing("80 kB", with: "1 MB").replacing("delay: 20 ms", with: "delay: 60 ms")
        try desk.write(text, to: "rough.yaml")
        _ = try desk.lab("run", "rough.yaml", "--packets", "server", "--report", "out")
        let json = try fields(of: desk.lab("packets", "out/rough", "--json"), "packets", code: 0)
        let capture = try #require((json["captures"] as? [[String: Any]])?.first)
        #expect(capture["file"] as? String == "capture-server.pcap")
        let differences = try #require(capture["differences"] as? [[String: Any]])
        #expect(!differences.isEmpty && differences.allSatisfy { $0["reason"] is String })
    }

    @Test(arguments: [
        (["list", ".", "--json"], "coverage"), (["list", ".", "--about", "x", "--json"], "search"),
        (["import", "log.jsonl", "--json"], "import"),
    ])
    func `every form has a name`(words: [String], name: String) throws {
        let desk = try Desk()
        try desk.write(#"{"time": 1, "event": "app", "state": "background"}"#, to: "log.jsonl")
        _ = try fields(of: Program.run(words, in: desk.url), name, code: 0)
    }

    /// The fields of an answer, in the form of the program's other files.
    private func fields(
        of answer: Program.Answer, _ name: String, code: Int32
    ) throws -> [String: Any] {
        #expect(answer.code == code, "\(answer.call): \(answer.errors)")
        let json = try #require(
            try JSONSerialization.jsonObject(with: Data(answer.output.utf8)) as? [String: Any])
        #expect(json["format"] as? String == "transferlab-\(name)/1", "\(answer.call)")
        #expect(answer.output.hasPrefix("{\n  \"") && answer.output.hasSuffix("\n}\n"))
        let keys = answer.output.matches(of: /(?m)^  "(\w+)"/).map { String($0.1) }
        #expect(keys == keys.sorted(), "\(answer.call)")
        return json
    }
}
