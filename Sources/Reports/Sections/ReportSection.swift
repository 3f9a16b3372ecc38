/// One section of the HTML report; a new one is a file in this folder and a line in `all`.
protocol ReportSection: SendableMetatype {
    /// The anchor and the heading.
    static var id: String { get }
    static var title: String { get }
    /// Returns the section's content; `nil` if the run has none.
    static func body(of model: ReportModel) -> Markup?
}

/// The sections in the order in which a report shows them.
enum ReportSections {
    static let all: [any ReportSection.Type] = [
        VerdictSection.self, HintSection.self, LimitationSection.self, ServiceSection.self,
        FigureSection.self, TimelineSection.self, ThroughputSection.self, ProgressSection.self,
        PacketSection.self, EventSection.self, ScenarioSection.self, ReproduceSection.self,
    ]
}
