import Foundation
import Testing

/// What people ask before they play anything: how a file is understood, and what is covered.
@Suite struct ListAndExplainTests {
    @Test func `explain says what a file leaves to the usual values, too`() throws {
        let desk = try Desk()
        let answer = try desk.lab("explain", "green.yaml")
        #expect(answer.code == 0 && answer.errors.isEmpty, "\(answer.errors)")
        #expect(
            answer.output == """
                green.yaml: a small upload
                  - The commands need something quick to play.
                  - The uplink carries 10 Mbit/s with 20 ms of delay; its queue takes 50 kB; 1 %
                    of the packets are lost.
                  - The downlink carries 10 Mbit/s with 20 ms of delay; its queue takes 50 kB.
                  - Session 1 uploads note.txt (80 kB) to incoming/note.txt.
                  - The run ends at 10 min at the latest.
                  - Expected: session 1 completes within 30 s.
                  - All invariants judge this run.
                  - It is played with seed 1.

                """)
    }

    @Test func `explain tells of seeds, tags, excuses and what is cited`() throws {
        let desk = try Desk()
        try desk.write(
            """
            seed: 1 to 20
            tags: [long]
            cites: [A3, TUSKit#162]
            excuse: { S3: the server forgets }
            \(Desk.green)
            """, to: "much.yaml")
        let answer = try desk.lab("explain", "much.yaml")
        for sentence in [
            "It is played 20 times, with the seeds 1, 2, 3, 4, 5 and 15 more.",
            "It is tagged long.", "It covers A3, TUSKit#162.", "S3 is excused: the server forgets.",
            "All invariants judge this run, except those that are excused.",
        ] { #expect(answer.output.contains(sentence), "\(answer.output)") }
    }

    @Test func `a file with mistakes is not explained`() throws {
        let desk = try Desk()
        try desk.write("nme: x\n", to: "bad.yaml")
        for command in ["explain", "list"] {
            let answer = try desk.lab(command, "bad.yaml")
            #expect(answer.code == 2 && answer.errors.contains("bad.yaml:1:1"), "\(answer.errors)")
        }
        #expect(try desk.lab("explain").code == 2)
    }

    @Test func `list --about finds the scenario that is nearest to a bug`() throws {
        let desk = try Desk()
        try desk.write(
            "\(Desk.green)\ncites: [A9]".replacing("a small upload", with: "killed in an upload"),
            to: "suite/killed.yaml")
        try desk.write(Desk.green, to: "suite/other.yaml")
        let answer = try desk.lab("list", "--about", "bluetooth crashes", "suite")
        #expect(answer.code == 0 && answer.errors.isEmpty, "\(answer.errors)")
        #expect(
            answer.output == """
                suite/killed.yaml  A9
                    killed in an upload: the commands need something quick to play
                    because of: crashes

                No scenario speaks of: bluetooth.

                """, "\(answer.output)")
        let nothing = try desk.lab("list", "--about", "?!", "suite")
        #expect(nothing.code == 2)
        #expect(nothing.errors.contains("--about takes a bug in your own words"))
        #expect(try desk.lab("list", "--about", "crash", "--filter", "x").code == 2)
    }

    @Test func `list --evidence shows which clauses something decides, and fails for the others`()
        throws
    {
        let desk = try Desk()
        try desk.write(Desk.green, to: "suite/a.yaml")
        func listed(_ path: String) throws -> Program.Answer {
            try desk.lab("list", "--evidence", path, "--runs", "0", "--points", "0")
        }
        let answer = try listed("suite")
        #expect(answer.code == 1, "\(answer.errors)")
        let decided = answer.lines.first { $0.hasPrefix("  S1 published first ") }
        #expect(decided?.contains("  1  ") == true && decided?.contains(" – ") == true)
        #expect(answer.lines.contains { $0.hasPrefix("✘ S10 budget ") })
        #expect(answer.lines.last?.contains("never decided (") == true)
        // The reports of a suite serve as well as its scenarios.
        #expect(try desk.lab("run", "suite", "--report", "reports").code == 0)
        #expect(try listed("reports").output == answer.output)
        #expect(try desk.lab("list", "suite", "--runs", "5").code == 2)
    }

    @Test func `list shows what covers which statement, and what nothing covers`() throws {
        let desk = try Desk()
        try desk.write("cites: [A3, S16]\ntags: [long]\n" + Desk.green, to: "suite/a.yaml")
        try desk.write("cites: [TUSKit#162, A3]\n" + Desk.green, to: "suite/b.yaml")
        let answer = try desk.lab("list", "suite")
        #expect(answer.code == 0, "\(answer.errors)")
        let lines = answer.lines
        #expect(
            lines.prefix(11) == [
                "suite/a.yaml  a small upload  A3 S16  [long]",
                "suite/b.yaml  a small upload  TUSKit#162 A3",
                "Covered, with the number of scenarios and the first of them:",
                "A3   2  Sessions run one at a time, in the order in which they were enqueued",
                "        suite/a.yaml, …",
                "S16  1  The network obeys physics, and its packet counts balance",
                "        suite/a.yaml", "TUSKit#162  1  suite/b.yaml",
                "Not covered:",
                "A1   Will and did callbacks come in pairs, around activation and running",
                "A2   After a failed connection or login, no callback says running started",
            ], "\(answer.output)")
        #expect(lines.contains("L5   Lists and staging areas are reclaimed in the end"))
        #expect(lines.last == "2 scenarios; covered: 3, not covered: 98.")
        let chosen = try desk.lab("list", "suite", "--filter", "long")
        #expect(chosen.lines.first == "suite/a.yaml  a small upload  A3 S16  [long]")
        #expect(chosen.lines.last == "1 scenario; covered: 2, not covered: 98.")
        #expect(try desk.lab("list", "suite", "--filter", "lnog").code == 2)
    }

    @Test func `list is read by programs, too`() throws {
        struct Listed: Decodable {
            struct Row: Decodable {
                var path: String
                var runs: Int
            }
            struct Covered: Decodable {
                var statement: String
                var text: String?
                var paths: [String]
            }
            struct Uncovered: Decodable {
                var number: String
                var text: String
            }
            var scenarios: [Row]
            var covered: [Covered]
            var uncovered: [Uncovered]
        }
        let desk = try Desk()
        try desk.write("cites: [S2]\nseed: [3, 5]\n" + Desk.green, to: "suite/a.yaml")
        let answer = try desk.lab("list", "suite", "--json")
        let listed = try JSONDecoder().decode(Listed.self, from: Data(answer.output.utf8))
        #expect(listed.scenarios.map(\.path) == ["suite/a.yaml"])
        #expect(listed.scenarios.map(\.runs) == [2])
        #expect(listed.covered.map(\.statement) == ["S2"])
        #expect(listed.covered[0].text == "Bytes of two versions of a file are never joined")
        #expect(listed.uncovered.count == 99 && !listed.uncovered.contains { $0.number == "S2" })
        #expect(listed.uncovered.last?.number == "L5" && listed.uncovered.last?.text != "")
    }

    @Test func `without a path, the folder Scenarios is listed`() throws {
        let desk = try Desk()
        try desk.write(Desk.green, to: "Scenarios/x.yaml")
        #expect(try desk.lab("list").lines.first == "Scenarios/x.yaml  a small upload")
    }
}
