/// What a scenario says about itself, for the reports of its runs.
package struct ScenarioAbout: Hashable, Sendable, Codable {
    /// What the scenario is for; empty if its file does not say so.
    package var why: String
    package var tags: [String]

    package init(why: String, tags: [String]) {
        self.why = why
        self.tags = tags
    }
}
