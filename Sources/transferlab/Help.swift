/// What the program says of itself.
enum Help {
    static var overview: String {
        let rows =
            TransferLab.commands.map { ($0.name, $0.summary) }
            + [("help", "this page; ./lab help COMMAND tells more")]
        let width = rows.map(\.0.count).max() ?? 0
        let lines = rows.map { name, summary in
            "  " + name + String(repeating: " ", count: width + 2 - name.count) + summary
        }
        return """
            TransferLab plays transfer scenarios against the real queue engine, and judges what
            happened.

            usage: ./lab COMMAND …

            \(lines.joined(separator: "\n"))

            The wrapper's own: ./lab setup (install and build), ./lab test (all tests).
            Exit codes: 0 all held, 1 something fell short, 2 could not run.
            Begin with: ./lab run Scenarios
            """
    }

    static func text(for name: String?) throws(UsageError) -> String {
        guard let name else { return overview }
        return try TransferLab.command(named: name).help
    }
}
