import Quantities
import Reports
import RunLog
import Runs
import Scenario
import Testing

/// Processes that keep themselves busy, so that time stands still.
@Suite struct EndlessRunTests {
    /// The failure comes at once where there is no network, and so does the next one.
    @Test func `an app that goes round in circles fails its run, and does not hang it`() throws {
        let text = """
            name: in circles
            why: an app retries its operation within the callback of the failure
            device: { os: ios-17 }
            links:
              uplink: { rate: 4 Mbit/s, delay: 20 ms }
              downlink: { rate: 4 Mbit/s, delay: 20 ms }
            files: { film.mov: 4 MB }
            operations:
              - { upload: film.mov, to: once/film.mov }
            app:
              - on failed operation 1: retry operation 1
            timeline:
              - 1 s: network lost
              - 5 s: network back
            """
        let model = try SimulatedRun(Scenario.read(text: text, path: "circles.yaml"))
            .play(into: nil)
        #expect(model.ending == .endless)
        #expect(model.duration == .seconds(1))
        #expect(!model.judgement.isGreen)
        #expect(model.judgement.sentence.contains("L2"))
    }
}
