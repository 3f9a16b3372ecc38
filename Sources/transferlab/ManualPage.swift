import Foundation
import Reports

/// The manual page of this program, in the language of roff.
enum ManualPage {
    static func text(version: String, date: Date) -> String {
        let commands = TransferLab.commands.map { command in
            [".SS \(escaped(command.name))", filled(command.summary.asSentence)]
                + HelpPage(command.help).blocks.flatMap(lines)
        }
        let environment = [
            HelpPage.Term(name: "NO_COLOR", text: "If it is not empty, output has no colours."),
            HelpPage.Term(
                name: "FORCE_COLOR",
                text: "If it is not empty, output has colours even without a terminal, unless "
                    + "NO_COLOR is set."),
        ]
        let day = date.formatted(.iso8601.year().month().day())
        let page: [[String]] =
            [
                [
                    ".TH TRANSFERLAB 1 \(day) \"TransferLab \(version)\" \"User Commands\"",
                    ".SH NAME",
                    "transferlab \\- play transfer scenarios against the real queue engine",
                    ".SH SYNOPSIS", ".B ./lab", ".I COMMAND", "…", ".br", ".B ./lab",
                    "\\-\\-version", ".SH DESCRIPTION",
                    filled(
                        "TransferLab plays transfer scenarios against the real queue engine, and "
                            + "judges the results. The script ./lab builds the program "
                            + "transferlab if need be, and calls it with the same words."),
                    ".SH COMMANDS",
                ]
            ] + commands + [
                [
                    ".SH EXIT STATUS", ".TP", ".B 0", "Everything held.", ".TP", ".B 1",
                    "Something failed.", ".TP", ".B 2", "It could not run.", ".SH ENVIRONMENT",
                ], lines(of: .terms(environment)),
            ]
        return page.flatMap(\.self).joined(separator: "\n")
    }

    private static func lines(of block: HelpPage.Block) -> [String] {
        switch block {
        case .usage(let lines), .literal(let lines):
            [".PP", ".nf"] + lines.map(escaped) + [".fi"]
        case .paragraph(let text): [".PP", filled(text)]
        case .terms(let terms):
            terms.flatMap { [".TP", "\\fB\(escaped($0.name))\\fR", filled($0.text)] }
        }
    }

    /// Returns text that roff fills into lines of its own; long input lines are bad style.
    private static func filled(_ text: String) -> String {
        Paragraph.wrapped(spelled(text), indent: "", rest: "").split(separator: "\n")
            .map(guarded).joined(separator: "\n")
    }

    /// Returns a line that roff shows as it is.
    private static func escaped(_ text: some StringProtocol) -> String {
        guarded(spelled(String(text)))
    }

    private static func spelled(_ text: String) -> String {
        text.replacing("\\", with: "\\e").replacing("-", with: "\\-")
    }

    /// Returns a line that does not begin like a request.
    private static func guarded(_ line: some StringProtocol) -> String {
        line.hasPrefix(".") || line.hasPrefix("'") ? "\\&" + line : String(line)
    }
}
