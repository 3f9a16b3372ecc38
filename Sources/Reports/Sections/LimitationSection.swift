/// What the plan asked for and this world could not give, with the way to get it.
enum LimitationSection: ReportSection {
    static let id = "limits"
    static let title = "What could not be done"

    static func body(of model: ReportModel) -> Markup? {
        guard !model.limitations.isEmpty else { return nil }
        return """
            <ul class="limits">\(model.limitations.map {
                "<li><strong>\($0.what)</strong><br />\($0.remedy)</li>"
            })</ul>
            """
    }
}
