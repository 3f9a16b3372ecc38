import Foundation
import Testing

/// Progress and colour are for people at a terminal; programs get plain lines.
@Suite struct TerminalTests {
    static let escape = "\u{1B}"
    static let hasTerminal = FileManager.default.isExecutableFile(atPath: "/usr/bin/script")

    @Test func `without a terminal there is neither progress nor colour`() throws {
        let answer = try Desk().lab("run", ".", environment: ["TERM": "xterm"])
        #expect(answer.errors.isEmpty, "\(answer.call): \(answer.errors)")
        #expect(!answer.output.contains(Self.escape) && !answer.output.contains("\r"))
    }

    @Test func `what takes its time says without a terminal, too, that it begins and is over`()
        throws
    {
        let desk = try Desk()
        try desk.write(Desk.green.replacing("80 kB", with: "4 kB"), to: "small.yaml")
        let answer = try desk.lab("live", "small.yaml", "--json")
        #expect(answer.code == 0, "\(answer.call): \(answer.errors)")
        let lines = answer.errors.split(separator: "\n")
        #expect(lines.first == "[1/1] a small upload begins", "\(answer.errors)")
        #expect(lines.last?.hasPrefix("a small upload ended after ") ?? false, "\(answer.errors)")
        #expect(lines.last?.hasSuffix("s: green") ?? false, "\(answer.errors)")
        #expect(lines.count == 2 && !answer.errors.contains("\r"), "\(answer.errors)")
    }

    @Test(.enabled(if: hasTerminal, "script(1) of bsdutils makes the terminal"))
    func `on a terminal progress is shown while a run plays, and gone afterwards`() throws {
        let desk = try Desk()
        // Large enough to take a moment, even of an optimised build.
        let large = Desk.green.replacing("80 kB", with: "1 GB")
            .replacing("10 Mbit/s", with: "1 Gbit/s").replacing(", loss: 1 %", with: "")
        try desk.write(large, to: "green.yaml")
        let answer = try desk.onTerminal(#""$lab" run . --jobs 1"#)
        #expect(answer.code == 1, "\(answer.call)")
        #expect(answer.output.contains("[1/2] a small upload"), "\(answer.output)")
        #expect(answer.output.contains(" played"), "\(answer.output)")
        let screen = Self.screen(after: answer.output)
        #expect(!screen.contains { $0.contains("played") || $0.contains("[1/2]") }, "\(screen)")
        #expect(screen.first?.hasPrefix("✔ a small upload") ?? false, "\(screen)")
        #expect(screen.last?.hasPrefix("2 runs: 1 green, ✘ 1 red") ?? false, "\(screen)")
    }

    @Test(.enabled(if: hasTerminal)) func `a progress line never wraps`() throws {
        let desk = try Desk()
        let long = String(repeating: "a long name ", count: 8)
        try desk.write(Desk.green.replacing("a small upload", with: long), to: "long.yaml")
        let output = try desk.onTerminal(#""$lab" run long.yaml"#).output
        let progress = output.split(separator: "\r").filter {
            $0.hasPrefix("\(Self.escape)[K[1/1]")
        }
        #expect(!progress.isEmpty)
        for line in progress { #expect(line.count - "\(Self.escape)[K".count < 80, "\(line)") }
    }

    @Test(.enabled(if: hasTerminal)) func `on a terminal green is green and red is red`() throws {
        let output = try Desk().onTerminal(#""$lab" run ."#).output
        #expect(output.contains("\(Self.escape)[32m✔\(Self.escape)[0m"))
        #expect(output.contains("\(Self.escape)[31m✘\(Self.escape)[0m"))
    }

    @Test(
        .enabled(if: hasTerminal),
        arguments: [["NO_COLOR": "1"], ["TERM": "dumb"]])
    func `who wants no colour gets none`(environment: [String: String]) throws {
        let output = try Desk().onTerminal(#""$lab" run ."#, environment: environment).output
        #expect(output.contains("✔ a small upload"), "\(output)")
        #expect(!output.contains("\(Self.escape)[3"), "\(environment): \(output)")
        let moves = output.contains("\(Self.escape)[K")
        #expect(moves == (environment["TERM"] == nil), "\(environment): \(output)")
    }

    @Test(arguments: [
        (["FORCE_COLOR": "1"], true), (["FORCE_COLOR": "1", "TERM": "dumb"], true),
        (["FORCE_COLOR": ""], false), (["FORCE_COLOR": "1", "NO_COLOR": "1"], false),
        (["FORCE_COLOR": "1", "NO_COLOR": ""], true),
    ])
    func `who forces colour gets it without a terminal, unless somebody refuses it`(
        environment: [String: String], hasColour: Bool
    ) throws {
        let answer = try Desk().lab("run", "green.yaml", environment: environment)
        #expect(answer.output.contains("\(Self.escape)[32m✔") == hasColour, "\(environment)")
        #expect(answer.errors.isEmpty && !answer.output.contains("\r"), "\(environment)")
    }

    @Test(.enabled(if: hasTerminal))
    func `after two seconds progress tells the time so far and the time left`() throws {
        let desk = try Desk()
        let script = #"timeout -s KILL 4 "$lab" chance --runs 100000 --jobs 1"#
        let lines = try desk.onTerminal(script).output.split(separator: "\r")
        #expect(lines.contains { $0.contains(/of 100000 runs, \d+ red$/) }, "\(lines.suffix(3))")
        #expect(lines.contains { $0.contains(/red; 1 s$/) }, "\(lines.suffix(3))")
        #expect(lines.contains { $0.contains(/red; 3 s, about \d+ (h|min|s).* left$/) })
        #expect(!lines.contains { $0.contains(/; 1 s, about/) })
    }

    @Test(.enabled(if: hasTerminal)) func `a line of results never wraps`() throws {
        let desk = try Desk()
        let long = String(repeating: "a long name ", count: 7)
        try desk.write(Desk.green.replacing("a small upload", with: long), to: "long.yaml")
        try desk.write(Desk.red.replacing("an upload in no time", with: long), to: "fails.yaml")
        for call in [
            "run . --report out", "check .", "explain .", "list .", "help serve", "run x y z",
            "diff out/green out/red", "chance --runs 20", "crash green.yaml",
            "list . --about 'an upload that takes its time on a network that loses much'",
        ] {
            let output = try desk.onTerminal(#""$lab" \#(call)"#).output
            let screen = Self.screen(after: output)
            #expect(!screen.isEmpty, "\(call)")
            for line in screen { #expect(line.count <= 80 || line.contains("./lab"), "\(line)") }
        }
    }

    @Test(.enabled(if: hasTerminal))
    func `what is folded goes on below its column, and commands and paths stay whole`() throws {
        let desk = try Desk()
        let path = String(repeating: "a-folder-in-a-folder/", count: 5) + "red.yaml"
        try desk.write(Desk.red, to: path)
        try desk.write(Desk.green + "timeline: [{ 40 s: app killed }]", to: "late.yaml")
        let output = try desk.onTerminal(#""$lab" run late.yaml \#(path)"#).output
        let screen = Self.screen(after: output)
        let hint = try #require(screen.firstIndex { $0.hasPrefix("    hint       “At 40 s") })
        #expect(screen[hint + 1].hasPrefix(String(repeating: " ", count: 15)), "\(screen)")
        #expect(!screen[hint + 1].hasPrefix(String(repeating: " ", count: 16)), "\(screen)")
        #expect(screen.contains { $0.hasSuffix("./lab run \(path) --seed 1") }, "\(screen)")
    }

    @Test(.enabled(if: hasTerminal)) func `a message of failure leaves no progress behind`() throws
    {
        let desk = try Desk()
        // A folder stands where the file would go.
        try desk.write("", to: "out/junit.xml/notes.txt")
        let answer = try desk.onTerminal(#""$lab" run green.yaml --report out"#)
        let screen = Self.screen(after: answer.output)
        let message = screen.last { !$0.hasPrefix(" ") }
        #expect(answer.code == 2 && message?.hasPrefix("transferlab: ") ?? false, "\(screen)")
    }

    @Test func `a name that would reach for the terminal is refused, and does not while it is`()
        throws
    {
        let desk = try Desk()
        let name = #""bell \a and \e[31mred\e[2J""#
        try desk.write(Desk.green.replacing("a small upload", with: name), to: "odd.yaml")
        let answer = try desk.onTerminal(#""$lab" run odd.yaml"#)
        #expect(answer.code == 2 && answer.output.contains("U+0007"), "\(answer.output)")
        #expect(!answer.output.contains("\(Self.escape)[2J"), "\(answer.call)")
        #expect(!answer.output.contains("\u{7}"), "\(answer.call)")
    }

    @Test(arguments: ["head -n 1", "true", "head -c 1"])
    func `a reader that goes away is no crash`(reader: String) throws {
        let desk = try Desk()
        for form in ["", "--json", "--digests"] {
            let script = #"("$lab" run . \#(form); echo $? >code) 2>errors | \#(reader)"#
            let answer = try desk.shell(script)
            let code = try desk.text(of: "code").trimmingCharacters(in: .newlines)
            // 141 is SIGPIPE, the usual end of whoever writes to nobody.
            #expect(["1", "141"].contains(code), "\(answer.call)")
            #expect(try desk.text(of: "errors").isEmpty, "\(answer.call)")
        }
    }

    /// There is work for seconds and less output than a pipe's buffer holds back; the reader leaves
    /// after the first line.
    @Test func `a line is there as soon as its run is over`() throws {
        let script = #"""
            timeout 30 "$lab" run long.yaml --seeds 1...30 --report out | {
                read -r line && echo "$line" >first
                [ -e out/summary.json ] || echo "before the end" >when
            }
            """#
        let desk = try Desk()
        let long = Desk.green.replacing("80 kB", with: "8 MB").replacing("30 s", with: "300 s")
        try desk.write(long, to: "long.yaml")
        let answer = try desk.shell(script)
        #expect(try desk.text(of: "first").hasPrefix("✔ a small upload"), "\(answer.call)")
        #expect(desk.holds("when"), "\(answer.call)")
    }

    /// What is left to see: carriage returns and erasing played out, colours left aside.
    private static func screen(after output: String) -> [String] {
        output.replacing("\r\n", with: "\n").split(separator: "\n").map { line in
            let last = line.replacing("\r", with: "\n").split(separator: "\n").last ?? ""
            let erased = last.components(separatedBy: "\(escape)[K").last ?? ""
            return erased.replacing(/\x1B\[[0-9;]*m/, with: "")
        }.filter { !$0.isEmpty }
    }
}
