import RunLog
import Testing

/// The whole program plays for real: real files and their digests decide what is overwritten, and
/// by what an upload goes on (A15).
@Suite struct PlayedSettingsTests {
    @Test func `what is the same is skipped both ways, and a file that was replaced is seen`()
        throws
    {
        let play = try LivePlay(
            """
            name: sessions have settings
            why: a digest of real bytes says what is the same
            links:
              uplink: { rate: 20 Mbit/s, delay: 5 ms }
              downlink: { rate: 100 Mbit/s, delay: 5 ms }
            files: { video.mov: 4 MB, same.mov: 1 MB }
            queue:
              - { upload: same.mov, to: in/same.mov }
              - { upload: same.mov, to: in/same.mov }
              - { download: in/same.mov, to: films/same.mov }
              - { download: in/same.mov, to: films/same.mov, overwrite: diff+older }
              - { download: in/same.mov, to: films/same.mov, overwrite: never }
              - { upload: video.mov, to: in/video.mov }
            timeline:
              - when session 6 at 40 %: app killed
              - 200 ms after app killed: video.mov edited with its date put back
              - 500 ms after app killed: app launched
            expect:
              - session 2 skips a file once
              - session 4 skips a file once
              - session 5 fails with error 42
              - session 6 starts over once
              - in/same.mov is published once
              - in/video.mov holds video.mov
              - session 6 completes within 30 s
            """)
        try play.begin()
        #expect(try play.end() == 0)
        #expect(try play.leftovers() == [])
    }
    /// Session 2 is edited where no sample of it is read (A15, S2).
    @Test(arguments: [
        ("sparse checksum", "session 2 resumes without proof once"),
        ("full checksum", "session 2 starts over once"),
    ])
    func `an edit between samples is seen by whoever reads all, and by nobody else`(
        policy: String, end: String
    ) throws {
        let play = try LivePlay(
            """
            name: edits between samples
            why: samples of real bytes do not show an edit between them
            links:
              uplink: { rate: 20 Mbit/s, delay: 5 ms }
              downlink: { rate: 100 Mbit/s, delay: 5 ms }
            files: { small.mov: 60 kB, patched.mov: 3 MB }
            queue:
              - { upload: small.mov, to: in/small.mov, resume: \(policy) }
              - { upload: patched.mov, to: in/patched.mov, resume: \(policy) }
            timeline:
              - when session 1 at 20 %: app killed
              - 200 ms after session 1 at 20 %: small.mov edited between samples with its date put back
              - 500 ms after session 1 at 20 %: app launched
              - when session 2 at 40 %: app killed
              - 200 ms after session 2 at 40 %: patched.mov edited between samples with its date put back
              - 500 ms after session 2 at 40 %: app launched
            expect:
              - session 1 starts over once
              - in/small.mov holds small.mov
              - \(end)
              - in/patched.mov is published once
              - session 2 completes within 30 s
            """)
        try play.begin()
        #expect(try play.end() == 0)
        let kept = try play.events().map(\.fact).filter {
            if case .file(.keepsSamples) = $0 { true } else { false }
        }
        #expect(kept == [.file(.keepsSamples(path: "patched.mov"))])
        #expect(try play.leftovers() == [])
    }
}
