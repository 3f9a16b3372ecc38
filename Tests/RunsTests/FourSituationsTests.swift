import Checks
import Foundation
import Reports
import Scenario
import Testing

@testable import Runs

/// The four situations for which this house was built, each by the scenario that the README names.
@Suite struct FourSituationsTests {
    @Test(arguments: [
        "background/task-expires-in-an-upload", "queue/app-killed-and-started-again",
        "resumable/two-phones-one-object", "resumable/changed-while-suspended",
    ])
    func `it has its scenario, which the README names, and which is green`(name: String) throws {
        let path = "Scenarios/\(name).yaml"
        let readme = try String(
            contentsOf: HouseScenarios.root.appending(path: "README.md"), encoding: .utf8)
        #expect(readme.contains(path))
        let model = try SimulatedRun(HouseScenarios.read(path)).play(into: nil)
        #expect(model.judgement.isGreen)
    }

    /// With all that the language lets one write in one line or in several.
    @Test func `the first scenario that was ever written for it passes as it was printed`() throws {
        let model = try SimulatedRun(Scenario.read(text: printed, path: "printed.yaml"))
            .play(into: nil)
        #expect(model.judgement.isGreen)
        #expect(model.verdicts.filter { $0.kind == .expectation }.count == 3)
    }
}

private let printed = """
    name: background task expires in the middle of an upload
    why: iOS 13 and later give about 30 s; the queue must stop in time and finish after return
    cites: [A11, B14]
    seed: 7
    device: { os: ios-17, network: apple-lte }
    links:
      uplink: { profile: apple-lte, loss: { gilbert-elliott: { p: 0.02 %, r: 25 % } } }
    files:
      video.mov: 80 MB
    queue:
      - upload: video.mov
        to: incoming/video.mov
    timeline:
      - 5 s: app to background
      - 50 s: app to foreground
    expect:
      - session 1 is stopped by expiry once   # scenarios count sessions from 1: this is index 0
      - session 1 completes within 150 s      # of the run's start
      - at most 1 MB sent again             # stream offsets; TCP's own retransmissions do not count
    """
