import Device
import Quantities
import QueueStorage
import Testing
import TransferEngine

/// A damaged store is recognised; nothing that it gives back is other than what was put in.
@Suite struct DamagedStoreTests {
    @Test func `a flipped bit is refused or touches nothing that counts`() throws {
        let (disk, records) = try storeOnDisk()
        let file = try #require(disk.file(named: "queue.db"))
        var random = RandomStream(seed: 3, name: "flips")
        var refused = 0
        for _ in 0..<400 {
            let offset = ByteCount(random.below(disk.size(of: file).bytes))
            let byte = try #require(disk.read(file, at: offset, count: 1).first)
            var flipped = disk
            flipped.write([byte ^ 1 << UInt8(random.below(8))], to: file, at: offset)
            var found: [SessionRecord] = []
            do throws(StoreError) {
                let medium = FaultyMedium(flipped)
                try QueueStore(at: "queue.db", on: .medium(medium), sessions: &found).close()
                let isWhole = found == records
                #expect(isWhole, "byte \(offset.bytes) was flipped, and nobody noticed")
            } catch {
                refused += 1
                #expect(found.isEmpty)
            }
        }
        #expect(refused > 50 && refused < 400)
    }

    @Test func `a store that was cut short is refused`() throws {
        let (disk, _) = try storeOnDisk()
        let file = try #require(disk.file(named: "queue.db"))
        for size in stride(from: 100, to: disk.size(of: file).bytes, by: 1_000) {
            var cut = disk
            cut.truncate(file, to: ByteCount(size))
            let medium = FaultyMedium(cut)
            var found: [SessionRecord] = []
            #expect(throws: StoreError.self, "cut at \(size)") {
                try QueueStore(at: "queue.db", on: .medium(medium), sessions: &found).close()
            }
        }
    }

    private func storeOnDisk() throws -> (VirtualDisk, [SessionRecord]) {
        let medium = FaultyMedium()
        var expected = ExpectedRecords()
        var records = RandomRecords(seed: 11)
        var ignored: [SessionRecord] = []
        var store = try QueueStore(at: "queue.db", on: .medium(medium), sessions: &ignored)
        for number in 1...60 as ClosedRange<UInt64> {
            let change = StoreChange.put(records.record(number: number))
            try store.apply(change)
            expected.apply(change)
        }
        store.close()
        var disk = medium.detach()
        disk.delete("queue.db-journal")
        return (disk, expected.records)
    }
}
