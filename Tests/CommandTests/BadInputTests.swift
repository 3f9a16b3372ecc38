import Foundation
import Testing

/// Whatever is wrong with the input ends with 2, one message on standard error that says where and
/// what to do, and nothing on standard output.
@Suite struct BadInputTests {
    typealias Case = (words: [String], says: [String])

    static let commandLines: [Case] = [
        ([], ["a command is missing", "usage: ./lab COMMAND"]),
        (["rnu", "green.yaml"], ["no command “rnu”", "did you mean “run”?", "./lab help"]),
        (["simulate"], ["no command “simulate”", "./lab help lists the commands"]),
        (["help", "dif"], ["no command “dif”", "did you mean “diff”?"]),
        (["run"], ["run needs a scenario file or a folder", "./lab help run"]),
        (["run", "green.yaml", "--sed", "3"], ["no option --sed", "did you mean “--seed”?"]),
        (["run", "green.yaml", "-seed", "3"], ["no option -seed", "did you mean “--seed”?"]),
        (
            ["check", "green.yaml", "--seed", "3"],
            ["check has no option --seed", "./lab help check"]
        ),
        (["run", "green.yaml", "--seed"], ["--seed needs a value", "./lab help run"]),
        (["run", "green.yaml", "--seed="], ["--seed needs a value"]),
        (["run", "green.yaml", "--report", "--json"], ["--report needs a value"]),
        (["run", "green.yaml", "--report", ""], ["--report needs a value"]),
        (["run", "green.yaml", "--json=yes"], ["--json takes no value"]),
        (["run", "green.yaml", "--seed", "1", "--seed", "2"], ["--seed was given twice"]),
        (["run", "green.yaml", "--seed", "seven"], ["whole number", "not “seven”"]),
        (["run", "green.yaml", "--seed", "-1"], ["whole number from 0 to 1844", "not “-1”"]),
        (["run", "green.yaml", "--seed", "18446744073709551616"], ["from 0 to 1844"]),
        (["run", "green.yaml", "--seed", "1.5"], ["whole number"]),
        (["run", "green.yaml", "--packets=here"], ["--packets takes one of client, server, both"]),
        (
            ["run", "green.yaml", "--reports", "some"],
            ["--reports takes one of all, few, red, not “some”"]
        ),
        (
            ["run", "green.yaml", "--packets", "--packets", "both"],
            ["--packets was given twice"]
        ),
        (["run", "--packets", "server"], ["run needs a scenario file or a folder"]),
        (["run", "green.yaml", "--snap-length", "96"], ["works only with --packets"]),
        (
            ["run", "green.yaml", "--packets", "--snap-length", "60"],
            ["a whole number of bytes from 80 to 65535, not “60”"]
        ),
        (["run", "green.yaml", "--packet"], ["no option --packet", "did you mean “--packets”?"]),
        (
            ["run", "green.yaml", "--digests", "--packets"],
            ["no place for the packets", "choose a folder with --report"]
        ),
        (["live", "green.yaml", "--packets"], ["live has no option --packets"]),
        (["check"], ["check needs a scenario file or a folder"]),
        (["crash"], ["crash needs a scenario file or a folder"]),
        (
            ["crash", "green.yaml", "--point", "5000"],
            ["there is no point 5000", "the scenario has points 1 to"]
        ),
        (["replay"], ["replay needs one run"]),
        (["replay", "a", "b"], ["replay needs one run"]),
        (["diff", "a"], ["diff needs two runs, not 1"]),
        (["fidelity", "reno"], ["fidelity takes no path, such as “reno”", "./lab help fidelity"]),
        (
            ["fidelity", "--cells", "vegas"],
            ["no cell “vegas”", "cells have names such as reno-40ms-0.1%"]
        ),
        (["goodput", "reno"], ["goodput takes no path, such as “reno”", "./lab help goodput"]),
        (["fidelity", "--jobs", "3"], ["--again and --jobs work only with --measure"]),
        (["fidelity", "--measure", "--jobs", "0"], ["--jobs takes a whole number from 1 to 32"]),
    ]

    static let files: [Case] = [
        (
            ["run", "missing.yaml"],
            ["there is no “missing.yaml”", "name a scenario file or a folder"]
        ),
        (["run", ""], ["there is no “”"]),
        (["run", "empty"], ["empty has no scenario", ".yaml"]),
        (
            ["run", "green.yaml", "/dev/null"],
            ["/dev/null cannot be read", "name a file that you may read"]
        ),
        (["run", "syntax.yaml"], ["syntax.yaml:1:7: error:", "expected", "^"]),
        (["run", "unit.yaml"], ["unit.yaml:7:13: error:", "has no unit", "units: B"]),
        (
            ["check", "unit.yaml", "missing.yaml", "syntax.yaml"],
            [
                "unit.yaml:7:13: error: ", "\n\ntransferlab: error: there is no “missing.yaml”",
                "\n\nsyntax.yaml:1:7: error: ",
            ]
        ),
        (["run", "binary.yaml"], ["binary.yaml:1:1: error:", "UTF-8"]),
        (["run", "nothing.yaml"], ["nothing.yaml:1:1: error:"]),
        (
            ["run", "green.yaml", "--report", "unit.yaml"],
            ["unit.yaml/green: Not a directory; choose another folder with --report"]
        ),
        (
            ["run", "green.yaml", "--report", "unit.yaml/x"],
            ["unit.yaml/x/green: Not a directory; choose"]
        ),
        (
            ["run", "green.yaml", "--report", "/proc/x"],
            ["folder /proc/x/green: No such file or directory; choose"]
        ),
        (["replay", "missing"], ["no run at missing", "name a run's folder"]),
        (["replay", "empty"], ["no run.json in empty", "name the folder of one run"]),
        (["replay", "green.yaml"], ["green.yaml:1:2: error: the file is not a run: "]),
        (["diff", "empty", "missing"], ["no run.json in empty"]),
        (
            ["fidelity"],
            [
                "Reports/baselines/fidelity.json holds no figures: ",
                "in cells[0]; repair it, or restore the committed file",
            ]
        ),
    ]

    @Test(arguments: commandLines) func `a command line that means nothing`(line: Case) throws {
        try refuses(line, at: try Desk())
    }

    @Test(arguments: files) func `a file that is not what it should be`(line: Case) throws {
        let desk = try Desk()
        try desk.write("name: [a\n", to: "syntax.yaml")
        try desk.write(Desk.green.replacing("80 kB", with: "80"), to: "unit.yaml")
        try desk.write("", to: "nothing.yaml")
        try desk.write("{ \"cells\": [1] }", to: "Reports/baselines/fidelity.json")
        try Data([0xFF, 0xFE, 0x00]).write(to: desk.url.appending(path: "binary.yaml"))
        try FileManager.default.createDirectory(
            at: desk.url.appending(path: "empty"), withIntermediateDirectories: false)
        try refuses(line, at: desk)
    }

    @Test(.disabled(if: getuid() == 0, "root reads every file"))
    func `a file and a folder that may not be read`() throws {
        let desk = try Desk()
        try desk.write(Desk.green, to: "shut/green.yaml")
        for path in ["green.yaml", "shut"] {
            let place = desk.url.appending(path: path).path
            try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: place)
            defer {
                try? FileManager.default.setAttributes(
                    [.posixPermissions: 0o700], ofItemAtPath: place)
            }
            try refuses((["run", path], ["\(path) cannot be read"]), at: desk)
        }
    }

    @Test func `a run that would be written over by its own replay`() throws {
        let desk = try Desk()
        _ = try desk.lab("run", "green.yaml", "--report", "out")
        try refuses(
            (["replay", "out/green", "--report", "out"], ["the replay would overwrite out/green"]),
            at: desk)
        #expect(desk.holds("out/green/run.json"))
    }

    private func refuses(_ line: Case, at desk: Desk) throws {
        let answer = try Program.run(line.words, in: desk.url)
        #expect(answer.code == 2, "\(answer.call)")
        #expect(answer.output.isEmpty, "\(answer.call)")
        // Editors and CI read this form.
        let isReadable = answer.errors.prefixMatch(of: /(transferlab|[^:\n]+:\d+:\d+): error: ./)
        #expect(isReadable != nil, "\(answer.call): \(answer.errors)")
        for words in line.says {
            #expect(answer.errors.contains(words), "\(answer.call): \(answer.errors)")
        }
        for trace in ["Fatal error", "Crash", "Backtrace", "Domain", "Optional("] {
            #expect(!answer.errors.contains(trace), "\(answer.call): \(answer.errors)")
        }
    }
}
