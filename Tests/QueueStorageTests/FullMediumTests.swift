import QueueStorage
import Testing
import TransferEngine

@Suite struct FullMediumTests {
    @Test func `a change that finds no space is refused whole, and taken when there is some`()
        throws
    {
        let medium = FaultyMedium()
        var found: [SessionRecord] = []
        var store = try QueueStore(at: "queue.db", on: .medium(medium), sessions: &found)
        var records = RandomRecords(seed: 4)
        let first = records.changes(3)
        try store.apply(all: first)
        let content = store.content

        medium.isFull = true
        let large = (10..<200).map { StoreChange.put(records.record(number: $0)) }
        #expect(throws: StoreError.noSpace(path: "queue.db")) { try store.apply(all: large) }
        #expect(store.content == content)

        medium.isFull = false
        try store.apply(all: large)
        store.close()
        try QueueStore(at: "queue.db", on: .medium(medium), sessions: &found).close()
        let isAsExpected = found == ExpectedRecords().applying(first + large).records
        #expect(isAsExpected)
    }
}
