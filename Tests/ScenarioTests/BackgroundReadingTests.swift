import Device
import Protocols
import RunPlan
import Testing

@testable import Scenario

/// The tasks of background sessions, and what a phone's system makes of them.
@Suite struct BackgroundReadingTests {
    private static func text(_ task: String, system: String = "ios-17") -> String {
        """
        name: tasks
        why: an app makes its tasks
        device: { os: \(system) }
        links:
          uplink: { rate: 10 Mbit/s, delay: 20 ms }
          downlink: { rate: 10 Mbit/s, delay: 20 ms }
        files: { a.mov: 400 kB }
        background:
          - { \(task) }
        expect:
          - task 1 completes within 1 min
        """
    }

    @Test(arguments: [("yes", true), ("no", false)])
    func `an address takes resumable uploads, or not`(choice: String, isResumable: Bool) throws {
        let text = Self.text("upload: a.mov, to: in/a.mov, resumable: \(choice)")
        let scenario = try Scenario.read(text: text, path: "x.yaml")
        #expect(
            scenario.plan().app.tasks.map(\.transfer)
                == [.upload("a.mov", to: "in/a.mov", isResumable: isResumable)])
        let says = scenario.sentences.contains { $0.contains("which takes resumable uploads") }
        #expect(says == isResumable)
    }

    @Test(arguments: [
        ("download: a.mov, resumable: yes", "only an upload of a file can be resumable"),
        ("data: 2 kB, to: b, resumable: yes", "only an upload of a file can be resumable"),
        ("upload: a.mov, to: b, resumable: perhaps", "the answer cannot be “perhaps”"),
    ])
    func `what cannot be resumable is told so`(task: String, message: String) throws {
        do {
            _ = try Scenario.read(text: Self.text(task), path: "x.yaml")
            Issue.record("\(task) was taken")
        } catch {
            #expect(error.diagnostics.contains { $0.message.hasPrefix(message) }, "\(error)")
        }
    }

    @Test(
        arguments: [
            (.iOS(16), nil), (.iOS(17), .three), (.iOS(18), .six), (.android(14), nil),
            (nil, .six),
        ] as [(OperatingSystem?, ResumableUploadVersion?)])
    func `each system has its own dialect of resumable uploads`(
        system: OperatingSystem?, version: ResumableUploadVersion?
    ) {
        #expect(DevicePlan(system: system).resumableUploads == version)
    }
}
