import Foundation
import Testing

/// The report folder never holds the answer of another suite than the last.
@Suite struct StaleReportTests {
    static let files = ["index.html", "summary.json", "junit.xml", "ctrf.json"]
        .map { "Reports/latest/\($0)" }

    @Test(arguments: ["run missing.yaml", "run broken.yaml", "run green.yaml broken.yaml"])
    func `a suite that could not run leaves no green page of the suite before`(
        words: String
    ) throws {
        let desk = try Desk()
        try desk.write("name: [", to: "broken.yaml")
        #expect(try desk.lab("run", "green.yaml").code == 0)
        #expect(Self.files.allSatisfy(desk.holds))
        let answer = try desk.shell("\"$lab\" \(words)")
        #expect(answer.code == 2, "\(answer.call)")
        #expect(!Self.files.contains(where: desk.holds), "\(answer.call)")
    }

    @Test func `a live suite that could not run leaves no page either`() throws {
        let desk = try Desk()
        try desk.write("", to: "Reports/live/index.html")
        #expect(try desk.lab("live", "missing.yaml").code == 2)
        #expect(!desk.holds("Reports/live/index.html"))
    }
}
