import Foundation
import Reports
import RunLog
import Runs
import Scenario

/// `explain`: describe a scenario in plain sentences, without playing it.
enum ExplainCommand {
    static let command = Command(
        name: "explain", summary: "describe a scenario in plain sentences",
        operand: .scenario, switches: ["--json"],
        help: """
            usage: ./lab explain PATH… [--json]

            PATH is a scenario file or a folder of scenarios. Nothing is played: the command
            prints how it understands the file, with all defaults.

              --json  print the sentences as JSON

            Exit codes: 0 explained, 2 a file has mistakes.

            Example: ./lab explain Scenarios/queue/app-killed-and-started-again.yaml
            """,
        run: run)

    private static func run(_ arguments: Arguments) throws -> ExitCode {
        let scenarios = try ScenarioFiles.read(arguments.scenarioPaths())
        if arguments.has("--json") {
            Terminal.show(
                RunJSON.data(of: "explain", Explanations(scenarios: scenarios.map(entry))))
        } else {
            Terminal.say(scenarios.map(text).joined(separator: "\n\n"))
        }
        return .allHeld
    }

    private struct Explanations: Encodable {
        var scenarios: [Entry]

        struct Entry: Encodable {
            var path: String
            var name: String
            /// The case of a matrix.
            var variant: String?
            var sentences: [String]
        }
    }

    private static func entry(for scenario: Scenario) -> Explanations.Entry {
        .init(
            path: scenario.path, name: scenario.name, variant: scenario.variant,
            sentences: sentences(about: scenario))
    }

    private static func text(for scenario: Scenario) -> String {
        let lines = sentences(about: scenario).map {
            Paragraph.wrapped($0, indent: "  - ", rest: "    ")
        }
        return "\(scenario.path): \(scenario.name)\n" + lines.joined(separator: "\n")
    }

    private static func sentences(about scenario: Scenario) -> [String] {
        // Drawn values differ from run to run.
        let told =
            scenario.seeds.count == 1
            ? scenario.sentences(seed: scenario.seed) : scenario.sentences
        var sentences = (scenario.why.isEmpty ? [] : [scenario.why.asSentence]) + told
        let exception = scenario.excuses.isEmpty ? "" : ", except those that are excused"
        sentences.append("All invariants judge this run\(exception).")
        sentences.append(scenario.seedSentence)
        if !scenario.parts.isEmpty {
            sentences.append("It includes \(scenario.parts.map(\.path).joined(separator: ", ")).")
        }
        if !scenario.cites.isEmpty {
            sentences.append("It covers \(scenario.cites.joined(separator: ", ")).")
        }
        if !scenario.tags.isEmpty {
            sentences.append("It is tagged \(scenario.tags.joined(separator: ", ")).")
        }
        return sentences
    }
}

extension Scenario {
    fileprivate var seedSentence: String {
        guard seeds.count > 1 else { return "It is played with seed \(seed)." }
        let numbers = seeds.prefix(5).map { "\($0)" }.joined(separator: ", ")
        let more = seeds.count > 5 ? " and \(seeds.count - 5) more" : ""
        return "It is played \(seeds.count) times, with the seeds \(numbers)\(more)."
    }
}

extension String {
    /// Adds the capital and the full stop that an author may have left out.
    var asSentence: String {
        let text = split(whereSeparator: \.isWhitespace).joined(separator: " ")
        let end = text.last.map { ".!?".contains($0) } ?? true ? "" : "."
        return text.prefix(1).uppercased() + text.dropFirst() + end
    }
}
