import Foundation
import Testing

/// Paths mean what they mean to the one who types them, whatever letters they are made of.
@Suite struct PathTests {
    @Test(arguments: [
        "with space/a b.yaml", "Größe/Übung.yaml", "日本/語.yaml", "it's/$HOME `x`.yaml", "a*b.yaml",
    ])
    func `a path of odd letters is played, reported and replayed`(path: String) throws {
        let desk = try Desk()
        try desk.write(Desk.green, to: path)
        let answer = try desk.lab("run", path, "--report", "the reports")
        #expect(answer.code == 0, "\(answer.call): \(answer.errors)")
        let folder = "the reports/" + path.replacing(".yaml", with: "")
        #expect(desk.holds("\(folder)/report.html"), "\(answer.call)")
        let again = try desk.lab("replay", folder)
        #expect(again.code == 0, "\(again.call): \(again.errors)")
    }

    @Test func `an absolute path is the same run as a relative one, from anywhere`() throws {
        let desk = try Desk()
        let relative = try desk.lab("run", "green.yaml", "--digests")
        let path = desk.url.appending(path: "green.yaml").path
        let absolute = try Program.run(["run", path, "--digests"], in: URL(filePath: "/"))
        let digests = [relative, absolute].map { $0.lines.first?.split(separator: " ").last }
        #expect(digests[0] == digests[1] && digests[0] != nil, "\(absolute.call)")
    }

    @Test func `reports go where the caller says, seen from the caller`() throws {
        let desk = try Desk()
        try desk.write("", to: "below/notes.txt")
        let below = desk.url.appending(path: "below")
        let near = try Program.run(["run", "../green.yaml", "--report", "out"], in: below)
        #expect(near.code == 0 && desk.holds("below/out/green/run.json"), "\(near.call)")
        #expect(near.output.hasSuffix("reports in out/index.html\n"), "\(near.output)")
        let far = desk.url.appending(path: "far").path
        let answer = try Program.run(["run", "../green.yaml", "--report", far], in: below)
        #expect(desk.holds("far/green/run.json"), "\(answer.call)")
        #expect(answer.output.hasSuffix("reports in \(far)/index.html\n"), "\(answer.output)")
    }

    @Test func `the wrapper says where the project stands, and reports go there`() throws {
        let desk = try Desk()
        let root = desk.url.appending(path: "the project").path
        let answer = try desk.lab("run", "green.yaml", environment: ["TRANSFERLAB_ROOT": root])
        #expect(desk.holds("the project/Reports/latest/green/run.json"), "\(answer.call)")
        #expect(!desk.holds("Reports"))
    }

    @Test func `behind -- a word is a path, even with dashes in front`() throws {
        let desk = try Desk()
        try desk.write(Desk.green, to: "--seed.yaml")
        let refused = try desk.lab("run", "--seed.yaml")
        #expect(refused.code == 2, "\(refused.call)")
        let answer = try desk.lab("run", "--report", "out", "--", "--seed.yaml")
        #expect(answer.code == 0, "\(answer.call): \(answer.errors)")
        #expect(desk.holds("out/--seed/run.json"))
    }

    @Test func `an option may stand anywhere, its value behind it or behind =`() throws {
        let desk = try Desk()
        let forms = [
            ["run", "green.yaml", "--seed", "5", "--digests"],
            ["run", "--digests", "--seed=5", "green.yaml"],
        ]
        let answers = try forms.map { try Program.run($0, in: desk.url).output }
        #expect(answers[0] == answers[1] && !answers[0].isEmpty)
    }
}
