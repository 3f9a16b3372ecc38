import Foundation
import Testing

/// Runs side by side and two suites beside each other, as a user asks for them.
@Suite struct PerformanceTests {
    /// Plays a scenario with five seeds over a link with this rate, and returns the page's folder.
    private static func play(_ rate: String, into folder: String, at desk: Desk) throws {
        try desk.write(
            Desk.green.replacing("uplink: { rate: 10 Mbit/s", with: "uplink: { rate: \(rate)"),
            to: "suite/upload.yaml")
        let answer = try desk.lab("run", "suite", "--seeds", "1...5", "--report", folder)
        #expect(answer.code == 0, "\(answer.call): \(answer.errors)")
    }

    @Test func `a suite with several seeds has the page, one with a run has none`() throws {
        let desk = try Desk()
        try Self.play("10 Mbit/s", into: "out", at: desk)
        #expect(try desk.text(of: "out/index.html").contains("href=\"performance.html\""))
        let page = try desk.text(of: "out/performance.html")
        #expect(page.contains("<h1>5 runs, 1 case of 1 file side by side</h1>"))
        _ = try desk.lab("run", "suite", "--report", "out")
        #expect(!desk.holds("out/performance.html") && !desk.holds("out/performance.json"))
        #expect(try !desk.text(of: "out/index.html").contains("performance.html"))
    }

    @Test func `a slower link is found, and its exit code depends on the bound`() throws {
        let desk = try Desk()
        try Self.play("10 Mbit/s", into: "a", at: desk)
        try Self.play("5 Mbit/s", into: "b", at: desk)
        let slow = try desk.lab("compare", "a", "b", "--slower-than", "5%", "--report", "change")
        #expect(slow.code == 1, "\(slow.call): \(slow.errors)")
        #expect(slow.errors.contains("a small upload: completed in "), "\(slow.errors)")
        #expect(slow.errors.contains("1 slower, 0 faster, 0 equal"), "\(slow.errors)")
        let page = try desk.text(of: "change/performance.html")
        #expect(page.contains("✘ slower"))
        #expect(try desk.text(of: "change/performance.md").contains("| slower, goodput worse"))
        let bearable = try desk.lab("compare", "a", "b", "--slower-than", "900%")
        #expect(bearable.code == 0, "\(bearable.call): \(bearable.errors)")
        #expect(try desk.lab("compare", "b", "a", "--slower-than", "0%").code == 0)
        // Without a bound, simulated figures must be equal.
        #expect(try desk.lab("compare", "a", "b").code == 1)
    }

    @Test func `equal suites raise no alarm, and the page is the same each time`() throws {
        let desk = try Desk()
        try Self.play("10 Mbit/s", into: "a", at: desk)
        try Self.play("10 Mbit/s", into: "b", at: desk)
        for folder in ["one", "other"] {
            let answer = try desk.lab(
                "compare", "a", "b", "--slower-than", "0%", "--report", folder)
            #expect(answer.code == 0, "\(answer.call): \(answer.errors)")
            #expect(answer.errors.contains("0 slower, 0 faster, 1 equal"), "\(answer.errors)")
        }
        for name in ["performance.html", "performance.json", "performance.md"] {
            #expect(try desk.data(of: "one/\(name)") == desk.data(of: "other/\(name)"), "\(name)")
        }
        #expect(try desk.text(of: "one/performance.html").contains("No figure of any case differs"))
    }

    @Test func `suites without a common run are refused, whatever they have`() throws {
        let desk = try Desk()
        _ = try desk.lab("run", "green.yaml", "--seed", "1", "--report", "a")
        _ = try desk.lab("run", "green.yaml", "--seed", "2", "--report", "b")
        let answer = try desk.lab("compare", "a", "b", "--slower-than", "5%")
        #expect(answer.code == 2)
        #expect(answer.errors.contains("the same seeds"), "\(answer.errors)")
    }

    @Test func `what is no suite is refused with a way out`() throws {
        let desk = try Desk()
        try desk.write("{ \"format\": \"transferlab-figures/1\", \"subjects\": [] }", to: "a.json")
        let answer = try desk.lab("compare", "a.json", "a.json", "--slower-than", "5%")
        #expect(answer.code == 2 && answer.errors.contains("name the folder of a suite"))
        let share = try desk.lab("compare", "a.json", "a.json", "--slower-than", "5")
        #expect(share.code == 2)
        #expect(share.errors.contains("--slower-than takes a share such as 10%"))
        let both = try desk.lab("compare", "--baselines", "--slower-than", "5%")
        #expect(both.code == 2)
    }
}
