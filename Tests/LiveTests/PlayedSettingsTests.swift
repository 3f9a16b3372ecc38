import Content
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
        try play.endsGreen()
        #expect(try play.leftovers() == [])
    }
    /// The file is edited while its app is dead, where no sample of it is read (A15, S2).
    @Test(arguments: [
        ("sparse checksum", "session 1 resumes without proof once"),
        ("full checksum", "session 1 starts over once"),
    ])
    func `an edit between samples is seen by a policy that reads all, and by no other`(
        policy: String, end: String
    ) throws {
        let play = try LivePlay(
            """
            name: an edit between samples
            why: samples of real bytes do not show an edit between them
            links:
              uplink: { rate: 10 Mbit/s, delay: 5 ms }
              downlink: { rate: 100 Mbit/s, delay: 5 ms }
            files: { video.mov: 1 MB }
            queue:
              - { upload: video.mov, to: in/video.mov, resume: \(policy) }
            timeline:
              - when session 1 at 40 %: app killed
              - 200 ms after app killed: video.mov edited between samples with its date put back
              - 500 ms after app killed: app launched
            expect:
              - \(end)
              - in/video.mov is published once
              - session 1 completes within 1 min
            """)
        try play.begin()
        try play.endsGreen()
        let facts = try play.events().map(\.fact)
        #expect(facts.contains(.file(.keepsSamples(path: "video.mov"))))
        let published = facts.compactMap { fact -> [FileVersion]? in
            guard case .server(.published(_, _, _, let content)) = fact else { return nil }
            // The block in which two versions meet is of neither.
            return content.map(\.version).filter { $0 != .unknown }
        }
        let versions = (0...1).map { FileVersion(file: 1, edit: $0) }
        #expect(published == [policy == "full checksum" ? [versions[1]] : versions])
        #expect(try play.leftovers() == [])
    }
}
