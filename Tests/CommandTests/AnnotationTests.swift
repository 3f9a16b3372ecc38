import Foundation
import Testing

/// Failures at lines of files, where a build server shows them.
@Suite struct AnnotationTests {
    private static let github = ["GITHUB_ACTIONS": "true"]
    private static let gitlab = ["GITLAB_CI": "true"]
    private static let file = "gl-code-quality-report.json"

    private static func annotations(in text: String) -> [String] {
        text.split(separator: "\n").map(String.init).filter { $0.hasPrefix("::") }
    }

    @Test func `GitHub is recognized by its environment, unless the option says otherwise`() throws
    {
        let desk = try Desk()
        let answer = try desk.lab("run", ".", environment: Self.github)
        let lines = Self.annotations(in: answer.output)
        #expect(lines.count == 1, "\(answer.call): \(answer.output)")
        let place = "::error file=red.yaml,line=12,col=5,title=an upload in no time%2C seed 1::"
        #expect(lines.first?.hasPrefix(place + "session 1 completes within 1 ms") == true)
        #expect(lines.first?.hasSuffix("%0Areproduce with: ./lab run ./red.yaml --seed 1") == true)
        for call in [["run", "."], ["run", ".", "--annotations"]] {
            let plain = try Program.run(call, in: desk.url)
            #expect(Self.annotations(in: plain.output).isEmpty, "\(plain.output)")
        }
        let none = try desk.lab("run", ".", "--annotations", "none", environment: Self.github)
        #expect(Self.annotations(in: none.output).isEmpty)
        let asked = try desk.lab("run", ".", "--annotations", "github", environment: Self.gitlab)
        #expect(Self.annotations(in: asked.output).count == 1)
        #expect(!desk.holds("Reports/latest/\(Self.file)"))
    }

    @Test(arguments: ["--json", "--digests"])
    func `output for a program stays free of annotations`(option: String) throws {
        let desk = try Desk()
        let answer = try desk.lab("run", ".", option, environment: Self.github)
        let plain = try desk.lab("run", ".", option)
        #expect(answer.output == plain.output && !plain.output.isEmpty)
        #expect(Self.annotations(in: answer.errors).count == 1, "\(answer.errors)")
    }

    @Test func `the job summary is added to what earlier steps wrote`() throws {
        let desk = try Desk()
        try desk.write("earlier\n", to: "summary.md")
        let environment = Self.github.merging(
            ["GITHUB_STEP_SUMMARY": desk.url.appending(path: "summary.md").path]) { $1 }
        _ = try desk.lab("run", ".", environment: environment)
        _ = try desk.lab("run", "green.yaml", environment: environment)
        let text = try desk.text(of: "summary.md")
        #expect(text.hasPrefix("earlier\n## TransferLab run: ✘ 1 failed, 1 passed\n"), "\(text)")
        #expect(text.contains("<code>red.yaml:12:5</code>"), "\(text)")
        #expect(text.hasSuffix("## TransferLab run: ✔ all 1 passed\n\n"), "\(text)")
    }

    @Test func `a job summary that cannot be written is an error with a way out`() throws {
        let desk = try Desk()
        let environment = Self.github.merging(["GITHUB_STEP_SUMMARY": desk.url.path]) { $1 }
        let answer = try desk.lab("run", "green.yaml", environment: environment)
        #expect(answer.code == 2)
        #expect(answer.errors.contains("the job summary \(desk.url.path) cannot be written"))
        #expect(answer.errors.contains("use --annotations none"), "\(answer.errors)")
    }

    @Test func `GitLab's report stays the same from run to run, and is empty when all is green`()
        throws
    {
        let desk = try Desk()
        _ = try desk.lab("run", ".", "--report", "out", environment: Self.gitlab)
        let issues = try Self.issues(desk.data(of: "out/\(Self.file)"))
        #expect(issues.map(\.location.path) == ["red.yaml"])
        #expect(issues.map(\.location.lines.begin) == [12])
        // The expectation moves down, and the upload takes longer.
        let slower = Desk.red.replacing("why:", with: "\nwhy:").replacing("80 kB", with: "90 kB")
        try desk.write(slower, to: "red.yaml")
        _ = try desk.lab("run", ".", "--report", "out", environment: Self.gitlab)
        let later = try Self.issues(desk.data(of: "out/\(Self.file)"))
        #expect(later.map(\.location.lines.begin) == [13])
        #expect(later.map(\.fingerprint) == issues.map(\.fingerprint))
        _ = try desk.lab("run", "green.yaml", "--report", "out", environment: Self.gitlab)
        #expect(try Self.issues(desk.data(of: "out/\(Self.file)")).isEmpty)
        _ = try desk.lab("run", "green.yaml", "--report", "out")
        #expect(!desk.holds("out/\(Self.file)"))
    }

    private static let commands: [(words: [String], place: String)] = [
        (["live", "red.yaml"], "file=red.yaml,line=12,col=5,"),
        (["crash", "red.yaml"], "file=red.yaml,line=1,"),
        (["chance", "--runs", "2", "--cells", "1000"], ""),
        (["check", "bad.yaml"], "file=bad.yaml,line=2,col=1,"),
        (["run", "bad.yaml"], "file=bad.yaml,line=2,col=1,"),
    ]

    @Test(arguments: commands)
    func `every command that judges annotates`(words: [String], place: String) throws {
        let desk = try Desk()
        try desk.write(
            Desk.red.replacing("note.txt: 80 kB", with: "note.txt: 4 kB"), to: "red.yaml")
        try desk.write(Desk.green.replacing("why:", with: "whi:"), to: "bad.yaml")
        let answer = try Program.run(words, in: desk.url, environment: Self.github)
        let lines = Self.annotations(in: answer.output)
        #expect(lines.count == 1, "\(answer.call): \(answer.output)\(answer.errors)")
        #expect(lines.first?.hasPrefix("::error \(place)title=") == true, "\(lines)")
        let folder = ["--annotations", "gitlab", "--report", "out"]
        let other = try Program.run(words + folder, in: desk.url)
        #expect(other.code == answer.code && Self.annotations(in: other.output).isEmpty)
        let issues = try Self.issues(desk.data(of: "out/\(Self.file)"))
        #expect(issues.count == (place.isEmpty ? 0 : 1), "\(other.call)")
    }

    @Test func `another server is refused`() throws {
        let desk = try Desk()
        let answer = try desk.lab("run", "green.yaml", "--annotations=jenkins")
        #expect(answer.code == 2)
        #expect(
            answer.errors.contains("--annotations takes one of github, gitlab, none"),
            "\(answer.errors)")
    }

    private static func issues(_ data: Data) throws -> [Issue] {
        try JSONDecoder().decode([Issue].self, from: data)
    }

    private struct Issue: Decodable {
        var fingerprint: String
        var location: Location

        struct Location: Decodable {
            var path: String
            var lines: Lines
        }

        struct Lines: Decodable { var begin: Int }
    }
}
