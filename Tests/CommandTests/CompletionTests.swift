import Foundation
import Testing

/// A shell knows the commands, their options, and what may follow.
@Suite struct CompletionTests {
    static let lines: [(words: [String], offers: [String])] = [
        (["r"], ["replay", "report", "run"]), (["he"], ["help"]), (["--v"], ["--version"]),
        (["run", "--see"], ["--seed", "--seeds"]), (["run", "--seed", ""], []),
        (["run", "sub"], ["sub folder"]), (["run", "gr"], ["green.yaml"]),
        (["run", "notes"], []), (["import", "notes"], ["notes.txt"]),
        (["run", "--report", ""], ["sub folder"]),
        (["run", "--report", "=", "su"], ["sub folder"]),
        (["run", "--report", "="], ["sub folder"]),
        (["run", "--packets", "s"], ["server", "sub folder"]),
        (["run", "--packets", "=", "b"], ["both"]),
        (["serve", "--replaced-body", ""], ["fails", "finishes"]),
        (["serve", "--users", "no"], ["notes.txt"]),
        (["chance", "--facade", "queue,p"], ["queue,persistent"]),
        (["bench", "bulk/no"], ["bulk/no-loss"]),
        (["help", "exp"], ["explain", "explain-delay", "export"]),
        (["completion", ""], ["bash", "fish", "zsh"]), (["schema", "--su"], ["--suite"]),
        (["unknown", ""], []),
    ]

    @Test(arguments: lines, ["./lab", "/somewhere/transferlab"])
    func `bash offers what fits`(line: (words: [String], offers: [String]), program: String) throws
    {
        let desk = try Desk()
        try desk.write("", to: "sub folder/x.yaml")
        try desk.write("", to: "notes.txt")
        try FileManager.default.removeItem(at: desk.url.appending(path: "red.yaml"))
        let words = ([program] + line.words).map { "'\($0)'" }.joined(separator: " ")
        let answer = try bash(
            """
            source <("$lab" completion bash)
            COMP_WORDS=(\(words)) COMP_CWORD=\(line.words.count)
            complete -p ${COMP_WORDS[0]##*/} >/dev/null || exit 3
            _transferlab
            ((${#COMPREPLY[@]} == 0)) || printf '%s\\n' "${COMPREPLY[@]}"
            """, in: desk)
        #expect(answer.code == 0 && answer.errors.isEmpty, "\(answer.call): \(answer.errors)")
        #expect(answer.lines.sorted() == line.offers, "\(line.words)")
    }

    @Test func `every command and every option is offered, and every option is explained`() throws {
        let desk = try Desk()
        for command in try HelpTests.commands(desk) {
            let help = try desk.lab("help", command).output
            let options = Set(help.matches(of: /--[a-z][a-z-]*/).map { String($0.0) })
            let answer = try bash(
                """
                source <("$lab" completion bash)
                COMP_WORDS=(./lab \(command) -) COMP_CWORD=2
                _transferlab
                printf '%s\\n' "${COMPREPLY[@]}"
                """, in: desk)
            let offered = Set(answer.lines).subtracting(["--help"])
            let internals: Set = ["--plant", "--tree"]
            #expect(offered.subtracting(internals).isSubset(of: options), "\(command): \(offered)")
            let explained = help.matches(of: /(?m)^ +(--[a-z][a-z-]*)/).map { String($0.1) }
            #expect(Set(explained).isSubset(of: offered), "\(command): \(explained)")
        }
    }

    @Test(arguments: ["zsh", "fish"])
    func `the other shells get the same words`(shell: String) throws {
        let desk = try Desk()
        let script = try desk.lab("completion", shell)
        #expect(script.code == 0 && script.errors.isEmpty, "\(script.call)")
        for command in try HelpTests.commands(desk) {
            #expect(script.output.contains(command), "\(command)")
        }
        let words = ["perturb-ties", "facade", "bulk/no-loss", "client server both"]
        for word in words { #expect(script.output.contains(word), "\(word)") }
    }

    @Test(arguments: ["zsh", "fish"]) func `the other shells can read their script`(
        shell: String
    ) throws {
        let program = "/usr/bin/\(shell)"
        guard FileManager.default.isExecutableFile(atPath: program) else { return }
        let answer = try Desk().shell(#""$lab" completion \#(shell) >s && \#(program) -n s"#)
        #expect(answer.code == 0 && answer.errors.isEmpty, "\(answer.errors)")
    }

    @Test(arguments: [
        (["completion"], "completion needs one shell"),
        (["completion", "fsih"], "no completion for “fsih”, did you mean “fish”?"),
    ])
    func `another shell is refused`(words: [String], says: String) throws {
        let desk = try Desk()
        let answer = try Program.run(words, in: desk.url)
        #expect(answer.code == 2 && answer.errors.contains(says), "\(answer.errors)")
    }

    private func bash(_ script: String, in desk: Desk) throws -> Program.Answer {
        try Program.run(
            ["--norc", "-c", script], of: "/bin/bash", in: desk.url,
            environment: ["lab": Program.path])
    }
}
