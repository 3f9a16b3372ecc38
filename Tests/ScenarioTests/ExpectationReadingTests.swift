import Checks
import Quantities
import RunLog
import Scenario
import Testing

@Suite struct ExpectationReadingTests {
    @Test(
        arguments: [
            (
                "session 1 completes within 29 s",
                .sessionCompletes(SessionName(1), within: .seconds(29))
            ),
            ("session 1 resumes once", .sessionResumes(SessionName(1), .exactly(1))),
            ("session 1 resumes never", .sessionResumes(SessionName(1), .exactly(0))),
            ("session 1 resumes exactly twice", .sessionResumes(SessionName(1), .exactly(2))),
            ("session 1 resumes 5 times", .sessionResumes(SessionName(1), .exactly(5))),
            ("session 1 resumes at least 3 times", .sessionResumes(SessionName(1), .atLeast(3))),
            ("session  1 resumes  at least once", .sessionResumes(SessionName(1), .atLeast(1))),
            ("at most 1.5 MB sent again", .sentAgain(atMost: ByteCount(1_500_000))),
            (
                "incoming/video.mov is published once",
                .objectPublished("incoming/video.mov", times: 1)
            ),
            (
                "incoming/video.mov is published 2 times",
                .objectPublished("incoming/video.mov", times: 2)
            ),
            ("sessions complete in order", .sessionsCompleteInOrder),
        ] as [(String, ExpectationPlan)])
    func `each phrase becomes its expectation`(words: String, plan: ExpectationPlan) throws {
        let text = ValidScenario.text(with: 20, replacedBy: "  - \(words)")
        let last = try Scenario.read(text: text, path: "a/x.yaml").expectations.last
        #expect(last?.plan == plan)
        #expect(last?.words == words)
        #expect(last?.place == "a/x.yaml:20:5")
        #expect(last?.check().rule == words)
        #expect(last?.check().place == "a/x.yaml:20:5")
    }

    @Test func `a destination may have words of the phrase in it`() throws {
        let name = "what is published once"
        var text = ValidScenario.text(with: 13, replacedBy: "    to: \(name)")
        text = text.replacing("incoming/video.mov is", with: "\(name) is")
        let plans = try Scenario.read(text: text, path: "x.yaml").expectations.map(\.plan)
        #expect(plans.last == .objectPublished(name, times: 1))
    }

    @Test func `a canary names an invariant or an expectation by its words`() throws {
        let words = "session 1 completes within 30 s"
        let text = ValidScenario.text(with: 23, replacedBy: "must-fail: \(words)")
        #expect(try Scenario.read(text: text, path: "x.yaml").mustFail == words)
        #expect(try Scenario.read(text: ValidScenario.text, path: "x.yaml").mustFail == "L1")
    }
}
