import Foundation
import Testing

/// Help fits a terminal, and the manual says the same.
@Suite struct HelpTests {
    /// The commands of the program, without those of the wrapper.
    static func commands(_ desk: Desk) throws -> [String] {
        let rows = try desk.lab("help").output.matches(of: #/(?m)^  ([a-z-]+)  /#).map {
            String($0.1)
        }
        return Array(rows.prefix { $0 != "help" })
    }

    @Test func `no line of help is wider than a terminal`() throws {
        let desk = try Desk()
        let commands = try Self.commands(desk)
        #expect(commands.count == 24 && commands.contains("man"), "\(commands)")
        for command in commands + ["help"] {
            for line in try desk.lab(command, "--help").output.split(separator: "\n") {
                #expect(line.count <= 80, "\(command): \(line)")
            }
        }
    }

    @Test func `the manual has every command and every option with its words`() throws {
        let desk = try Desk()
        let manual = try desk.lab("man")
        #expect(manual.code == 0 && manual.output.hasPrefix(".TH TRANSFERLAB 1 "))
        let plain = manual.output.replacing("\\-", with: "-").replacing(/\s+/, with: " ")
        for command in try Self.commands(desk) {
            #expect(plain.contains(" .SS \(command) "), "\(command)")
            let help = try desk.lab("help", command).output
            for option in help.matches(
                of: #/(?m)^ +(--[a-z-]+[^\n]*?)(?:  +|\n +)(\S+ \S+)/#)
            {
                let entry = ".TP \\fB\(option.1)\\fR \(option.2)"
                #expect(plain.contains(entry), "\(command): \(entry)")
            }
        }
    }

    @Test(
        .enabled(
            if: FileManager.default.isExecutableFile(atPath: "/usr/bin/groff"),
            "groff is not installed"))
    func `groff has no complaint about the manual`() throws {
        let answer = try Desk().shell(#""$lab" man >m && groff -man -Tutf8 -k -ww m >page"#)
        #expect(answer.code == 0 && answer.errors.isEmpty, "\(answer.errors)")
    }
}
