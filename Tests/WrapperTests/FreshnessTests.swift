import Foundation
import Testing

/// `lab` asks its own stamp whether to build: when nothing changed, no compiler is even started.
@Suite struct FreshnessTests {
    @Test func `the first run has a build that is there soon and says so, and so has the next`()
        throws
    {
        let house = try StandInHouse()
        let hint =
            "lab: this build is not optimised; ./lab setup makes one that runs seven times as "
            + "fast\n"
        let first = try house.lab("run")
        #expect(
            first.errors
                == "lab: building TransferLab (debug), about two minutes the first time\n" + hint)
        let path = "--package-path \(house.root.path)"
        let call = "build \(path) \(StandInHouse.unoptimised) --product transferlab"
        #expect(house.compilerCalls == [call])
        let second = try house.lab("run")
        #expect(second.errors == hint && second.output == first.output)
        #expect(try house.lab("list").errors == "")
        #expect(house.compilerCalls == [call])
    }

    @Test(arguments: [
        "setup", "bench", "chance", "compare", "crash", "fidelity", "goodput", "live", "serve",
    ])
    func `an optimised build is made for what needs it, and then used by all`(word: String) throws {
        let house = try StandInHouse()
        let first = try house.lab(word)
        #expect(
            first.errors
                == "lab: building TransferLab (release), about five minutes the first time\n")
        let path = "--package-path \(house.root.path)"
        let call = "build \(path) \(StandInHouse.optimised) --product transferlab"
        #expect(house.compilerCalls == [call])
        let second = try house.lab("run")
        #expect(second.errors == "" && second.output == "in \(house.folder.path)\nrun\n")
        #expect(house.compilerCalls == [call])
        try house.write("// new", to: "Sources/transferlab/Main.swift")
        #expect(try house.lab("run").errors == "lab: building TransferLab (release)\n")
        #expect(house.compilerCalls == [call, call])
    }

    enum Change: CaseIterable {
        case sourceWritten, sourceAdded, sourceDeleted, manifestWritten, compilerChanged
        case houseMoved, binaryDeleted
    }

    @Test(arguments: Change.allCases, ["debug", "release"])
    func `a change is built, once`(change: Change, kind: String) throws {
        let house = try StandInHouse()
        try house.write("// one more", to: "Sources/transferlab/Other.swift")
        _ = try house.lab(kind == "debug" ? "run" : "setup")
        switch change {
        case .sourceWritten: try house.write("// new", to: "Sources/transferlab/Main.swift")
        case .sourceAdded: try house.write("// new", to: "Sources/transferlab/New.swift")
        case .sourceDeleted: try house.delete("Sources/transferlab/Other.swift")
        case .manifestWritten: try house.write("// new", to: "Package.swift")
        case .compilerChanged:
            try house.installTool("swift", StandInHouse.compiler + "\n# another version\n")
        case .houseMoved: try house.move(to: "another place")
        case .binaryDeleted: try house.delete(".build/\(kind)/transferlab")
        }
        for _ in 1...2 {
            #expect(try house.lab("run").status == 0)
            #expect(house.compilerCalls.count == 2)
        }
    }

    @Test func `what the compiler repeats is shown once, with its context`() throws {
        let house = try StandInHouse()
        let mistakes = """
            a.swift:1:1: error: one
              1 | x
                | ^
            b.swift:2:1: error: two
              2 | y
                | ^

            """
        try house.installTool(
            "swift",
            "#!/bin/sh\nfor _ in 1 2; do cat <<'END'\n\(mistakes)END\ndone\nexit 1\n")
        let answer = try house.lab("run")
        #expect(answer.status == 2)
        #expect(answer.errors.contains(mistakes + "lab: the build failed"))
        #expect(answer.errors.split(separator: "error: one").count == 2)
    }

    @Test func `a failed build shows the compiler's words and is tried again`() throws {
        let house = try StandInHouse()
        _ = try house.lab("run")
        try house.write("", to: "Sources/broken")
        for _ in 1...2 {
            let answer = try house.lab("run")
            #expect(answer.status == 2)
            #expect(answer.errors.contains("Main.swift:1:1: error: broken\n"))
            #expect(answer.output == "")
        }
        #expect(try stamps(of: house) == ["debug"])
        try house.delete("Sources/broken")
        #expect(try house.lab("run").status == 0)
        #expect(house.compilerCalls.count == 4)
    }

    @Test func `an edit while the build runs is built by the next call`() throws {
        let house = try StandInHouse()
        let slow = StandInHouse.compiler.replacing(
            "build)\n", with: "build)\nsleep 0.3\n", maxReplacements: 1)
        try house.installTool("swift", slow)
        let call = try house.start(["run"])
        while house.compilerCalls.isEmpty { usleep(10_000) }
        usleep(50_000)
        try house.write("// edited", to: "Sources/transferlab/Main.swift")
        #expect(try call.answer().status == 0)
        _ = try house.lab("run")
        #expect(house.compilerCalls.count == 2)
        _ = try house.lab("run")
        #expect(house.compilerCalls.count == 2)
    }

    @Test func `calls at the same moment all succeed`() throws {
        let house = try StandInHouse()
        let calls = try (1...4).map { try house.start(["run", "\($0)"]) }
        for (number, call) in zip(1..., calls) {
            let answer = try call.answer()
            #expect(answer.status == 0 && answer.output.hasSuffix("run\n\(number)\n"))
        }
        let built = house.compilerCalls.count
        _ = try house.lab("run")
        #expect(house.compilerCalls.count == built)
        #expect(try stamps(of: house) == ["debug"])
    }

    private func stamps(of house: StandInHouse) throws -> [String] {
        try FileManager.default.contentsOfDirectory(
            atPath: house.root.appending(path: ".lab").path)
    }

    @Test func `a build shows the steps of the compiler on a terminal, and then clears them`()
        throws
    {
        let house = try StandInHouse()
        try house.installTool(
            "swift", StandInHouse.compiler + "\necho '[3/7] Compiling Facts Fact.swift'\n")
        try FileManager.default.createSymbolicLink(
            atPath: house.folder.appending(path: "tools/script").path,
            withDestinationPath: "/usr/bin/script")
        let lab = house.root.appending(path: "lab").path
        let shown = try house.lab(
            "-qec", "'\(lab)' setup", "/dev/null", by: URL(filePath: "/usr/bin/script"))
        #expect(shown.status == 0)
        #expect(
            shown.output.contains("\r\u{1B}[Klab: [3/7] Compiling Facts Fact.swift\r\u{1B}[K"),
            "\(shown.output.debugDescription)")
        let quiet = try StandInHouse()
        #expect(try !quiet.lab("setup").errors.contains("[3/7]"))
    }
}
