/// A section of the HTML report. A new one is a file in this folder and a line in `all`.
struct ReportSection: Sendable {
    /// The anchor of the section in the page.
    let id: String
    let title: String
    /// Returns the section's content; `nil` if the run has none.
    let body: @Sendable (_ model: ReportModel) -> Markup?

    /// The sections in the order in which a report shows them.
    static let all: [ReportSection] = [
        .init(id: "hints", title: "Hints", body: HintSection.body),
        .init(id: "service", title: "Clients and answers", body: ServiceSection.body),
        .init(id: "timeline", title: "Timeline", body: TimelineSection.body),
        .init(id: "throughput", title: "Throughput over time", body: ThroughputSection.body),
        .init(id: "progress", title: "Progress over time", body: ProgressSection.body),
        .init(id: "links", title: "Links over time", body: FlowCharts.links),
        .init(id: "flows", title: "Flows over time", body: FlowCharts.flows),
        .init(id: "delays", title: "What it cost", body: DelaySection.body),
        .init(id: "verdicts", title: "Verdicts", body: VerdictSection.body),
        .init(id: "limits", title: "What did not apply", body: LimitationSection.body),
        .init(id: "figures", title: "Figures", body: FigureSection.body),
        .init(id: "packets", title: "Packets", body: PacketSection.body),
        .init(id: "events", title: "Events", body: EventSection.body),
        .init(id: "scenario", title: "Scenario", body: ScenarioSection.body),
        .init(id: "reproduce", title: "How to reproduce", body: ReproduceSection.body),
    ]
}
