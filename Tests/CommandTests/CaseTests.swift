import Foundation
import Testing

/// Parts and matrices as a user has them.
@Suite struct CaseTests {
    private func desk() throws -> Desk {
        let desk = try Desk()
        let lines = """
              uplink: { rate: 10 Mbit/s, delay: 20 ms, loss: 1 % }
              downlink: { rate: 10 Mbit/s, delay: 20 ms }

            """
        try desk.write("links:\n" + lines, to: "suite/parts/line.part.yaml")
        let text = Desk.green.replacing("links:\n" + lines, with: "")
            .replacing("note.txt: 80 kB", with: "note.txt: '${size}'")
        try desk.write(
            "include: parts/line.part.yaml\nfor each: { size: [8 kB, 80 kB] }\n" + text,
            to: "suite/a.yaml")
        return desk
    }

    @Test func `each case has a folder, a line, and the command that plays it again`() throws {
        let desk = try desk()
        let run = try desk.lab("run", "suite", "--report", "out")
        #expect(run.code == 0, "\(run.errors)")
        #expect(run.output.contains("a small upload [size=8 kB]"), "\(run.output)")
        let junit = try desk.text(of: "out/junit.xml")
        #expect(junit.contains("a small upload [size=80 kB], seed 1"))
        #expect(desk.holds("out/suite/a/size=8-kB/run.json"))
        let model = try desk.text(of: "out/suite/a/size=80-kB/run.json")
        #expect(model.contains("./lab run suite/a.yaml --case 'size=80 kB' --seed 1"), "\(model)")
        let one = try desk.lab("run", "suite/a.yaml", "--case", "size=80 kB", "--digests")
        #expect(one.lines.count == 1 && one.output.hasPrefix("suite/a/size=80-kB "))
    }

    @Test func `a case is played again without the files that it was made of`() throws {
        let desk = try desk()
        #expect(try desk.lab("run", "suite", "--report", "out").code == 0)
        try FileManager.default.removeItem(at: desk.url.appending(path: "suite"))
        let answer = try desk.lab("replay", "out/suite/a/size=80-kB", "--report", "again")
        #expect(answer.code == 0, "\(answer.output)\(answer.errors)")
        let digests = try ["out", "again"].map {
            try desk.text(of: "\($0)/suite/a/size=80-kB/run.json").split(separator: "\n")
                .first { $0.contains("\"digest\"") }
        }
        #expect(digests[0] == digests[1] && digests[0] != nil)
    }

    @Test func `check, list and explain know cases`() throws {
        let desk = try desk()
        let check = try desk.lab("check", "suite")
        #expect(check.lines.count == 2 && check.output.contains("[size=8 kB]” can be played"))
        let explained = try desk.lab("explain", "suite").output
        #expect(explained.contains("note.txt (8 kB)"))
        #expect(explained.contains("It includes suite/parts/line.part.yaml."), "\(explained)")
        #expect(try desk.lab("list", "suite").output.contains("2 scenarios"))
    }

    @Test func `a case that is not there is said to be so`() throws {
        let desk = try desk()
        let answer = try desk.lab("run", "suite", "--case", "size=8 MB")
        #expect(answer.code == 2)
        #expect(
            answer.errors.contains("no scenario here has the case “size=8 MB”, did you mean"),
            "\(answer.errors)")
        #expect(try desk.lab("run", "suite", "--case", "8 kB").code == 2)
        #expect(
            try desk.lab("run", "green.yaml", "--case", "a=b").errors.contains(
                "no scenario has a matrix"))
    }

    @Test func `a mistake in a part shows the way to it`() throws {
        let desk = try desk()
        try desk.write("links: { uplink: { rate: 1 } }\n", to: "suite/parts/line.part.yaml")
        let answer = try desk.lab("check", "suite")
        #expect(answer.code == 2)
        #expect(answer.errors.contains("suite/parts/line.part.yaml:1:26: error: “1” has no unit"))
        #expect(answer.errors.contains("  included at suite/a.yaml:1:10"), "\(answer.errors)")
    }
}
