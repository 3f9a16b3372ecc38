import Foundation
import Testing

/// Hash seeds differ in every process; runs do not (S15).
@Suite struct SameInEveryProcessTests {
    @Test func `two processes play the same run and leave the same files`() throws {
        let desk = try Desk()
        let scenarios = Desk.houseScenarios
        for name in ["a", "b"] {
            let answer = try desk.lab("run", scenarios, "--report", name)
            #expect(answer.code == 0, "\(answer.call): \(answer.output)")
        }
        let difference = try desk.shell("diff -rq a b")
        // These tell how long the machine took.
        #expect(
            difference.lines
                == ["ctrf.json", "index.html", "junit.xml"].map {
                    "Files a/\($0) and b/\($0) differ"
                })
    }
}
