import Foundation
import Testing

/// A red run says what was expected, what was seen and when, and how to see it again.
@Suite struct RedRunTests {
    @Test func `a run is one line, and a red one tells more below it`() throws {
        let desk = try Desk()
        let answer = try desk.lab("run", ".")
        let marks = answer.lines.compactMap(\.first).filter { "✔✘".contains($0) }
        #expect(marks == ["✔", "✘"], "\(answer.call):\n\(answer.output)")
        let red = answer.lines.drop { !$0.hasPrefix("✘") }
        let rows = red.map { $0.trimmingCharacters(in: .whitespaces) }
        for label in ["expected", "seen", "at", "required in", "reproduce"] {
            let count = rows.count { $0.hasPrefix(label + " ") }
            #expect(count == 1, "“\(label)” \(count) times in \(answer.call):\n\(answer.output)")
        }
        #expect(answer.output.contains("red.yaml:12:5"), "\(answer.call):\n\(answer.output)")
    }

    @Test(arguments: ["red.yaml", "my scenarios/it's red.yaml", "Bäume/rot.yaml", "./-red.yaml"])
    func `the command that reproduces a red run plays the same run`(path: String) throws {
        let desk = try Desk()
        try desk.write(Desk.red, to: path)
        let answer = try desk.lab("run", path, "--seed", "77", "--report", "out")
        let command = try #require(Self.command(in: answer))
        #expect(command.hasPrefix("./lab run "), "\(command)")
        let replayed = command.replacing(/^\.\/lab/, with: "\"$lab\"")
        let again = try desk.shell("\(replayed) --digests")
        #expect(again.code == 1, "\(again.call): \(again.errors)")
        let before = try desk.lab("run", path, "--seed", "77", "--digests")
        #expect(again.output == before.output && !again.output.isEmpty, "\(again.call)")
    }

    @Test func `a red live run is reproduced live`() throws {
        let desk = try Desk()
        let slow = Desk.red.replacing("note.txt: 80 kB", with: "note.txt: 4 kB")
        try desk.write(slow, to: "red.yaml")
        let answer = try desk.lab("live", "red.yaml")
        #expect(answer.code == 1, "\(answer.call): \(answer.errors)")
        #expect(Self.command(in: answer) == "./lab live red.yaml --seed 1", "\(answer.output)")
    }

    private static func command(in answer: Program.Answer) -> String? {
        answer.lines.compactMap { $0.firstMatch(of: /^ +reproduce +(.+)$/) }.map { String($0.1) }
            .last
    }
}
