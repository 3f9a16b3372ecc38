package import Checks

/// What all runs of a folder must show together, in a file of its own.
package enum SuiteFile {
    /// The name of the file in its folder.
    package static let name = "suite.yaml"

    static let book = PhraseBook<ExpectationPlan>(
        name: "something that can happen", phrases: HappeningPhrases.ever)

    static let keys = KeyTable<ScenarioDraft>(
        name: "a suite",
        keys: [
            .required(
                "sometimes", .list(of: book.shape),
                "what at least one run in this folder must show",
                example: "[a session resumes]", read: ExpectationKeys.readSuite),
            .optional(
                "evidence", .words([everyClause]),
                "what the runs in this folder must decide together: each clause of the invariants, "
                    + "in a situation in which a wrong engine would have been caught",
                example: everyClause, read: EvidenceKeys.read),
            .optional(
                "without-evidence", EvidenceKeys.exceptionShape,
                "the clauses that the runs cannot decide, each with a reason",
                example: EvidenceKeys.example, read: EvidenceKeys.readExceptions),
        ])

    static let everyClause = "every clause"

    /// Reads a suite file; all mistakes come in one error.
    package static func read(
        _ bytes: [UInt8], path: String
    ) throws(ScenarioError) -> SuiteDemands {
        let draft = try ScenarioReader.read(bytes, path: path, by: keys)
        return SuiteDemands(sometimes: draft.sometimes, evidence: draft.evidence)
    }
}

/// What the runs of a suite must show together.
package struct SuiteDemands: Sendable {
    package var sometimes: [Scenario.Expectation] = []
    package var evidence: EvidenceDemand?

    package init(sometimes: [Scenario.Expectation] = [], evidence: EvidenceDemand? = nil) {
        self.sometimes = sometimes
        self.evidence = evidence
    }

    /// Adds the demands of another file; the exceptions of all files count.
    package static func += (all: inout SuiteDemands, other: SuiteDemands) {
        all.sometimes += other.sometimes
        guard let evidence = other.evidence else { return }
        all.evidence = all.evidence ?? EvidenceDemand(place: evidence.place)
        all.evidence?.exceptions += evidence.exceptions
    }
}
