import Reports
import RunLog
import Scenario
import Testing

@testable import Runs

/// What a download has brought is in a file that lives until the callback about it returns.
@Suite struct DownloadedFileTests {
    private static func text(_ keeping: String) -> String {
        """
        name: a download
        why: its file is the app's for the time of one callback
        device: { os: ios-17 }
        links:
          uplink: { rate: 10 Mbit/s, delay: 5 ms }
          downlink: { rate: 10 Mbit/s, delay: 5 ms }
        files: { video.mov: 300 kB }
        background:
          - { upload: video.mov, to: video.mov }
          - { download: video.mov }
        app:
          - on completed task 1: make task 2
          - on downloaded task 2: \(keeping)
        expect:
          - task 2 is answered 200
        """
    }

    private func play(_ text: String) throws -> ReportModel {
        try SimulatedRun(Scenario.read(text: text, path: "download.yaml")).play(into: nil)
    }

    @Test(arguments: ["move it to kept.mov", "copy it to kept.mov"])
    func `it is moved, or copied, inside the callback (B3)`(keeping: String) throws {
        let model = try play(Self.text(keeping) + "\n  - the app keeps kept.mov\n")
        #expect(model.judgement.isGreen, "\(model.judgement.sentence)")
    }

    @Test func `afterwards it is gone, and the app that wanted it falls (B3)`() throws {
        let model = try play(Self.text("move it to kept.mov too late"))
        #expect(model.judgement.sentence == "S1 failed")
    }
}
