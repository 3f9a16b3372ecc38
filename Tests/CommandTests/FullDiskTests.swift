import Foundation
import Testing

/// What cannot be written is said; a report that is not whole never counts as green.
@Suite struct FullDiskTests {
    @Test(arguments: ["run green.yaml", "run green.yaml --json", "check green.yaml", "help"])
    func `output that cannot be written ends with 2`(words: String) throws {
        let answer = try Desk().shell("\"$lab\" \(words) >/dev/full")
        #expect(answer.code == 2, "\(answer.call)")
        #expect(answer.errors.contains("the output could not be written"), "\(answer.errors)")
    }

    /// A limit to the size of files stands in for a disk that is full at that point.
    @Test(arguments: [(1, "events.jsonl"), (16, "run.json"), (64, "report.html")])
    func `a file of a run that cannot be written whole is named`(
        kilobytes: Int, name: String
    ) throws {
        let desk = try Desk()
        let script = "trap '' XFSZ; ulimit -f \(kilobytes * 2); exec \"$lab\" run green.yaml"
        let answer = try desk.shell(script)
        #expect(answer.code == 2, "\(answer.call)")
        #expect(answer.output.isEmpty, "\(answer.call)")
        let place = "Reports/latest/green/\(name) could not be written: File too large; choose"
        #expect(answer.errors.contains(place), "\(answer.call): \(answer.errors)")
    }

    @Test func `packets that do not fit on the disk end the run, and say how they would`() throws {
        let desk = try Desk()
        let script = "trap '' XFSZ; ulimit -f 64; exec \"$lab\" run green.yaml --packets"
        let answer = try desk.shell(script)
        #expect(answer.code == 2, "\(answer.call)")
        let place = "Reports/latest/green/capture.pcap could not be written: File too large; choose"
        #expect(answer.errors.contains(place), "\(answer.call): \(answer.errors)")
        #expect(answer.errors.contains("--snap-length"), "\(answer.errors)")
        #expect(!desk.holds("Reports/latest/green/report.html"))
    }

    @Test func `a run that cannot be written keeps no other from its report`() throws {
        let desk = try Desk()
        try desk.write(Desk.green, to: "also.yaml")
        // Where the second run's folder would be, there is a file.
        try desk.write("", to: "out/green")
        let answer = try desk.lab("run", "also.yaml", "green.yaml", "red.yaml", "--report", "out")
        #expect(answer.code == 2, "\(answer.call)")
        #expect(answer.output.contains("3 runs: 1 green, ✘ 1 red, ✘ 1 not played; took "))
        #expect(answer.errors.contains("out/green: "), "\(answer.errors)")
        #expect(desk.holds("out/also/report.html") && desk.holds("out/red/report.html"))
        let report = try desk.text(of: "out/junit.xml")
        #expect(report.contains(#"tests="3" failures="1" errors="1""#), "\(report)")
        #expect(report.contains(#"message="could not be played: "#), "\(report)")
        let page = try desk.text(of: "out/index.html")
        #expect(page.contains("1 of 3 runs is red, 1 of 3 could not be played"), "\(page)")
        let digests = try desk.lab("run", "also.yaml", "green.yaml", "--digests", "--report", "out")
        #expect(digests.code == 2 && digests.lines.count == 1, "\(digests.call)")
    }

    @Test func `a live run without room for the app's files says where they were to go`() throws {
        let desk = try Desk()
        try desk.write("", to: "room/notes.txt")
        let script = "trap '' XFSZ; ulimit -f 32; TMPDIR=$PWD/room; export TMPDIR; "
        let answer = try desk.shell(script + "exec \"$lab\" live green.yaml")
        #expect(answer.code == 2, "\(answer.call)")
        let place = "cannot put note.txt into \(desk.url.path)/room/transferlab-live-"
        #expect(answer.errors.contains(place), "\(answer.call): \(answer.errors)")
        #expect(answer.errors.contains("TMPDIR names another place"), "\(answer.errors)")
    }

    @Test(arguments: ["index.html", "summary.json", "junit.xml", "ctrf.json"])
    func `a file of the suite that cannot be written is named`(name: String) throws {
        let desk = try Desk()
        // A folder stands where the file would go.
        try desk.write("", to: "out/\(name)/notes.txt")
        let answer = try desk.lab("run", "green.yaml", "--report", "out")
        #expect(answer.code == 2, "\(answer.call)")
        #expect(
            answer.errors.contains("out/\(name) could not be written: "), "\(answer.errors)")
        #expect(!answer.output.contains("reports in"), "\(answer.output)")
        #expect(desk.holds("out/\(name)/notes.txt"))
    }

    @Test func `nobody is sent to a page that could not be written`() throws {
        let desk = try Desk()
        try desk.write("", to: "out/red")
        try desk.write("", to: "out/index.html/notes.txt")
        let answer = try desk.lab("run", "green.yaml", "red.yaml", "--report", "out")
        #expect(answer.code == 2, "\(answer.call)")
        let output = answer.output
        #expect(output.contains("2 runs: 1 green, ✘ 1 not played; took "), "\(output)")
        #expect(!output.contains("reports in"), "\(output)")
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: desk.url.path + "/out")
                .filter { $0.hasPrefix(".") || $0.hasSuffix(".tmp") } == [])
    }
    private static let mayMount = geteuid() == 0
    private static let fullDisk =
        "could not be written: the disk is full (No space left on device); choose another folder "
        + "with --report"

    /// Plays on a file system of its own, of so many pages, and copies what is left to `left`.
    private func play(
        _ scenarios: String, on desk: Desk, pages: Int, after preparation: String = "true"
    ) throws -> Program.Answer {
        try desk.shell(
            """
            exec unshare -m /bin/sh -c '
            mkdir out && mount -t tmpfs -o size=\(4 * pages)k none out && \(preparation) || exit 99
            "$lab" run \(scenarios) --report out
            code=$?
            cp -r out left || exit 99
            exit $code'
            """)
    }

    @Test(.enabled(if: mayMount, "mounting a small file system needs root"), arguments: 1...8)
    func `a full disk leaves whole files of a suite or none, and sends nobody to a missing page`(
        pages: Int
    ) throws {
        let desk = try Desk()
        // The files of the run are on another disk.
        let answer = try play(
            "green.yaml", on: desk, pages: pages,
            after: "mkdir out/green room && mount --bind room out/green && "
                + "head -c 4096 /dev/zero >out/others")
        let names = try FileManager.default.contentsOfDirectory(atPath: desk.url.path + "/left")
        let ends = [
            "index.html": "</html>", "summary.json": "}", "junit.xml": "</testsuites>",
            "ctrf.json": "}",
        ]
        let written = names.filter { ends[$0] != nil }
        #expect(Set(names).subtracting(written) == ["green", "others"], "\(answer.call)")
        for name in written {
            let text = try desk.text(of: "left/\(name)")
            #expect(text.hasSuffix((ends[name] ?? "") + "\n"), "\(answer.call): \(name) is cut off")
        }
        if written.count == ends.count {
            #expect(answer.code == 0, "\(answer.call): \(answer.errors)")
            #expect(answer.output.contains("reports in out/index.html"), "\(answer.output)")
        } else {
            #expect(answer.code == 2, "\(answer.call)")
            #expect(answer.errors.contains(Self.fullDisk), "\(answer.call): \(answer.errors)")
            #expect(!answer.output.contains("reports in"), "\(answer.output)")
        }
    }

    @Test(
        .enabled(if: mayMount, "mounting a small file system needs root"),
        arguments: [1, 4, 16, 32, 50])
    func `a run that fills the disk leaves no half of its report`(pages: Int) throws {
        let desk = try Desk()
        let answer = try play("green.yaml red.yaml", on: desk, pages: pages)
        #expect(answer.code == 2, "\(answer.call)")
        #expect(answer.errors.contains(Self.fullDisk), "\(answer.call): \(answer.errors)")
        #expect(!answer.output.contains("reports in") || desk.holds("left/index.html"))
        for name in ["green", "red"] {
            for (file, end) in [("run.json", "}\n"), ("report.html", "</html>\n")]
            where desk.holds("left/\(name)/\(file)") {
                let text = try desk.text(of: "left/\(name)/\(file)")
                #expect(text.hasSuffix(end), "\(answer.call): \(name)/\(file) is cut off")
            }
        }
    }
}
