import Content
import Quantities
import Testing
import TransferEngine

/// S2, S8 and L2: what a resume does when one of the two halves is no longer what it was.
///
/// Each test kills the app after every step in turn, and changes the world while it is dead.
@Suite struct StartingOverTests {
    static let edited = FileVersion(file: 1, edit: 1)
    static let editedWhole = ContentRange(edited, offset: .zero, length: ByteCount(900_000))

    @Test func `a source edited in between is published once, whole, in one version`() {
        var startedOver = 0
        for world in Self.worlds(killedWhile: {
            $0.files["video.mov"] = (Self.edited, ByteCount(900_000))
        }) {
            let published = world.publications["in/video.mov"] ?? []
            #expect(published.count == 1, "killed after \(world.killed): \(published)")
            if Self.reasons(in: world) == ["the source has changed"] {
                startedOver += 1
                #expect(published == [[Self.editedWhole]], "killed after \(world.killed)")
            } else {
                let whole = [[KilledAnywhereTests.whole], [Self.editedWhole]]
                #expect(whole.contains(published[0]), "killed after \(world.killed)")
            }
        }
        #expect(startedOver > 0)
    }

    @Test func `a server that forgot the upload gets it anew`() {
        var startedOver = 0
        for world in Self.worlds(killedWhile: { $0.forgetUploads() }) {
            let published = world.publications["in/video.mov"] ?? []
            #expect(published.last == [KilledAnywhereTests.whole], "killed after \(world.killed)")
            #expect(world.kept.map(\.state) == [.completed], "killed after \(world.killed)")
            if Self.reasons(in: world) == ["the server knows the upload no more"] {
                startedOver += 1
            }
        }
        #expect(startedOver > 0)
    }

    @Test func `a source deleted in between fails its session, if it was not complete`() {
        for world in Self.worlds(killedWhile: { $0.files["video.mov"] = nil }) {
            let state = world.kept.map(\.state)
            #expect(state == [.failed] || state == [.completed], "killed after \(world.killed)")
            if state == [.failed] {
                #expect(world.callbacks.last == .didDeactivate(.failed(.noSuchFile)))
            }
        }
    }

    /// Every world in which the app was killed after it had added its session, played to the end.
    private static func worlds(
        killedWhile meanwhile: @escaping (inout DirectWorld) -> Void
    ) -> [DirectWorld] {
        (0..<60).compactMap { step in
            var world = KilledAnywhereTests.world()
            world.killAfter = step
            world.meanwhile = meanwhile
            world.run()
            return world.kept.isEmpty ? nil : world
        }
    }

    private static func reasons(in world: DirectWorld) -> [String] {
        var reasons: [String] = []
        for case .startsOver(_, let because) in world.notes { reasons.append(because) }
        return reasons
    }
}
