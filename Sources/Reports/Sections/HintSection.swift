/// What is no failure, but hardly what somebody meant.
enum HintSection: ReportSection {
    static let id = "hints"
    static let title = "Hints"

    static func body(of model: ReportModel) -> Markup? {
        guard let hints = model.hints else { return nil }
        return "<ul class=\"limits\">\(hints.map { "<li>\($0)</li>" })</ul>"
    }
}
