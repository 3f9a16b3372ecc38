/// The program's help.
enum Help {
    static var overview: String {
        let rows =
            TransferLab.commands.map { ($0.name, $0.summary) }
            + [("help", "this page; ./lab help COMMAND explains a command")]
        return """
            TransferLab plays transfer scenarios against the real queue engine, and judges the
            results.

            usage: ./lab COMMAND …

            \(columns(rows))

            Also: ./lab setup (install and build), ./lab test (all tests), ./lab --version.
            Exit codes: 0 if everything held, 1 if something failed, 2 if it could not run.
            Begin with: ./lab run Scenarios
            """
    }

    /// Returns a line for each name and its text, indented.
    static func columns(_ rows: [(name: String, text: String)]) -> String {
        let width = rows.map(\.name.count).max() ?? 0
        return rows.map { name, text in
            "  " + name + String(repeating: " ", count: width + 2 - name.count) + text
        }.joined(separator: "\n")
    }

    static func text(for name: String?) throws(UsageError) -> String {
        guard let name else { return overview }
        return try TransferLab.command(named: name).help
    }
}
