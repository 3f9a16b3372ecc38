import Device
import Quantities
import Testing
import TransferEngine

@testable import QueueStorage

/// What an earlier version of the program has stored is there for today's, whole (S7).
@Suite struct MigrationTests {
    @Test(arguments: OldStore.versions, [1, 2, 3] as [UInt64])
    func `a store of an older version gives back what it holds, and takes more`(
        version: Int, seed: UInt64
    ) throws {
        let old = OldStore.records(version: version, seed: seed)
        let medium = FaultyMedium()
        try OldStore.write(old, version: version, at: "queue.db", on: medium)
        #expect(try self.version(on: medium) == version)

        var found: [SessionRecord] = []
        var store = try QueueStore(at: "queue.db", on: .medium(medium), sessions: &found)
        #expect(found == old)
        #expect(store.content == StoreContentDigest(of: old))
        var records = RandomRecords(seed: seed + 1)
        let changes = records.changes(20)
        try store.apply(all: changes)
        store.close()
        #expect(try self.version(on: medium) == StoreSchema.queue.version)
        try QueueStore(at: "queue.db", on: .medium(medium), sessions: &found).close()
        let isAsExpected = found == ExpectedRecords(records: old).applying(changes).records
        #expect(isAsExpected)
    }

    @Test(arguments: OldStore.versions)
    func `a store has the same columns, whatever version it began with`(version: Int) throws {
        let medium = FaultyMedium()
        var found: [SessionRecord] = []
        try QueueStore(at: "new.db", on: .medium(medium), sessions: &found).close()
        try OldStore.write([], version: version, at: "old.db", on: medium)
        try QueueStore(at: "old.db", on: .medium(medium), sessions: &found).close()
        let new = try columns(of: "new.db", on: medium)
        #expect(new.count > 15)
        #expect(try columns(of: "old.db", on: medium) == new)
    }

    @Test func `a new store is what all steps come to`() throws {
        let steps = try SQLiteConnection.inMemory()
        for step in StoreSchema.queue.steps { try steps.run(step) }
        let new = try StoreSchema.queue.example()
        #expect(try StoreSchema.tables(of: new) == StoreSchema.tables(of: steps))
        for question in ["SELECT count(*) FROM content", "PRAGMA application_id"] {
            #expect(try new.number(question) == steps.number(question))
        }
        #expect(try new.number("SELECT count(*) FROM content") == 1)
        #expect(try new.number("PRAGMA user_version") == Int64(StoreSchema.queue.version))
    }

    /// At each write, sync and creation, with the disk as it was and with the power gone.
    @Test(
        arguments: OldStore.versions.filter { $0 < StoreSchema.queue.version },
        [nil, 1, 2, 3, 4])
    func `a migration that is cut off is done or not begun`(version: Int, power: UInt64?) throws {
        let old = OldStore.records(version: version, seed: 4)
        let medium = FaultyMedium()
        try OldStore.write(old, version: version, at: "queue.db", on: medium)
        let before = medium.detach()
        let rehearsal = FaultyMedium(before)
        var found: [SessionRecord] = []
        try QueueStore(at: "queue.db", on: .medium(rehearsal), sessions: &found).close()
        var seen: Set<Int> = []
        for operation in rehearsal.operations.indices {
            let cut = FaultyMedium(before)
            cut.operationsUntilPowerLoss = operation
            _ = try? QueueStore(at: "queue.db", on: .medium(cut), sessions: &found)
            var disk = cut.detach()
            if let power {
                var random = RandomStream(seed: power, name: "power/\(operation)")
                disk.losePower(random: &random)
            }
            let left = try self.version(on: FaultyMedium(disk))
            seen.insert(left)
            #expect([version, StoreSchema.queue.version].contains(left), "cut at \(operation)")
            try QueueStore(at: "queue.db", on: .medium(FaultyMedium(disk)), sessions: &found)
                .close()
            let isWhole = found == old
            #expect(isWhole, "cut at \(operation)")
        }
        #expect(seen == [version, StoreSchema.queue.version])
    }

    @Test func `tables that are not those of their version are damage`() throws {
        let medium = FaultyMedium()
        try OldStore.write([], version: 2, at: "queue.db", on: medium)
        do {
            let connection = try SQLiteConnection(path: "queue.db", on: medium)
            try connection.run("PRAGMA user_version = 1")
        }
        var found: [SessionRecord] = []
        let store = try QueueStore(at: "queue.db", on: .medium(medium), sessions: &found)
        #expect(store.setAside?.reason.hasPrefix("duplicate column name") == true)
        store.close()
    }

    private func version(on medium: FaultyMedium) throws -> Int {
        let connection = try SQLiteConnection(path: "queue.db", on: medium)
        return Int(try connection.number("PRAGMA user_version"))
    }

    private func columns(of name: String, on medium: FaultyMedium) throws -> [String] {
        let connection = try SQLiteConnection(path: name, on: medium)
        return try StoreSchema.columns(of: connection)
    }
}
