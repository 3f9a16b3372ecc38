import QueueStorage
import Testing
import TransferEngine

/// A run is a function of its seed (S15): a disk must be asked for the same each time.
@Suite struct SameOperationsTests {
    @Test func `the same changes ask the disk for the same operations`() throws {
        let first = try operations(seed: 1)
        #expect(first.count > 100)
        #expect(try operations(seed: 1) == first)
        #expect(try operations(seed: 2) != first)
    }

    private func operations(seed: UInt64) throws -> [FaultyMedium.Operation] {
        let medium = FaultyMedium()
        var records = RandomRecords(seed: seed)
        for _ in 0..<2 {
            var found: [SessionRecord] = []
            var store = try QueueStore(at: "queue.db", on: .medium(medium), sessions: &found)
            for change in records.changes(20) { try store.apply(change) }
            store.close()
        }
        return medium.operations
    }
}
