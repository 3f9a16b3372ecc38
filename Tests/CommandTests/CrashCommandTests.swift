import Foundation
import Testing

/// Crash points as a user has them.
@Suite struct CrashCommandTests {
    @Test func `all points of a scenario are played, and the files tell of them`() throws {
        let desk = try Desk()
        let answer = try desk.lab("crash", "green.yaml", "--report", "out")
        #expect(answer.code == 0, "\(answer.errors)\(answer.output)")
        #expect(answer.output.contains("the app is killed"), "\(answer.output)")
        #expect(answer.output.hasSuffix("✔ all green; reports in out/index.html\n"))
        #expect(desk.holds("out/index.html"))
        let json = try desk.lab("crash", "green.yaml", "--report", "again", "--json")
        #expect(try json.output == desk.text(of: "out/crashes.json"))
    }

    @Test func `a point is played alone, with all reports of its run`() throws {
        let desk = try Desk()
        let answer = try desk.lab("crash", "green.yaml", "--point", "9", "--report", "out")
        #expect(answer.code == 0, "\(answer.errors)")
        #expect(answer.output.contains("point 9: the app is killed"), "\(answer.output)")
        let run = try desk.text(of: "out/run.json")
        #expect(run.contains("./lab crash green.yaml --seed 1 --point 9"))
    }

    @Test func `what is red without a crash is red, and says so`() throws {
        let desk = try Desk()
        let answer = try desk.lab("crash", "red.yaml", "--report", "out")
        #expect(answer.code == 1)
        #expect(answer.output.contains("red without a crash"), "\(answer.output)")
    }

    @Test func `what must fail cannot be judged by a crash`() throws {
        let desk = try Desk()
        try desk.write(Desk.red + "must-fail: session 1 completes within 1 ms\n", to: "c/red.yaml")
        let alone = try desk.lab("crash", "c", "--report", "out")
        #expect(alone.code == 2 && alone.output.isEmpty)
        #expect(
            alone.errors.contains("c/red.yaml must fail even without a crash"), "\(alone.errors)")
        try desk.write(Desk.green, to: "c/green.yaml")
        let both = try desk.lab("crash", "c", "--report", "out")
        #expect(both.code == 0)
        #expect(both.output.contains("1 scenario left out"), "\(both.output)")
    }

    @Test func `a point of several scenarios is none`() throws {
        let desk = try Desk()
        let answer = try desk.lab("crash", "green.yaml", "red.yaml", "--point", "3")
        #expect(answer.code == 2)
        #expect(answer.errors.contains("there are 2; name one file"), "\(answer.errors)")
    }
}
