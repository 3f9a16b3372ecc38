import Foundation
import Testing

@testable import Runs

/// A mutant is tried part by part, and what notices it first is kept. The program that plays the
/// role of the planted build is a script.
@Suite struct MutantTrialTests {
    private final class Stage {
        let folder: URL
        let field: MutantField
        let trials: MutantTrials

        /// The script knows the part that is called as `$part`, and the mutant's number as
        /// `$mutant`. It says which mutants the part comes to by `reach`, then decides.
        init(_ script: String, tests: String? = nil) throws {
            folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
            let program = """
                #!/bin/sh
                mutant=$TRANSFERLAB_MUTANT
                part=$1
                reach() {
                    [ -n "$TRANSFERLAB_MUTANTS_REACHED" ] || return
                    for number; do
                        printf '\\1' | dd bs=1 seek=$number conv=notrunc status=none \
                            of="$TRANSFERLAB_MUTANTS_REACHED"
                    done
                }
                echo "$part $mutant" >>../calls
                \(script)
                exit 0

                """
            let files = [
                "tree/.build/release/transferlab": program,
                "tree/.build/release/TransferLabPackageTests.xctest":
                    program.replacing("part=$1", with: "part=$5"),
                "tree/Tests/ATests/a.swift": "",
                "tree/Scenarios/a.yaml": "name: a\n",
            ]
            for (path, text) in files {
                let file = folder.appending(path: path)
                try FileManager.default.createDirectory(
                    at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
                try Data(text.utf8).write(to: file)
                try FileManager.default.setAttributes(
                    [.posixPermissions: 0o755], ofItemAtPath: file.path)
            }
            let names = ["one", "two", "three"]
            let own = tests.map { "tests: \($0)\n" } ?? ""
            let text = names.map { "mutant \($0)\nbug: b\n\(own)in F\n- x\n+ mutated \($0)\n" }
                .joined()
            field = MutantField(MutantReader(text, path: "m.mutants").mutants)
            trials = MutantTrials(field, in: PlantedTree(at: folder.appending(path: "tree")))
        }

        func play(
            _ stages: [MutantStage] = [.scenarios, .figures, .chance, .crash],
            again: Bool = false
        ) throws -> [String] {
            var told: [String] = []
            try trials.play(field.mutants, stages, again: again, jobs: 1) { finding, _, _ in
                told.append("\(finding.mutant) \(finding.stage?.rawValue ?? "nothing")")
            }
            return told
        }

        var calls: [String] {
            let text = try? String(contentsOf: folder.appending(path: "calls"), encoding: .utf8)
            return (text ?? "").split(separator: "\n").map(String.init)
        }

        deinit { try? FileManager.default.removeItem(at: folder) }
    }

    @Test func `the first part that fails has noticed, and what nothing notices is told`() throws {
        let stage = try Stage(
            """
            reach 1 2 3
            case $mutant-$part in
                1-run) kill -SEGV $$ ;;
                2-chance) echo "✘ red"; exit 1 ;;
                2-crash) exit 1 ;;
            esac
            """)
        #expect(try stage.play() == ["one scenarios", "two chance", "three nothing"])
        let table = MutantTable(stage.field.mutants, stage.trials.findings())
        #expect(table.rows.map(\.words) == ["crashed", "✘ red", nil])
        #expect(!table.isFine)
        #expect(table.summary.contains("Scenarios alone noticed 1 of 3 (33.3 %)"))
        #expect(table.summary.contains("everything together 2 of 3 (66.6 %)"))
    }

    @Test func `a part that never comes to a mutant's place is not called`() throws {
        let stage = try Stage(
            """
            case $part in
                run) reach 1 ;;
                chance) reach 1 2 ;;
            esac
            """)
        #expect(try stage.play() == ["one nothing", "two nothing", "three nothing"])
        #expect(
            stage.calls.filter { !$0.hasSuffix(" 0") } == ["run 1", "chance 1", "chance 2"])
        let table = MutantTable(stage.field.mutants, stage.trials.findings())
        let tried = "yet (tried: scenarios, exact figures, random scenarios, crash points)"
        #expect(table.summary.contains("✘ two: nothing noticed it \(tried): b"))
        #expect(table.summary.contains("✘ three: nothing comes to its place \(tried): b"))
        #expect(table.summary.contains("Not all stages have tried the other 3 yet."))
    }

    @Test func `what was found is not tried again, unless asked for`() throws {
        let stage = try Stage("reach 1 2 3; [ $mutant = 0 ] || exit 1")
        #expect(try stage.play().count == 3)
        #expect(try stage.play() == [])
        #expect(try stage.play(again: true).count == 3)
        let measuring = stage.calls.filter { $0.hasSuffix(" 0") }
        #expect(measuring.count == 4, "what a part reaches is measured once after a build")
    }

    @Test func `tests that a mutant names come first, and have to notice it`() throws {
        let stage = try Stage(
            """
            reach 1 2 3
            case $mutant-$part in
                1-*) exit 1 ;;
                2-run) exit 1 ;;
                "3-^ATests[./]") exit 1 ;;
            esac
            """, tests: "ATests.OwnTests")
        let stages: [MutantStage] = [.scenarios, .tests]
        #expect(try stage.play(stages) == ["one tests", "two scenarios", "three tests"])
        #expect(
            stage.calls.filter { !$0.hasSuffix(" 0") } == [
                "^ATests\\.OwnTests[./] 1", "^ATests\\.OwnTests[./] 2", "run 2",
                "^ATests\\.OwnTests[./] 3", "run 3", "^ATests[./] 3",
            ])
        let table = MutantTable(stage.field.mutants, stage.trials.findings())
        #expect(table.rows.map(\.missedBy) == [nil, "ATests.OwnTests", "ATests.OwnTests"])
        #expect(try stage.play([.scenarios]).count == 2, "only what is asked for is called")
        #expect(stage.calls.last == "run 3")
        let others = MutantTable(stage.field.mutants, stage.trials.findings())
        #expect(others.rows.map(\.missedBy) == [nil, "ATests.OwnTests", nil])
    }

    @Test func `tests that are not there have noticed nothing`() throws {
        let stage = try Stage(
            """
            case $part in
                ^ATests*OwnTests*) exit 69 ;;
            esac
            """, tests: "ATests.OwnTests")
        let failure = #expect(throws: RunFailure.self) { _ = try stage.play([.tests]) }
        let words =
            "m.mutants:1:1: error: one is to be tried by ATests.OwnTests, but that has no tests"
        #expect(failure?.description.contains(words) == true)
    }

    @Test func `a planted build that fails without a mutant judges nothing`() throws {
        let stage = try Stage("echo broken; exit 1")
        let failure = #expect(throws: RunFailure.self) { _ = try stage.play() }
        #expect(failure?.description.contains("fails without a mutant: Scenarios/a.yaml") == true)
        #expect(failure?.description.contains("broken") == true)
    }
}
