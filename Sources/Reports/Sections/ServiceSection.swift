import Quantities
import RunLog

/// The clients of a recorded server and their answers.
enum ServiceSection {
    static func body(of model: ReportModel) -> Markup? {
        guard let service = model.figures.service else { return nil }
        guard model.figures.requests > 0 else { return "<p>There were no requests.</p>" }
        return """
            \(clients(service))
            <div class="pair">\(answers(service))\(faults(service.faults))</div>
            """
    }

    private static func clients(_ service: ServiceFigures) -> Markup {
        let table = ReportTable(
            caption: "Clients",
            columns: [
                "Client", "Requests", "Status 400 and above", "Faults", "First request",
                "Last request",
            ],
            rows: service.clients.map {
                [
                    $0.address, "\($0.requests)", "\($0.failures)", "\($0.faults)",
                    $0.firstAt.description, $0.lastAt.description,
                ]
            }, isNumeric: Set(1...5), uprightLimit: 0)
        return table.markup + leftOut(service.requestsLeftOut, "requests of other clients")
    }

    private static func answers(_ service: ServiceFigures) -> Markup {
        let table = ReportTable(
            caption: "Answers", columns: ["Method", "Status", "Count"],
            rows: service.answers.map { [$0.method, "\($0.status)", "\($0.count)"] },
            isNumeric: [1, 2], uprightLimit: 0)
        return table.markup + leftOut(service.answersLeftOut, "answers")
    }

    private static func faults(_ rows: [ServiceFigures.Fault]) -> Markup {
        ReportTable(
            caption: "Faults", columns: ["Fault", "Took effect"],
            rows: rows.map { [$0.name, "\($0.count)"] }, isNumeric: [1], uprightLimit: 0
        ).markup
    }

    private static func leftOut(_ count: Int, _ what: String) -> Markup {
        count == 0 ? .nothing : "<p class=\"note\">\(count) more \(what) are left out.</p>"
    }
}
