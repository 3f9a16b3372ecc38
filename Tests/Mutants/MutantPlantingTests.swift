import Scenario
import Testing

@testable import Runs

/// Mutants are read and planted so that a build without a chosen one is the project itself.
@Suite struct MutantPlantingTests {
    private static let text = """
        # A comment.

        mutant never-waits
        bug: it does not wait
        cites: A16, S10
        field: TUSKit#200
        scenario: queue/first-upload
        in Sources/A/B.swift
        -     let pause = max(own, asked)
        + let pause = mutated ? own : max(own, asked)
        in Sources/A/C.swift
        - go()
        - stop()
        + if !mutated { go() }
        + stop()

        mutant never-stops
        bug: it does not stop
        in Sources/A/B.swift
        - stop()
        + if !mutated { stop() }
        """

    private static let sources = [
        "Sources/A/B.swift": "let own = 1\n  let pause = max(own, asked)\n\nstop()\n",
        "Sources/A/C.swift": "stop()\n    go()\n    stop()\ngo()\n",
    ]

    private static func planted(_ text: String) throws -> [String: String] {
        let reader = MutantReader(text, path: "a.mutants")
        #expect(reader.mistakes == [])
        return try MutantPlanting(MutantField(reader.mutants)) { sources[$0] }.texts
    }

    @Test func `a mutant is read with all that is said about it`() {
        let reader = MutantReader(Self.text, path: "Tests/Mutants/queue.mutants")
        #expect(reader.mistakes == [])
        #expect(reader.mutants.map(\.name) == ["never-waits", "never-stops"])
        let first = reader.mutants[0]
        #expect(first.cites == ["A16", "S10"])
        #expect(first.fieldBug == "TUSKit#200")
        #expect(first.scenario == "queue/first-upload")
        #expect(first.area == "queue")
        #expect(first.target == "A")
        #expect(first.edits.map(\.path) == ["Sources/A/B.swift", "Sources/A/C.swift"])
    }

    @Test func `each mutant stands behind its number, and the rest of a file stays`() throws {
        let texts = try Self.planted(Self.text)
        #expect(
            texts["Sources/A/B.swift"] == """
                internal import Quantities
                let own = 1
                let pause = isMutated(1) ? own : max(own, asked)

                if !isMutated(2) { stop() }

                """)
        #expect(
            texts["Sources/A/C.swift"] == """
                internal import Quantities
                stop()
                if !isMutated(1) { go() }
                stop()
                go()

                """)
        #expect(texts["Sources/Quantities/Mutated.swift"]?.contains("TRANSFERLAB_MUTANT") == true)
    }

    @Test(arguments: [
        ("- nowhere()", "“nowhere()” is not in Sources/A/C.swift"),
        ("- stop()", "“stop()” is 2 times in Sources/A/C.swift"),
    ])
    func `lines that are not there once are a mistake`(removed: String, said: String) {
        let text = """
            mutant lost
            bug: nothing
            in Sources/A/C.swift
            \(removed)
            + if mutated {}
            """
        let mistake = #expect(throws: RunFailure.self) { try Self.planted(text) }
        #expect(mistake?.description.hasPrefix("a.mutants:3:1: error: \(said); write") == true)
    }

    @Test func `two mutants cannot edit one line`() {
        let text = """
            \(Self.text)

            mutant third
            bug: nothing
            in Sources/A/B.swift
            - stop()
            + stop(mutated)
            """
        let mistake = #expect(throws: RunFailure.self) { try Self.planted(text) }
        #expect(mistake?.description.contains("a.mutants:19 edits the same line") == true)
    }

    @Test(arguments: [
        ("bug: none", "the first mutant begins with a line “mutant NAME”"),
        ("mutant a\nin F\n- x\n+ mutated", "a line “bug: …” must say what goes wrong"),
        ("mutant a\nbug: b", "there is no edit"),
        ("mutant a\nbug: b\nin F\n- x\n+ y", "nothing depends on “mutated”"),
        ("mutant a\nbug: b\nin F\n+ mutated", "no line with “-” says what is replaced"),
        ("mutant a\nbug: b\nin F\n- x\n+ mutated\n- y", "“-” after “+”"),
        ("mutant a\nbug: b\nfiled: x\nin F\n- x\n+ mutated", "“filed: x” is no line of a mutant"),
        ("mutant a\nbug: b\n- x\n+ mutated", "a line “in FILE” must say which file"),
    ])
    func `a mistake is told with its place`(text: String, said: String) {
        let mistakes = MutantReader(text, path: "a.mutants").mistakes
        let words = mistakes.map(\.description)
        #expect(words.contains { $0.hasPrefix("a.mutants:") && $0.contains("error: \(said)") })
    }
}
