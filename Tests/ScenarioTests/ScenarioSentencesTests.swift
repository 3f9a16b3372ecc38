import Scenario
import Testing

@Suite struct ScenarioSentencesTests {
    @Test func `a scenario tells in plain sentences what will happen`() throws {
        let scenario = try Scenario.read(text: ValidScenario.text, path: "x.yaml")
        #expect(
            scenario.sentences == [
                "The uplink carries 10 Mbit/s with 20 ms of delay; its queue takes 50 kB;"
                    + " 2 % of the packets are lost.",
                "The downlink carries 10 Mbit/s with 20 ms of delay; its queue takes 50 kB.",
                "Session 1 uploads video.mov (8 MB) to incoming/video.mov.",
                "At 4 s the app is killed.",
                "At 7 s the app is launched.",
                "The run ends at 2 min at the latest.",
                "Expected: session 1 completes within 30 s.",
                "Expected: incoming/video.mov is published once.",
                "S3 is excused: the server forgets its uploads.",
                "This is a canary: “L1” must fail, and nothing else.",
            ])
    }
}
