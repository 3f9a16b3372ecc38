import Device
import Quantities
import QueueStorage
import Testing
import TransferEngine

/// Behaviour S7, with each write of the store cut off in the middle: its first sectors are on the
/// disk, the others are as before.
@Suite struct TornWriteTests {
    /// By the death of the process (`nil`), which keeps what it had written before, or by a loss of
    /// power, which keeps of the unsynced what chance leaves.
    @Test(arguments: [1, 3, 7], [nil, 1, 2] as [UInt64?])
    func `a store survives each write that is torn`(sectors: Int, power: UInt64?) throws {
        let rehearsal = FaultyMedium()
        _ = Self.work(on: rehearsal)
        var torn = 0
        for operation in rehearsal.operations.indices {
            let medium = FaultyMedium()
            medium.operationsUntilPowerLoss = operation
            medium.sectorsOfLastWrite = sectors
            let (promised, attempted) = Self.work(on: medium)
            guard medium.hasTornWrite else { continue }
            torn += 1
            var disk = medium.detach()
            if let power {
                var random = RandomStream(seed: power, name: "power/\(operation)")
                disk.losePower(random: &random)
            }
            var found: [SessionRecord] = []
            try QueueStore(at: "queue.db", on: .medium(FaultyMedium(disk)), sessions: &found)
                .close()
            let isWhole = found == promised.records || found == attempted.records
            #expect(isWhole, "cut off at operation \(operation)")
        }
        #expect(torn > 50, "only \(torn) writes were torn")
    }

    private static func work(on medium: FaultyMedium) -> (ExpectedRecords, ExpectedRecords) {
        var promised = ExpectedRecords()
        var attempted = promised
        var records = RandomRecords(seed: 6)
        var found: [SessionRecord] = []
        do {
            var store = try QueueStore(at: "queue.db", on: .medium(medium), sessions: &found)
            for change in records.changes(20) {
                attempted.apply(change)
                try store.apply(change)
                promised = attempted
            }
            store.close()
        } catch {
            #expect(medium.operationsUntilPowerLoss != nil, "the rehearsal failed: \(error)")
        }
        return (promised, attempted)
    }
}
