import Foundation
import Reports
import Runs

/// `man`: the manual page, made from the help of all commands.
enum ManCommand {
    static let command = Command(
        name: "man", summary: "print the manual page, made from the help of all commands",
        help: """
            usage: ./lab man

            Prints the manual page of all commands, for man, groff or mandoc.

            Exit codes: 0 printed.

            Example: ./lab man >transferlab.1 && man -l transferlab.1
            """,
        run: run)

    private static func run(_ arguments: Arguments) throws -> ExitCode {
        try arguments.require(arguments.paths.isEmpty, "man takes no path")
        print(ManualPage.text(version: ProgramVersion.current.number, date: Date()))
        return .allHeld
    }
}
