import RunLog
import Testing

/// The whole program plays for real: downloads of the queue over real connections (A13).
@Suite struct PlayedDownloadsTests {
    @Test func `one goes on after a kill, and one of nothing fails with its error`() throws {
        let play = try LivePlay(
            """
            name: a session downloads
            why: what has come is gone on with by another process
            links:
              uplink: { rate: 100 Mbit/s, delay: 5 ms }
              downlink: { rate: 20 Mbit/s, delay: 5 ms }
            files: { video.mov: 5 MB }
            queue:
              - { upload: video.mov, to: in/video.mov }
              - { download: in/video.mov, to: films/video.mov }
              - { download: in/missing.mov, to: films/missing.mov }
            timeline:
              - when session 2 at 40 %: app killed
              - 500 ms after app killed: app launched
            expect:
              - session 2 resumes once
              - session 2 completes within 20 s
              - the app keeps films/video.mov
              - session 3 fails with error 4
            """)
        try play.begin()
        try play.endsGreen()
        #expect(try play.leftovers() == [])
    }
}
