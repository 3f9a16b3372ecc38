import Quantities
import RunPlan
import Scenario
import Testing
import TransferEngine

/// Downloads under `queue` (A13).
@Suite struct QueueDownloadReadingTests {
    private static func text(_ entry: String) -> String {
        """
        name: downloads
        why: a session brings an object of the server
        links:
          uplink: { rate: 10 Mbit/s, delay: 20 ms }
          downlink: { rate: 10 Mbit/s, delay: 20 ms }
        files: { a.mov: 400 kB }
        queue:
          - \(entry)
        expect:
          - session 1 completes within 10 s

        """
    }

    @Test func `an entry that downloads says the object, and where it goes in the container`()
        throws
    {
        let scenario = try Scenario.read(
            text: Self.text("{ download: in/b.mov, to: films/b.mov, network: wifi only }"),
            path: "x.yaml")
        let path = PlannedPath(source: "in/b.mov", destination: "films/b.mov")
        #expect(scenario.sessions == [PlannedSession(.download([path]), limits: .noCellular)])
        #expect(
            scenario.sentences.contains(
                "Session 1 downloads in/b.mov to films/b.mov, not over cellular."))
    }

    @Test func `a healing leaves time for what comes back, where the app has sent it`() throws {
        func time(downloading object: String) throws -> TimeSpan {
            let text = Self.text(
                "{ upload: a.mov, to: in/a.mov }\n  - { download: \(object), to: films/b.mov }")
            let scenario = try Scenario.read(
                text: text + "timeline:\n  - 1 s: healing\n", path: "x.yaml")
            guard case .heal(let healing) = try #require(scenario.plan().timeline.first).action
            else { return .zero }
            return healing.within
        }
        // Four times 400 kB at 10 Mbit/s.
        #expect(
            try time(downloading: "in/a.mov") - time(downloading: "in/b.mov")
                == .milliseconds(1_280))
    }

    static let mistakes: [(entry: String, complaint: String)] = [
        ("{ download: in/b.mov }", "an entry of the queue needs the key “to”"),
        ("{ download: ../b.mov, to: b.mov }", "the docroot"),
        ("{ download: in/b.mov, to: ../b.mov }", "the container"),
        ("{ download: in/b.mov, to: a.mov }", "“a.mov” is already under “files”"),
        ("{ download: b.mov, upload: a.mov, to: c.mov }", "“upload” and “download” in one session"),
    ]

    @Test(arguments: mistakes) func `what is no such thing is told with its place`(
        entry: String, complaint: String
    ) {
        var told = "nothing"
        do throws(ScenarioError) {
            _ = try Scenario.read(text: Self.text(entry), path: "x.yaml")
        } catch { told = error.description }
        #expect(told.contains(complaint), "\(told)")
    }
}
