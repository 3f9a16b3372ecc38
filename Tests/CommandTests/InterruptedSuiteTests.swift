import Foundation
import FoundationXML
import Testing

/// A suite that is told to end says what it had played, in every file.
@Suite struct InterruptedSuiteTests {
    @Test(arguments: ["INT", "TERM"], ["1", "2"])
    func `the files tell how far a suite had come`(signal: String, jobs: String) throws {
        let desk = try Desk()
        // As soon as the first run is told, the suite is told to end; there is work for minutes.
        let answer = try desk.shell(
            """
            mkfifo lines
            "$lab" run green.yaml --seeds 1...5000 --jobs \(jobs) --report out >lines &
            suite=$!
            exec 3<lines
            read -r line <&3
            cat <&3 >rest &
            kill -\(signal) $suite
            wait $suite
            """)
        #expect(answer.code == 2, "\(answer.errors)")
        #expect(answer.errors.contains("interrupted after "), "\(answer.errors)")
        let page = try desk.text(of: "out/index.html")
        let found = page.firstMatch(of: /Interrupted after (\d+) of 5000 runs/)
        let played = try #require(found.flatMap { Int($0.output.1) }, "\(page.prefix(600))")
        #expect(played >= 1 && played < 5_000)
        let summary = try JSONSerialization.jsonObject(with: desk.data(of: "out/summary.json"))
        let runs = (summary as? [String: Any])?["runs"] as? [Any]
        #expect(runs?.count == played)
        let junit = try desk.data(of: "out/junit.xml")
        #expect(XMLParser(data: junit).parse())
        let text = String(decoding: junit, as: UTF8.self)
        #expect(text.contains(" message=\"interrupted after \(played) of 5000 runs\">"))
    }
}
