import Reports
import Scenario
import Testing

@testable import Runs

/// What is wrong with a phone's disk reaches the tasks of background sessions too, and they go on
/// once it is whole again.
@Suite struct TaskDiskTroubleTests {
    private static let courses: [(what: String, course: String)] = [
        (
            "a download for which there is no room waits for it",
            """
            timeline:
              - 20 s: task 2 is resumed
              - 22 s: disk full
              - 60 s: disk has space again
            expect:
              - task 2 completes after 60 s
              - task 2 is answered 206
            """
        ),
        (
            "a daemon that cannot read its store begins again until it can",
            """
            timeline:
              - 1 s: disk reads fail
              - 2 s: phone reboots
              - 63 s: disk reads work again
              - 65 s: app to foreground
            expect:
              - task 1 completes after 63 s
              - task 1 is told within 2 min
            """
        ),
    ]

    @Test(arguments: courses)
    func `tasks go on once the disk is whole again`(what: String, course: String) throws {
        let text = """
            name: \(what)
            why: a disk is not whole all the time
            device: { os: ios-17 }
            links:
              uplink: { rate: 20 Mbit/s, delay: 20 ms }
              downlink: { rate: 20 Mbit/s, delay: 20 ms }
            files: { video.mov: 20 MB }
            background:
              - upload: video.mov
                to: video.mov
              - download: video.mov
                resumed: no
            limit: 5 min

            """
        let scenario = try Scenario.read(text: text + course, path: "disk.yaml")
        let judgement = try SimulatedRun(scenario).play(into: nil).judgement
        #expect(judgement.isGreen, "\(judgement.sentence)")
    }
}
