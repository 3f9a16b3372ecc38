import RunLog
import Testing

/// The whole program plays for real: resumable transfers over real connections, with a store and
/// parts on a real disk.
@Suite struct PlayedTransfersTests {
    private static let links = """
        links:
          uplink: { rate: 10 Mbit/s, delay: 20 ms, queue: 50 kB }
          downlink: { rate: 10 Mbit/s, delay: 20 ms, queue: 50 kB }
        """

    @Test func `an upload and a download are suspended, killed and gone on with (K3, K4)`() throws {
        let play = try LivePlay(
            """
            name: a transfer outlives its process
            why: what was acknowledged, and what had come, is still there
            \(Self.links)
            files: { video.mov: 2 MB }
            resumable:
              - { upload: video.mov, to: video.mov, bucket: films }
              - { download: video.mov, to: copies/video.mov, bucket: films }
            app:
              - on completed transfer 1: start transfer 2
              - on launch 2: resume transfer 1
              - on launch 3: resume transfer 2
            timeline:
              - when transfer 1 at 40 %: app killed
              - 500 ms after app killed: app launched
              - when transfer 2 at 40 %: app killed
            expect:
              - transfer 1 resumes once
              - transfer 1 completes within 30 s
              - transfer 2 completes within 60 s
              - lab/buckets/films/objects/video.mov is published once
              - the app keeps copies/video.mov
            """)
        try play.begin()
        try play.endsGreen()
        let facts = try play.events().map(\.fact)
        let held = facts.count { if case .entries(.held) = $0 { true } else { false } }
        #expect(held == 2)
        #expect(try play.leftovers() == [])
    }

    @Test func `a file that changes is not published, and a touch is no change (K5)`() throws {
        let play = try LivePlay(
            """
            name: files change under suspended transfers
            why: real bytes, and their real hash
            \(Self.links)
            files: { video.mov: 1 MB, photo.jpg: 1 MB }
            resumable:
              - { upload: video.mov, to: video.mov, bucket: films }
              - { upload: photo.jpg, to: photo.jpg, bucket: films }
            timeline:
              - when transfer 1 at 20 %: transfer 1 is suspended
              - when transfer 2 at 20 %: transfer 2 is suspended
              - 6 s: video.mov edited with its date put back
              - 6 s: photo.jpg touched
              - 7 s: transfer 1 is resumed
              - 7 s: transfer 2 is resumed
            expect:
              - transfer 1 is suspended with error 812
              - transfer 2 completes within 60 s
              - lab/buckets/films/objects/video.mov is published never
              - lab/buckets/films/objects/photo.jpg holds photo.jpg
            """)
        try play.begin()
        try play.endsGreen()
        #expect(try play.leftovers() == [])
    }
}
