import Foundation
import Testing

/// `export --as csv`, against a reader that shares no code with it.
@Suite(.enabled(if: Program.python != nil, "./lab test makes a Python")) struct SeriesTableTests {
    @Test(arguments: Exported.scenarios + ["network/short-flows-beside-a-long-one"])
    func `the table has every value of every series`(scenario: String) throws {
        let desk = try Desk()
        let run = try Exported.play(scenario, at: desk)
        let answer = try desk.lab("export", run, "--as", "csv", "--to", "series.csv")
        #expect(answer.code == 0 && answer.output.isEmpty, "\(answer.call): \(answer.errors)")
        let judged = try Exported.judge("series", ["\(run)/run.json", "series.csv"], at: desk)
        #expect(judged.code == 0, "\(judged.output)\(judged.errors)")
        #expect(judged.output.hasSuffix("values are the same\n"))
    }

    @Test func `names with commas and quotes are quoted, and a wrong value is found`() throws {
        let desk = try Desk()
        let run = try Exported.play("green.yaml", at: desk)
        let model = try desk.text(of: "\(run)/run.json")
        try desk.write(
            model.replacing("\"name\" : \"uplink\"", with: #""name" : "the \"up\", link""#),
            to: "\(run)/run.json")
        let table = try desk.lab("export", run, "--as", "csv").output
        #expect(table.contains(#","the ""up"", link","#))
        try desk.write(table, to: "series.csv")
        let files = ["\(run)/run.json", "series.csv"]
        #expect(try Exported.judge("series", files, at: desk).code == 0)
        try desk.write(table.replacing(",80000\r\n", with: ",80001\r\n"), to: "series.csv")
        #expect(try Exported.judge("series", files, at: desk).code == 1)
    }
}
