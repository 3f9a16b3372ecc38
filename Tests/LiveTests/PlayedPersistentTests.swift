import RunLog
import Testing

/// The whole program plays for real: a persistent session over real connections (P2 to P7).
@Suite struct PlayedPersistentTests {
    @Test func `it stays open for what is added, is emptied by a kill, and ends when cancelled`()
        throws
    {
        let play = try LivePlay(
            """
            name: a session stays open
            why: paths are added while it runs, and none outlives the process
            links:
              uplink: { rate: 20 Mbit/s, delay: 10 ms }
              downlink: { rate: 20 Mbit/s, delay: 10 ms }
            files: { video.mov: 8 MB, note.txt: 3 kB, empty.txt: 0 B, gone.txt: 1 kB }
            queue:
              - persistent:
                  note.txt: in/note.txt
                  empty.txt: in/empty.txt
                  gone.txt: in/gone.txt
                  video.mov: in/video.mov
              - { upload: note.txt, to: in/other.txt }
            app:
              - on session 1 can accept paths: add note.txt to session 1
              - on session 1 can accept paths: add gone.txt to session 1
            timeline:
              - 1 ms: gone.txt deleted
              - 1 s: empty.txt is added to session 1
              - 1500 ms: video.mov is added to session 1
              - 2 s: app killed
              - 3 s: app launched
              - 5 s: cancel session 1
            expect:
              - session 1 is told can accept paths twice
              - session 1 gives up a file twice
              - session 1 skips a file once
              - in/note.txt is published once
              - in/empty.txt is published once
              - in/video.mov is published never
              - session 1 is cancelled at the end
              - session 2 completes after 5 s
            """)
        try play.begin()
        try play.endsGreen()
        let facts = try play.events().map(\.fact)
        // Nothing was open and idle for long enough that the run could have ended before.
        let opened = facts.count { $0 == .queue(.callback(ItemName(1), .canAcceptPaths)) }
        #expect(opened == 2)
        #expect(try play.leftovers() == [])
    }

    @Test func `a run ends with a session that is open and has nothing left to do`() throws {
        let play = try LivePlay(
            """
            name: a session is left open
            why: it stays open for ever, and a run does not
            links:
              uplink: { rate: 20 Mbit/s, delay: 10 ms }
              downlink: { rate: 20 Mbit/s, delay: 10 ms }
            files: { a.bin: 300 kB, b.bin: 300 kB, c.bin: 300 kB }
            queue:
              - persistent: { a.bin: in/a.bin, b.bin: in/b.bin, c.bin: in/c.bin }
              - { upload: a.bin, to: in/other.bin }
            app:
              - on session 1 can accept paths: add all files to session 1
            limit: 30 s
            expect:
              - session 1 connects exactly 3 times
              - in/a.bin is published once
              - in/c.bin is published once
              - session 1 is running at the end
              - session 2 is waiting at the end
            """)
        try play.begin()
        try play.endsGreen()
        let ending = try play.events().compactMap { event -> RunEnding? in
            if case .run(.ended(let ending)) = event.fact { ending } else { nil }
        }
        #expect(ending == [.quiet])
        #expect(try play.leftovers() == [])
    }
}
