import Device
import Quantities
import Testing
import TransferEngine

@testable import QueueStorage

/// Resumable transfers in the app's store (S7, K4).
@Suite struct EntryStoreTests {
    private func opened(
        _ medium: FaultyMedium
    ) throws -> (sessions: [SessionRecord], entries: [EntryRecord]) {
        var sessions: [SessionRecord] = []
        let store = try QueueStore(at: "queue.db", on: .medium(medium), sessions: &sessions)
        let entries = store.entries
        store.close()
        return (sessions, entries)
    }

    private func written(
        _ changes: [StoreChange], on medium: FaultyMedium
    ) throws -> StoreContentDigest {
        var sessions: [SessionRecord] = []
        var store = try QueueStore(at: "queue.db", on: .medium(medium), sessions: &sessions)
        for change in changes { try store.apply(change) }
        let content = store.content
        store.close()
        return content
    }

    @Test(arguments: [1, 2, 3, 4] as [UInt64])
    func `a store gives back what was put into it, beside its sessions`(seed: UInt64) throws {
        var random = RandomRecords(seed: seed)
        let changes = random.mixedChanges(40)
        let medium = FaultyMedium()
        let content = try written(changes, on: medium)
        let found = try opened(medium)
        let expected = ExpectedRecords().applying(changes)
        let isAsExpected = found.sessions == expected.records && found.entries == expected.entries
        #expect(isAsExpected)
        var marks = StoreContentDigest(of: expected.records)
        for entry in expected.entries {
            marks.replace(mark: nil, with: StoreContentDigest.mark(of: entry))
        }
        for account in expected.accounts {
            marks.replace(mark: nil, with: StoreContentDigest.mark(of: account))
        }
        #expect(content == marks)
    }

    @Test func `a store of the version before takes them`() throws {
        let old = OldStore.records(version: 5, seed: 3)
        let medium = FaultyMedium()
        try OldStore.write(old, version: 5, at: "queue.db", on: medium)
        var random = RandomRecords(seed: 9)
        let entry = random.entry(number: 7)
        _ = try written([.putEntry(entry)], on: medium)
        let found = try opened(medium)
        let isAsExpected = found.sessions == old && found.entries == [entry]
        #expect(isAsExpected)
    }

    /// At each write, sync and creation, with the disk as it was and with the power gone.
    @Test(arguments: [nil, 1, 2, 3] as [UInt64?])
    func `a change that is cut off is done or not begun`(power: UInt64?) throws {
        var random = RandomRecords(seed: 5)
        let before = FaultyMedium()
        let first = random.entry(number: 1)
        _ = try written([.putEntry(first)], on: before)
        let disk = before.detach()
        let second = random.entry(number: 1)
        let changes: [StoreChange] = [.putEntry(second), .removeEntry(EntryID(1))]
        let states = [[first], [second], []]
        let rehearsal = FaultyMedium(disk)
        _ = try written(changes, on: rehearsal)
        for operation in rehearsal.operations.indices {
            let cut = FaultyMedium(disk)
            cut.operationsUntilPowerLoss = operation
            _ = try? written(changes, on: cut)
            var left = cut.detach()
            if let power {
                var chance = RandomStream(seed: power, name: "power/\(operation)")
                left.losePower(random: &chance)
            }
            let found = try opened(FaultyMedium(left)).entries
            let isWhole = states.contains(found)
            #expect(isWhole, "cut at \(operation)")
        }
    }

    @Test func `one that is damaged is left with its store, and the others are kept`() throws {
        var random = RandomRecords(seed: 6)
        let entries = (1...3).map { random.entry(number: $0) }
        let session = random.record(number: 4)
        let medium = FaultyMedium()
        _ = try written(entries.map { .putEntry($0) } + [.put(session)], on: medium)
        do {
            let connection = try SQLiteConnection(path: "queue.db", on: medium)
            try connection.run("UPDATE entry SET done = done + 1 WHERE number = 2")
        }
        var sessions: [SessionRecord] = []
        let store = try QueueStore(at: "queue.db", on: .medium(medium), sessions: &sessions)
        #expect(store.setAside?.reason == "transfer 2 is not as it was written")
        let isKept = store.entries == [entries[0], entries[2]] && sessions == [session]
        #expect(isKept)
        #expect(store.setAside?.lostEntries == [EntryID(2)] && store.setAside?.lost == [])
        store.close()
        // Told at each launch until the app has heard of it.
        let again = try QueueStore(at: "queue.db", on: .medium(medium), sessions: &sessions)
        #expect(again.setAside?.lostEntries == [EntryID(2)])
        again.close()
    }

    @Test func `one that is missing is damage, too`() throws {
        var random = RandomRecords(seed: 7)
        let medium = FaultyMedium()
        _ = try written([.putEntry(random.entry(number: 1))], on: medium)
        do {
            let connection = try SQLiteConnection(path: "queue.db", on: medium)
            try connection.run("DELETE FROM entry")
        }
        var sessions: [SessionRecord] = []
        let store = try QueueStore(at: "queue.db", on: .medium(medium), sessions: &sessions)
        #expect(store.setAside?.reason == "some of its sessions, transfers or accounts are missing")
        store.close()
    }
}
