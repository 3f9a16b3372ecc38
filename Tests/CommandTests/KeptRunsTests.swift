import Foundation
import Testing

/// Which runs of a suite leave a page, and how the others get one.
@Suite struct KeptRunsTests {
    @Test func `of many seeds, the first ones leave a page, and the others get it on demand`()
        throws
    {
        let desk = try Desk()
        let answer = try desk.lab("run", "green.yaml", "--seeds", "1...12", "--report", "out")
        #expect(answer.code == 0, "\(answer.call): \(answer.errors)")
        for file in ["report.html", "run.json", "events.jsonl"] {
            #expect(desk.holds("out/green/seed-10/\(file)"))
        }
        #expect(!desk.holds("out/green/seed-11"))
        let index = try desk.text(of: "out/index.html")
        #expect(index.contains("href=\"green/seed-10/report.html\""))
        #expect(!index.contains("href=\"green/seed-11/report.html\""))
        #expect(index.contains("<code>green/seed-11</code> in the folder of this page"))

        let made = try desk.lab("report", "out/green/seed-11")
        #expect(made.code == 0 && made.output == "out/green/seed-11/report.html\n", "\(made.call)")
        let summary = try Self.digests(in: desk)
        let model = try JSONSerialization.jsonObject(
            with: desk.data(of: "out/green/seed-11/run.json"))
        let digest = (model as? [String: Any])?["digest"] as? String
        #expect(digest != nil && summary["green/seed-11"] == digest)
        #expect(desk.holds("out/green/seed-11/report.html"))
    }

    @Test func `--reports red leaves the pages of red runs alone, and none of an earlier suite`()
        throws
    {
        let desk = try Desk()
        _ = try desk.lab("run", ".", "--report", "out", "--reports", "all")
        #expect(desk.holds("out/green/report.html"))
        let answer = try desk.lab("run", ".", "--report", "out", "--reports", "red")
        #expect(answer.code == 1, "\(answer.call): \(answer.errors)")
        #expect(!desk.holds("out/green/report.html") && !desk.holds("out/green/events.jsonl"))
        for file in ["report.html", "run.json", "events.jsonl"] {
            #expect(desk.holds("out/red/\(file)"))
        }
    }

    @Test func `the page of a run whose scenario has changed since is refused`() throws {
        let desk = try Desk()
        _ = try desk.lab("run", "green.yaml", "--report", "out", "--reports", "red")
        try desk.write(Desk.green.replacing("80 kB", with: "81 kB"), to: "green.yaml")
        let answer = try desk.lab("report", "out/green")
        #expect(answer.code == 2, "\(answer.call)")
        #expect(answer.errors.contains("green.yaml or TransferLab has changed since"))
        #expect(answer.errors.contains("play the suite again"))
        #expect(!desk.holds("out/green/report.html"))
    }

    @Test func `a folder that no summary names is refused`() throws {
        let desk = try Desk()
        _ = try desk.lab("run", "green.yaml", "--report", "out")
        let answer = try desk.lab("report", "out/blue")
        #expect(answer.code == 2, "\(answer.call)")
        #expect(answer.errors.contains("no summary.json above it names it"))
    }

    @Test func `a run that has its page is told so, and one that has none is made for a replay`()
        throws
    {
        let desk = try Desk()
        _ = try desk.lab("run", "green.yaml", "--report", "out")
        let there = try desk.lab("report", "out/green")
        #expect(there.code == 2)
        #expect(there.errors.contains("the page is there already: out/green/report.html"))
        let unkept = try desk.lab("replay", "out/green/seed-11")
        #expect(unkept.code == 2)
        #expect(unkept.errors.contains("make it with ./lab report out/green/seed-11"))
    }

    @Test(arguments: ["--history", "--reports"])
    func `with --digests alone, nothing that writes files is ignored in silence`(
        option: String
    ) throws {
        let desk = try Desk()
        let value = option == "--history" ? "h.jsonl" : "red"
        let answer = try desk.lab("run", "green.yaml", "--digests", option, value)
        #expect(answer.code == 2 && answer.errors.contains("--digests"), "\(answer.errors)")
    }

    private static func digests(in desk: Desk) throws -> [String: String] {
        let summary = try JSONSerialization.jsonObject(with: desk.data(of: "out/summary.json"))
        let runs = (summary as? [String: Any])?["runs"] as? [[String: Any]] ?? []
        return runs.reduce(into: [:]) { digests, run in
            if let folder = run["folder"] as? String { digests[folder] = run["digest"] as? String }
        }
    }
}
