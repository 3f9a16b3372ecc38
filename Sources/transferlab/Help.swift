import Reports

/// The program's help.
enum Help {
    static var overview: String {
        """
        TransferLab plays transfer scenarios against the real queue engine, and judges
        the results.

        usage: ./lab COMMAND …
               ./lab --version

        \(columns(rows))

        Exit codes: 0 if everything held, 1 if something failed, 2 if it could not run.

        Output has colours on a terminal. FORCE_COLOR=1 in the environment always
        brings them, and NO_COLOR=1 never allows them, even with FORCE_COLOR.

        Begin with: ./lab run Scenarios
        """
    }

    /// All commands, each with its summary; the last of them belong to the wrapper `lab`.
    static var rows: [(name: String, text: String)] {
        TransferLab.commands.map { ($0.name, $0.summary) } + [
            ("help", "this page; ./lab help COMMAND explains a command"),
            ("setup", "install what is missing, and build"),
            ("test", "build, and run all tests of TransferLab itself"),
            ("cpu", "compare the runs of builds for several processors"),
        ]
    }

    /// Returns a line for each name and its text, indented, and more lines for a long text.
    static func columns(_ rows: [(name: String, text: String)], indent: Int = 2) -> String {
        let width = rows.map(\.name.count).max() ?? 0
        let margin = String(repeating: " ", count: indent)
        return rows.map { name, text in
            let padding = String(repeating: " ", count: width + 2 - name.count)
            return Paragraph.wrapped(
                text, indent: margin + name + padding,
                rest: margin + String(repeating: " ", count: width + 2))
        }.joined(separator: "\n")
    }

    static func text(for name: String?) throws(UsageError) -> String {
        guard let name else { return overview }
        return try TransferLab.command(named: name).help
    }
}
