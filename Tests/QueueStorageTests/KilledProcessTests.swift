import Device
import Quantities
import QueueStorage
import Testing
import TransferEngine

/// Behaviour S7, with the process gone and the disk as it was.
@Suite struct KilledProcessTests {
    @Test func `what is closed after the kill writes nothing any more`() throws {
        let medium = FaultyMedium()
        var ignored: [SessionRecord] = []
        var store = try QueueStore(at: "queue.db", on: .medium(medium), sessions: &ignored)
        var records = RandomRecords(seed: 1)
        try store.apply(.put(records.record(number: 1)))
        let disk = medium.detach()
        let change = StoreChange.put(records.record(number: 2))
        #expect(throws: StoreError.self) { try store.apply(change) }
        store.close()
        #expect(medium.detach().file(named: "queue.db") == nil, "a dead process has no disk")
        #expect(try sessions(on: disk).map(\.id) == [SessionID(1)])
    }

    /// Twenty changes, and a kill at each write, sync and creation of the store they make.
    @Test func `a kill at any operation leaves every promised change and no half one`() throws {
        let rehearsal = FaultyMedium()
        _ = work(on: rehearsal)
        for operation in rehearsal.operations.indices {
            let medium = FaultyMedium()
            medium.operationsUntilPowerLoss = operation
            let (promised, attempted) = work(on: medium)
            let found = try sessions(on: medium.detach())
            let isWhole = found == promised.records || found == attempted.records
            #expect(isWhole, "killed at operation \(operation)")
        }
    }

    private func sessions(on disk: VirtualDisk) throws -> [SessionRecord] {
        var found: [SessionRecord] = []
        let medium = FaultyMedium(disk)
        try QueueStore(at: "queue.db", on: .medium(medium), sessions: &found).close()
        return found
    }

    private func work(on medium: FaultyMedium) -> (ExpectedRecords, ExpectedRecords) {
        var promised = ExpectedRecords()
        var attempted = promised
        var records = RandomRecords(seed: 5)
        var ignored: [SessionRecord] = []
        do {
            var store = try QueueStore(at: "queue.db", on: .medium(medium), sessions: &ignored)
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
