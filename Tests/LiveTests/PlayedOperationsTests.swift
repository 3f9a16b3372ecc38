import RunLog
import Testing

/// The whole program plays for real: upload operations over real connections.
@Suite struct PlayedOperationsTests {
    @Test func `one is lost with its network, and is retried at the very end`() throws {
        let play = try LivePlay(
            """
            name: an operation is retried
            why: what somebody has just been told to do has not begun yet
            links:
              wifi: { profile: apple-wifi }
            files: { video.mov: 5 MB, note.txt: 3 kB }
            operations:
              - { upload: video.mov, to: in/video.mov }
              - { upload: note.txt, to: in/note.txt }
            timeline:
              - 400 ms: wifi lost
              - 600 ms: wifi back
              - 4 s: operation 1 is retried
            expect:
              - operation 1 fails within 1 s
              - operation 1 completes within 20 s
              - in/video.mov holds video.mov
              - in/note.txt holds note.txt
            """)
        try play.begin()
        try play.endsGreen()
        let facts = try play.events().map(\.fact)
        let operation = ItemName(1, of: .operations)
        #expect(facts.contains(.operations(.asked(operation, .retry))))
        #expect(try play.leftovers() == [])
    }
}
