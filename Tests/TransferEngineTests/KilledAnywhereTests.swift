import Content
import Quantities
import Testing
import TransferEngine

@Suite struct KilledAnywhereTests {
    static let size = ByteCount(1_000_000)
    static let version = FileVersion(file: 1, edit: 0)
    static let whole = ContentRange(version, offset: .zero, length: size)

    @Test func `without a kill the object arrives whole, once, and nothing twice`() {
        var world = Self.world()
        world.run()
        #expect(world.publications["in/video.mov"] == [[Self.whole]])
        #expect(world.received.reduce(ByteCount.zero) { $0 + $1.length } == Self.size)
        #expect(world.kept.map(\.state) == [.completed])
    }

    @Test func `killed after any step, the object still arrives whole and once`() throws {
        var plain = Self.world()
        plain.run()
        #expect(plain.carriedOut > 40)
        for step in 0..<plain.carriedOut {
            var world = Self.world()
            world.killAfter = step
            world.run()
            // Killed before the store had the session, the app has to add it again: it was not
            // accepted.
            if world.kept.isEmpty { continue }
            #expect(world.publications["in/video.mov"] == [[Self.whole]], "killed after \(step)")
            #expect(world.kept.map(\.state) == [.completed], "killed after \(step)")
        }
    }

    @Test func `a resume sends nothing again that the server had`() throws {
        let resumed = (0..<100).lazy
            .map { step in
                var world = Self.world()
                world.killAfter = step
                world.run()
                return world
            }
            .first { $0.notes.contains { if case .resumes = $0 { true } else { false } } }
        let world = try #require(resumed)
        #expect(world.received.reduce(ByteCount.zero) { $0 + $1.length } == Self.size)
    }

    static func world() -> DirectWorld {
        var world = DirectWorld()
        world.files["video.mov"] = (version, size)
        world.launch(enqueuing: [request("video.mov", to: "in/video.mov")])
        return world
    }

    static func request(_ source: String, to destination: String) -> SessionRequest {
        SessionRequest(
            account: Account(host: "docroot", port: 80, credentials: CredentialHandle("app")),
            uploads: [SessionRequest.File(source: source, destination: destination)])
    }
}
