import Quantities

/// The status page of a server, with switches for its faults. It needs no script: every switch is a
/// form, and the page refreshes itself.
package enum ServicePage {
    package static func document(for view: ServiceView) -> String {
        let clients = view.connections == 1 ? "1 client" : "\(view.connections) clients"
        let datagrams =
            switch view.refusedDatagrams {
            case 0: ""
            case 1: " · 1 datagram refused"
            case let count: " · \(count) datagrams refused"
            }
        let recording = view.recording.map { " · recorded in \($0)" } ?? ""
        let page = HTMLPage(
            title: "\(view.address) · TransferLab",
            body: """
                <header class="headline">
                <p class="eyebrow">TransferLab · server</p>
                <h1>\(view.docroot)</h1>
                <p class="judgement">\(view.address) · \(clients)\(datagrams)\(recording)</p>
                </header>
                <main>\(faults(view.faults))\(transfers(view.transfers))\
                \(recent(view.recent))</main>
                """)
        return page.text
    }

    /// Returns the status as JSON, for programs.
    package static func json(for view: ServiceView) -> String {
        RunJSON.text(view, pretty: true)
    }

    private static func faults(_ faults: [ServiceView.Fault]) -> Markup {
        guard !faults.isEmpty else {
            return section("Faults", "<p>None: the server was started without --faults.</p>")
        }
        let rows = faults.map { fault -> Markup in
            let (state, word): (Markup, Markup) = fault.isOn ? ("red", "on") : ("grey", "off")
            let order = fault.isOn ? "Switch off" : "Switch on"
            return """
                <tr><th scope="row">\(fault.name)</th>
                <td><span class="badge \(state)">\(word)</span></td>
                <td class="number">\(fault.hits)</td>
                <td><form method="post" action="\(fault.toggle)">
                <button aria-label="\(order): \(fault.name)">\(order)</button></form></td></tr>

                """
        }
        return section(
            "Faults",
            table(["Fault", "Now", "Took effect", "Switch"], rows, numeric: "Took effect"))
    }

    private static func transfers(_ transfers: [ServiceView.Transfer]) -> Markup {
        guard !transfers.isEmpty else {
            return section("Transfers", "<p>No transfers are under way.</p>")
        }
        let rows = transfers.map { transfer -> Markup in
            let state = transfer.client.map { "under way, \($0)" } ?? "waiting for its client"
            return """
                <tr><th scope="row">\(transfer.object)</th>
                <td>\(transfer.direction) by \(transfer.frontEnd)</td>
                <td>\(state)</td><td>\(progress(of: transfer))</td></tr>

                """
        }
        return section("Transfers", table(["Object", "What", "State", "Progress"], rows))
    }

    private static func progress(of transfer: ServiceView.Transfer) -> Markup {
        guard let total = transfer.total else { return "\(transfer.done.description) so far" }
        let words = "\(transfer.done) of \(total)"
        return """
            <progress value="\(transfer.done.bytes)" max="\(max(total.bytes, 1))">\(words)\
            </progress> \(words)
            """
    }

    private static func recent(_ happenings: [ServiceView.Happening]) -> Markup {
        guard !happenings.isEmpty else { return .nothing }
        let rows = happenings.map { happening -> Markup in
            "<tr><td class=\"number\">\(happening.at)</td><td>\(happening.sentence)</td></tr>\n"
        }
        return section("Latest", table(["At", "What"], rows, numeric: "At"))
    }

    private static func section(_ title: String, _ content: Markup) -> Markup {
        "<section aria-label=\"\(title)\"><h2>\(title)</h2>\n\(content)</section>\n"
    }

    private static func table(
        _ columns: [String], _ rows: [Markup], numeric: String = ""
    ) -> Markup {
        let headers = columns.map { name -> Markup in
            name == numeric
                ? "<th scope=\"col\" class=\"number\">\(name)</th>"
                : "<th scope=\"col\">\(name)</th>"
        }
        return """
            <div class="scroll"><table class="lying">
            <thead><tr>\(headers)</tr></thead>
            <tbody>\(rows)</tbody>
            </table></div>
            """
    }
}
