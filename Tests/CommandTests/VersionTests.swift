import Foundation
import Testing

/// The version names the commit of the project's folder, if there is one.
@Suite struct VersionTests {
    @Test func `the version names the commit, and says so when files have changed since`() throws {
        let desk = try Desk()
        let git = "git -c user.name=a -c user.email=a@b"
        let made = try desk.shell(
            "git init -q . && git add . && \(git) commit -qm first && git tag v7"
                + " && git rev-parse --short=12 HEAD")
        let commit = try #require(made.lines.last, "\(made.call): \(made.errors)")
        let house = ["TRANSFERLAB_ROOT": desk.url.path]
        let clean = try desk.lab("--version", environment: house)
        #expect(clean.output == "TransferLab 1.0 (commit \(commit))\n", "\(clean.call)")
        #expect(clean.code == 0 && clean.errors.isEmpty)
        try desk.write("name: changed", to: "green.yaml")
        let dirty = try desk.lab("--version", environment: house)
        #expect(dirty.output == "TransferLab 1.0 (commit \(commit)-dirty)\n", "\(dirty.call)")
        let copied = try desk.shell(
            "mkdir bin && cp \"$lab\" bin/lab && cd / && \"$OLDPWD\"/bin/lab --version")
        #expect(copied.output == dirty.output, "\(copied.call)")
    }

    @Test func `the commit is the program's, not that of the folder in which it is called`() throws
    {
        let desk = try Desk()
        let here = try desk.lab("--version")
        _ = try desk.shell(
            "git init -q . && git -c user.name=a -c user.email=a@b commit -qm 1 --allow-empty")
        #expect(try desk.lab("--version").output == here.output)
    }

    @Test(arguments: [["PATH": "/nowhere"], [:]])
    func `without git or a repository there is no commit`(environment: [String: String]) throws {
        let desk = try Desk()
        let answer = try Program.run(
            ["--version"], in: desk.url,
            environment: environment.merging(
                ["GIT_CEILING_DIRECTORIES": "/tmp", "TRANSFERLAB_ROOT": desk.url.path]) { $1 })
        #expect(answer.output == "TransferLab 1.0\n" && answer.code == 0, "\(answer.call)")
        #expect(answer.errors.isEmpty, "\(answer.errors)")
    }
}
