import Foundation
import Runs

/// `mutants`: plant bugs in a copy of TransferLab, and see what notices them.
enum MutantsCommand {
    static let command = Command(
        name: "mutants", summary: "plant bugs in TransferLab, and see what notices them",
        options: [
            .init("--stages", .someOf(MutantStage.allCases.map(\.rawValue))), "--sample", "--jobs",
            .init("--plant", .folder), .init("--tree", .folder),
        ],
        switches: ["--named", "--again", "--renew", "--list", "--json"],
        help: """
            usage: ./lab mutants [NAME…] [--stages NAME,…] [--named] [--sample N] [--again]
                                 [--jobs N] [--renew] [--json]
                   ./lab mutants --list [NAME…]

            A mutant is a small edit of TransferLab's sources, a plausible bug.
            Tests/Mutants/Bugs has them. All are planted in one copy of the project, each
            behind its number, so that one build serves all. Each is then tried until
            something notices it: the scenarios, the exact figures, random scenarios, the
            crash points, the tests. The table at the end says what noticed how many. A call
            that was interrupted goes on where it was.

            NAME is a mutant, or the name of a file of mutants, such as queue.

              --stages NAME,…
                            only these: scenarios, figures, chance, crash, tests
              --named       only mutants that name the scenario that must notice them
              --sample N    only N of these, spread evenly
              --again       try also what was tried before
              --jobs N      how many mutants to try at once (default: one per core)
              --renew       write Tests/Mutants/README.md, which holds the whole table
              --list        print the mutants instead of planting them
              --json        print the table as JSON

            Exit codes: 0 everything was noticed, and what names a scenario or tests by
            those; 1 otherwise; 2 could not run.

            Example: ./lab mutants queue --stages scenarios
            """,
        run: run)

    private static func run(_ arguments: Arguments) throws -> ExitCode {
        let field = try MutantField(of: ReportFolder.root)
        let page = MutantPage(of: ReportFolder.root)
        let mutants = try chosen(arguments, of: field)
        if arguments.has("--list") {
            for mutant in mutants { Terminal.say("\(mutant.name)  \(mutant.bug)") }
            print("\(mutants.count) \(mutants.count == 1 ? "mutant" : "mutants")")
            return .allHeld
        }
        let stages = try stages(arguments)
        if let folder = arguments["--plant"] {
            try PlantedTree(at: URL(filePath: folder)).plant(field, of: ReportFolder.root)
            print(stages.contains(.tests) ? "--build-tests" : "--product transferlab")
            return .allHeld
        }
        guard let folder = arguments["--tree"] else {
            throw arguments.wrong("mutants needs the built copy that ./lab mutants makes")
        }
        let trials = MutantTrials(field, in: PlantedTree(at: URL(filePath: folder)))
        let terminal = Terminal()
        var pace = Pace()
        try trials.play(
            mutants, stages, again: arguments.has("--again"), jobs: arguments.jobs(),
            hints: page.scenarios(),
            progress: { words in
                // The mutants are tried after this.
                pace = Pace()
                terminal.progress(words)
            }
        ) { finding, done, count in
            let row = MutantTable(mutants, [finding.mutant: finding]).rows[0]
            terminal.clearProgress()
            if !arguments.has("--json") {
                Terminal.say("[\(done)/\(count)] \(MutantTable.line(about: row))")
            }
            fflush(nil)
            terminal.progress(
                "\(done) of \(count) mutants tried\(pace.note(done: done, of: count))")
        }
        terminal.clearProgress()
        let table = MutantTable(mutants, trials.findings())
        if arguments.has("--renew") { try page.renew(table) }
        if arguments.has("--json") {
            Terminal.show(table.json)
        } else {
            Terminal.say(table.summary)
        }
        return table.isFine ? .allHeld : .fellShort
    }

    private static func chosen(
        _ arguments: Arguments, of field: MutantField
    ) throws -> [Mutant] {
        var mutants = field.mutants
        if !arguments.paths.isEmpty {
            for name in arguments.paths {
                guard mutants.contains(where: { $0.name == name || $0.area == name }) else {
                    throw UsageError(
                        "there is no mutant “\(name)”", meant: name,
                        among: mutants.map(\.name) + mutants.map(\.area),
                        remedy: "./lab mutants --list prints all of them")
                }
            }
            mutants = mutants.filter {
                arguments.paths.contains($0.name) || arguments.paths.contains($0.area)
            }
        }
        let size = try arguments.count("--sample")
        guard arguments.has("--named") || size != nil else { return mutants }
        mutants = mutants.filter { $0.scenario != nil }
        guard !mutants.isEmpty else {
            throw UsageError(
                "none of these mutants names a scenario",
                remedy: "in Tests/Mutants/Bugs, a line such as “scenario: queue/ends-twice” does")
        }
        guard let size, size < mutants.count else { return mutants }
        return (0..<size).map { mutants[$0 * mutants.count / size] }
    }

    private static func stages(_ arguments: Arguments) throws -> [MutantStage] {
        guard let names = arguments.list("--stages") else { return MutantStage.allCases }
        return try names.map { name in
            guard let stage = MutantStage(rawValue: name) else {
                throw UsageError(
                    "there is no stage “\(name)”", meant: name,
                    among: MutantStage.allCases.map(\.rawValue),
                    remedy: "./lab help mutants lists them")
            }
            return stage
        }
    }
}
