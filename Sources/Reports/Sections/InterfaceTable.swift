import Quantities
import RunLog

/// The table of the phones' interfaces: traffic and energy.
enum InterfaceTable {
    static func markup(of rows: [InterfaceFigures], _ names: RunNames) -> Markup {
        let table = ReportTable(
            caption: rows.contains { $0.device != nil }
                ? "The phones' interfaces" : "The phone's interfaces",
            columns: [
                "Interface", "Sent", "Received", "Radio woken", "On", "Of which tail", "Idle",
                "Energy",
            ],
            rows: rows.map { row in
                let radio = row.radio
                return [
                    row.title(names), row.sent.words, row.received.words,
                    radio.map { $0.promotions == 1 ? "once" : "\($0.promotions) times" } ?? "–",
                    radio?.on.rounded ?? "–", radio?.tail.rounded ?? "–",
                    radio?.idle.rounded ?? "–",
                    radio.map { "\($0.millijoules) mJ" } ?? "–",
                ]
            }, isNumeric: Set(1...7)
        ).markup
        guard let source = rows.compactMap({ $0.radio?.source }).first else { return table }
        return """
            \(table)
            <p class="note">Energy is the radio's alone, from the times of its states and the \
            power figures of \(source).</p>
            """
    }
}
