import Content
import Quantities
import Testing
import TransferEngine

/// S1, S2 and L5: the source changes between two pieces of one body, the app being alive.
@Suite struct EditedWhileSendingTests {
    @Test func `an edit is error 35 before the final bytes, and then one whole version`() {
        var (found, undone) = (0, 0)
        for step in 0..<40 {
            var world = KilledAnywhereTests.world()
            world.editAfter = step
            world.run()
            let published = world.publications["in/video.mov"] ?? []
            let whole = [[KilledAnywhereTests.whole], [StartingOverTests.editedWhole]]
            #expect(published.count == 1, "edited after \(step)")
            #expect(whole.contains(published.first ?? []), "edited after \(step)")
            let failures = world.notes.filter {
                if case .fails(_, TransferError.diskRead.code, _, .seconds(2)?) = $0 {
                    true
                } else {
                    false
                }
            }
            guard !failures.isEmpty else { continue }
            found += 1
            #expect(failures.count == 1, "edited after \(step)")
            // What was begun is thrown away; while the source was looked at there was nothing.
            let begun = world.asked.count { $0 == "POST /tus" }
            let thrown = world.asked.count { $0.hasPrefix("DELETE /tus/") }
            #expect(begun == thrown + 1, "edited after \(step)")
            if thrown > 0 { undone += 1 }
            #expect(published == [[StartingOverTests.editedWhole]], "edited after \(step)")
        }
        #expect(found > 2)
        #expect(undone > 1)
    }

    @Test func `a source that is deleted under its upload fails its session`() {
        var world = KilledAnywhereTests.world()
        world.editAfter = 24
        world.edit = { $0.files["video.mov"] = nil }
        world.run()
        #expect(world.kept.map(\.state) == [.failed])
        #expect(world.callbacks.last == .didDeactivate(.failed(.noSuchFile)))
        #expect(world.publications.isEmpty)
    }
}
