import Checks

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
                example: "[a session resumes]", read: ExpectationKeys.readSuite)
        ])

    /// Reads a suite file; all mistakes come in one error.
    package static func read(
        _ bytes: [UInt8], path: String
    ) throws(ScenarioError) -> [Scenario.Expectation] {
        try ScenarioReader.read(bytes, path: path, by: keys).sometimes
    }
}
