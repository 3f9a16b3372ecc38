/// Hints at something odd that is not a failure.
enum HintSection {
    static func body(of model: ReportModel) -> Markup? {
        guard let hints = model.hints else { return nil }
        return "<ul class=\"limits\">\(hints.map { "<li>\($0)</li>" })</ul>"
    }
}
