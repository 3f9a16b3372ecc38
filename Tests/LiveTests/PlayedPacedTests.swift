import RunLog
import Testing

/// Sessions over the paced transport on real sockets.
@Suite struct PlayedPacedTests {
    private static let links = """
        links:
          uplink: { rate: 40 Mbit/s, delay: 5 ms, queue: 200 kB }
          downlink: { rate: 40 Mbit/s, delay: 5 ms, queue: 200 kB }
        """

    /// The connections of a run that were streams of the transport.
    private static func streams(_ facts: [Fact]) -> Int {
        facts.count {
            if case .connection(.opening(_, let server, _)) = $0 {
                server.hasSuffix(", paced")
            } else {
                false
            }
        }
    }

    private static func play(_ scenario: String) throws -> [Fact] {
        let play = try LivePlay(scenario)
        try play.begin()
        try play.endsGreen()
        #expect(try play.leftovers() == [])
        return try play.events().map(\.fact)
    }

    @Test func `a file goes up, and on where it was when the server has restarted`() throws {
        let facts = try Self.play(
            """
            name: paced and a restart
            why: a stream ends with the server, and the next one goes on
            \(Self.links)
            files: { film.mov: 10 MB }
            sign-in: { user: ada, password: engine }
            server:
              accounts: { ada: { password: engine } }
              faults:
                crash: { do: restart after 1 s, at: 4 MB received, method: PATCH, times: 1 }
            queue:
              - { upload: film.mov, to: in/film.mov, transport: paced }
            expect:
              - session 1 resumes once
              - session 1 completes within 30 s
              - at most 2 MB sent again
              - in/film.mov holds film.mov
            """)
        #expect(Self.streams(facts) == 2)
    }

    @Test func `an app that is killed goes on, and files come down`() throws {
        let facts = try Self.play(
            """
            name: paced and a kill
            why: a stream ends with its process
            \(Self.links)
            files: { film.mov: 10 MB }
            queue:
              - { upload: film.mov, to: in/film.mov, transport: paced }
              - { download: in/film.mov, to: back/film.mov, transport: paced }
            timeline:
              - when session 1 at 40 %: app killed
              - 300 ms after session 1 at 40 %: app launched
            expect:
              - session 1 completes within 30 s
              - session 2 completes within 30 s
              - at most 2 MB sent again
              - in/film.mov holds film.mov
            """)
        #expect(Self.streams(facts) == 3)
    }

    @Test func `many small files go up at once, and one of them is refused`() throws {
        let facts = try Self.play(
            """
            name: paced and many small files
            why: each moves on a channel, and a channel that breaks takes no other along
            \(Self.links)
            files: { "p-*.bin": { count: 200, size: 10 kB }, film.mov: 2 MB }
            server:
              faults:
                full: { do: answer 507, at: 1 MB received, method: PATCH, times: 1 }
            queue:
              - persistent: { film.mov: in/film.mov, p-*.bin: in/p-*.bin }
                transport: paced
                overwrite: always
            app:
              - on session 1 can accept paths: add all files to session 1
            expect:
              - in/p-200.bin is published once
              - in/p-001.bin is published once
              - session 1 is tried again never
              - session 1 gives up a file once
            """)
        #expect(Self.streams(facts) == 1)
        let channels = facts.count {
            if case .connection(.opening(_, let peer, _)) = $0 {
                peer.hasPrefix("beside ")
            } else {
                false
            }
        }
        #expect(channels > 10)
    }

    @Test(arguments: ["closed", "blocked", "mute"])
    func `where UDP does not pass, a session that may goes over TCP`(door: String) throws {
        let facts = try Self.play(
            """
            name: paced and a door
            why: the system says that nobody listens, or a firewall says nothing
            \(Self.links)
            files: { film.mov: 1 MB }
            server: { paced: \(door) }
            queue:
              - { upload: film.mov, to: in/film.mov, transport: paced or http }
            expect:
              - session 1 falls back once
              - session 1 completes within 30 s
              - in/film.mov holds film.mov
            """)
        #expect(Self.streams(facts) == 1)
    }
}
