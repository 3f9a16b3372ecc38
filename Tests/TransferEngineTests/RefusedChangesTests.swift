import Content
import Testing
import TransferEngine

/// S7, S8: a store that refuses some changes, and an app that is killed at any step meanwhile or
/// after.
@Suite struct RefusedChangesTests {
    @Test(arguments: 1..<8)
    func `whatever the store refuses, and whenever the app is killed, it is published once`(
        first: Int
    ) {
        for count in 1...3 {
            for step in 0..<80 {
                var world = KilledAnywhereTests.world()
                world.refusedChanges = first..<(first + count)
                world.killAfter = step
                world.run()
                // A session that was not yet kept is the app's to add again.
                guard !world.kept.isEmpty else { continue }
                let published = world.publications["in/video.mov"] ?? []
                #expect(
                    published == [[KilledAnywhereTests.whole]],
                    "changes refused: \(world.refusedChanges), killed after \(world.killed)")
            }
        }
    }
}
