import Foundation
import Testing

/// `bench` as a user calls it; its figures are those of the build under test, and only its form is
/// judged here.
@Suite struct BenchTests {
    /// The case with the fewest packets.
    private static let quick = "bulk/loss-1"

    @Test func `a case is measured, told, and written where it was asked for`() throws {
        let desk = try Desk()
        let answer = try desk.lab(
            "bench", Self.quick, "--repeat", "2", "--report", "new/bench.json")
        #expect(answer.code == 0 && answer.errors.isEmpty, "\(answer.call): \(answer.errors)")
        #expect(answer.lines.contains { $0.hasPrefix("measured ") }, "\(answer.output)")
        #expect(answer.lines.contains { $0.hasPrefix("simulated (exact) ") }, "\(answer.output)")
        #expect(answer.lines.count { $0.hasPrefix(Self.quick) } == 2, "\(answer.output)")
        let same = try desk.lab("compare", "new/bench.json", "new/bench.json", "--within", "1%")
        #expect(same.code == 0, "\(same.call): \(same.errors)")
        #expect(same.output.contains("All 8 exact figures are the same."), "\(same.output)")

        let text = try desk.text(of: "new/bench.json")
        let sent = try #require(text.firstMatch(of: /"dataPacketsSent" : (\d+)/)).output
        try desk.write(
            text.replacing(sent.0, with: "\"dataPacketsSent\" : 1\(sent.1)"), to: "other.json")
        let other = try desk.lab("compare", "new/bench.json", "other.json")
        #expect(other.code == 1, "\(other.call): \(other.errors)")
        #expect(other.output.contains("✘ data packets sent"), "\(other.output)")
        #expect(other.output.contains("1 of 8 exact figures differ."), "\(other.output)")
        let json = try desk.lab("compare", "new/bench.json", "other.json", "--json")
        let form = try JSONSerialization.jsonObject(with: Data(json.output.utf8))
        let isHeld = (form as? [String: Any])?["isHeld"] as? Bool
        #expect(json.code == 1 && isHeld == false, "\(json.call): \(json.errors)")
    }

    @Test func `as JSON it prints the same form that it writes`() throws {
        let desk = try Desk()
        let answer = try desk.shell(
            "\"$lab\" bench \(Self.quick) --repeat 1 --json --report a.json > b.json")
        #expect(answer.code == 0, "\(answer.call): \(answer.errors)")
        #expect(try desk.data(of: "a.json") == desk.data(of: "b.json"))
        #expect(try desk.text(of: "a.json").contains(#""format" : "transferlab-figures/1 "#))
    }

    @Test func `a bar that falls short is an exit code, but only for who asks`() throws {
        let desk = try Desk()
        _ = try desk.lab("bench", Self.quick, "--repeat", "1", "--report", "none.json")
        #expect(try desk.lab("bench", "--from", "none.json", "--bars").code == 0)
        let text = try desk.text(of: "none.json")
        for (name, peak, code) in [("held.json", 1.1, Int32(0)), ("short.json", 1.2, 1)] {
            // Of bars only this one is the same on every machine.
            let figure = #"{"better":"less","least":1,"median":\#(peak),"most":2}"#
            let bar = #"{"name":"peak memory","bar":1.1,"unit":"×","figure":\#(figure)}"#
            let bars = try #require(text.firstMatch(of: /"bars" : \[\s*\]/)).output
            try desk.write(text.replacing(bars, with: "\"bars\" : [\(bar)]"), to: name)
            #expect(try desk.lab("bench", "--from", name).code == 0)
            let judged = try desk.lab("bench", "--from", name, "--bars")
            #expect(judged.code == code, "\(judged.call): \(judged.output)")
            #expect(judged.output.contains("✘ missed") == (code == 1), "\(judged.output)")
        }
    }

    @Test(arguments: [
        (
            ["bench", "bulk/no-lose"],
            "there is no case “bulk/no-lose”, did you mean “bulk/no-loss”?"
        ),
        (["bench", "--repeat", "0"], "--repeat takes a whole number from 1 to 1000, not “0”"),
        (["bench", "--peer"], "./lab bench --peer, which installs libns3-dev"),
        (["bench", "--from", "a", "--peer"], "--from shows figures from a file"),
        (["bench", "--from", "a"], "there is no “a”; name a file that"),
        (["bench", "--quick"], "bench has no option --quick"),
        (["bench-case", "x"], "bench-case is an internal command"),
        (["compare"], "compare needs two results, not 0"),
        (["compare", "a", "--baselines"], "--baselines takes no other results"),
        (["compare", "a", "b", "--renew"], "--renew works only with --baselines"),
        (["compare", "a", "b", "--within", "10"], "--within takes a share such as 10%, not “10”"),
        (["compare", "a", "b"], "there is no “a”; name a file that"),
        (["compare", ".", "green.yaml"], ". holds neither summary.json nor run.json"),
        (
            ["compare", "green.yaml", "."],
            "green.yaml:1:2: error: the file holds no results: it is not JSON"
        ),
    ])
    func `what cannot be measured or compared is said with its remedy`(
        words: [String], says: String
    ) throws {
        let desk = try Desk()
        let answer = try Program.run(words, in: desk.url)
        #expect(answer.code == 2 && answer.output.isEmpty, "\(answer.call): \(answer.output)")
        #expect(answer.errors.contains(says), "\(answer.call): \(answer.errors)")
    }

    @Test func `two suites are compared run by run, and a run by its sessions and links`() throws {
        let desk = try Desk()
        _ = try desk.lab("run", "green.yaml", "--report", "a")
        _ = try desk.lab("run", "green.yaml", "--report", "b", "--seed", "3")
        #expect(try desk.lab("compare", "a", "a/summary.json").code == 0)
        let suites = try desk.lab("compare", "a", "b")
        #expect(suites.code == 1, "\(suites.call): \(suites.errors)")
        #expect(suites.lines.contains("green") && suites.output.contains("✘ digest"))
        let runs = try desk.lab("compare", "a/green", "b/green/run.json")
        #expect(runs.code == 1 && runs.lines.contains("the run"), "\(runs.call): \(runs.errors)")
    }
}
