import Checks

/// What the runs of a folder have to show together, in a file of its own.
package enum SuiteFile {
    /// The name under which it lies in the folder.
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

    /// All mistakes in it come in one error.
    package static func read(
        _ bytes: [UInt8], path: String
    ) throws(ScenarioError) -> [Scenario.Expectation] {
        try ScenarioReader.read(bytes, path: path, by: keys).sometimes
    }
}
