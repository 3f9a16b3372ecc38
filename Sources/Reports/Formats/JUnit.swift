import Foundation
import RunLog

/// `junit.xml`: a suite for build servers, with a test case per run.
package enum JUnit {
    package static func document(for suite: Suite) -> String {
        let ends = suite.interruption == nil ? 0 : 1
        let missing = suite.unreached.count + suite.shortfalls.count
        let counts: Markup = """
            tests="\(suite.count + suite.leftOut.count + missing + ends)" \
            failures="\(suite.red + missing)" \
            errors="\(suite.notPlayed.count + suite.trapped.count + ends)" \
            skipped="\(suite.leftOut.count)" \
            time="\(seconds(suite.entries.compactMap(\.wallSeconds).reduce(0, +)))"
            """
        let document: Markup = """
            <?xml version="1.0" encoding="UTF-8"?>
            <testsuites name="TransferLab" \(counts)>
            <testsuite name="TransferLab" \(counts)>
            \(suite.entries.map(testCase))\
            \(suite.notPlayed.map {
                testCase(for: $0, "<error message=\"could not be played\">\($0.reason)</error>")
            })\
            \(suite.trapped.map(testCase))\
            \(suite.leftOut.map { testCase(for: $0, "<skipped message=\"\($0.reason)\"/>") })\
            \(suite.unreached.map(testCase))\
            \(suite.shortfalls.map(testCase))\
            \(suite.interruption.map(testCase) ?? .nothing)</testsuite>
            </testsuites>

            """
        return document.text
    }

    private static func testCase(for entry: SuiteEntry) -> Markup {
        testCase(
            of: className(of: entry.path, in: entry.world),
            name(entry.scenario, seed: entry.seed), file: entry.path,
            seconds: entry.wallSeconds ?? 0,
            "\(failure(of: entry))<system-out>\(output(of: entry))</system-out>")
    }

    private static func testCase(for run: UnplayedRun, _ why: Markup) -> Markup {
        testCase(
            of: className(of: run.path, in: run.world), run.scenario, file: run.path, why)
    }

    private static func testCase(for run: TrappedRun) -> Markup {
        testCase(
            of: className(of: run.path, in: run.world), name(run.scenario, seed: run.seed),
            file: run.path,
            """
            <error type="trap" message="\(run.reason)">reproduce with: \(run.command)</error>
            """)
    }

    /// Returns a run's name, the same with a verdict and without.
    private static func name(_ scenario: String, seed: UInt64) -> String {
        "\(scenario), seed \(seed)"
    }

    private static func testCase(for occasion: Occasion) -> Markup {
        testCase(
            of: "suite", "sometimes: \(occasion.words)",
            """
            <failure type="sometimes" message="reached in no run">required in \
            \(occasion.place)</failure>
            """)
    }

    private static func testCase(for shortfall: EvidenceShortfall) -> Markup {
        testCase(
            of: "suite", "evidence: \(shortfall.words)",
            """
            <failure type="evidence" message="\(shortfall.remedy)">required in \
            \(shortfall.place)</failure>
            """)
    }

    private static func testCase(for interruption: SuiteInterruption) -> Markup {
        testCase(
            of: "suite", "all runs were played", "<error message=\"\(interruption.words)\"/>")
    }

    private static func testCase(
        of className: String, _ name: String, file: String? = nil, seconds: Double = 0,
        _ result: Markup
    ) -> Markup {
        """
        <testcase classname="\(className)" name="\(name)"\
        \(file.map { " file=\"\($0)\"" } ?? .nothing) time="\(Self.seconds(seconds))">
        \(result)
        </testcase>

        """
    }

    private static func failure(of entry: SuiteEntry) -> Markup {
        guard !entry.judgement.isGreen else { return .nothing }
        let text = entry.breaches.map { breach in
            """
            \(breach.title)
              expected  \(breach.expected)
              seen      \(breach.seen)
              at        \(breach.occasion)

            """
        }.joined(separator: "\n")
        return """
            <failure type="\(entry.breaches.first?.rule ?? "judgement")" \
            message="\(entry.judgement.sentence)">\(text)
            reproduce with: \(entry.command)</failure>

            """
    }

    private static func output(of entry: SuiteEntry) -> String {
        var lines = ["digest \(entry.digest)", "reproduce with: \(entry.command)"]
        lines += entry.limitations.map { "limited: \($0.what); \($0.remedy)" }
        lines += (entry.hints ?? []).map { "hint: \($0)" }
        return lines.joined(separator: "\n")
    }

    /// Returns a class name with dots. Build servers then show the folders of scenarios as a tree.
    private static func className(of path: String, in world: RunBeginning.World) -> String {
        let folder = path.split(separator: "/").dropLast().joined(separator: ".")
        return "\(world.rawValue).\(folder.isEmpty ? "scenarios" : folder)"
    }

    private static func seconds(_ value: Double) -> String { String(format: "%.3f", value) }
}
