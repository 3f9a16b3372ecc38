import Testing

/// `mutants` reads the mutants of a project, and says what is wrong with them.
@Suite struct MutantsCommandTests {
    private static let mutant = """
        mutant never-waits
        bug: it does not wait
        in Sources/A.swift
        - wait()
        + if !mutated { wait() }

        """

    private static func desk(_ mutants: String) throws -> Desk {
        let desk = try Desk()
        try desk.write(mutants, to: "Tests/Mutants/Bugs/a.mutants")
        try desk.write("wait()\n", to: "Sources/A.swift")
        return desk
    }

    @Test func `mutants are listed, and planted in a copy`() throws {
        let desk = try Self.desk(Self.mutant)
        let list = try desk.lab("mutants", "--list")
        #expect(list.code == 0 && list.lines == ["never-waits  it does not wait", "1 mutant"])
        let planted = try desk.lab("mutants", "--plant", "copy", "--stages", "scenarios")
        #expect(planted.code == 0 && planted.lines == ["--product transferlab"])
        #expect(try desk.text(of: "copy/Sources/A.swift").contains("if !isMutated(1) { wait() }"))
        #expect(try desk.lab("mutants", "--plant", "copy").lines == ["--build-tests"])
    }

    @Test func `a sample of nothing is no success`() throws {
        let desk = try Self.desk(Self.mutant)
        let answer = try desk.lab("mutants", "--sample", "2", "--tree", "copy")
        #expect(answer.code == 2)
        #expect(answer.errors.contains("none of these mutants names a scenario"))
    }

    @Test func `a mistake is told with its place`() throws {
        let desk = try Self.desk("mutant a\nbug: b\nin Sources/A.swift\n- go()\n+ mutated\n")
        let answer = try desk.lab("mutants", "--plant", "copy")
        #expect(answer.code == 2)
        #expect(answer.errors.contains("Tests/Mutants/Bugs/a.mutants:3:1: error: “go()” is not in"))
    }
}
