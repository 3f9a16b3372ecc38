/// The parts of the plan that this world could not provide, with a way to get them.
enum LimitationSection {
    static func body(of model: ReportModel) -> Markup? {
        guard !model.limitations.isEmpty else { return nil }
        return """
            <ul class="limits">\(model.limitations.map {
                "<li><strong>\($0.what)</strong><br />\($0.remedy)</li>"
            })</ul>
            """
    }
}
