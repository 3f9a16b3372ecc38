import Device
import Quantities
import QueueStorage
import Testing
import TransferEngine

/// A process that dies while it sets a damaged store aside has done nothing, or the next launch
/// ends what it began: nobody loses both files, and nobody loses the report.
@Suite struct CutSettingAsideTests {
    @Test(arguments: [nil, 1, 2, 3] as [UInt64?], [nil, 1] as [Int?])
    func `setting aside is cut off anywhere, and the next launch comes to the same`(
        power: UInt64?, sectors: Int?
    ) throws {
        var store = try StoreOnDisk()
        store.damageSession7()
        let damaged = try #require(store.bytes(of: "queue.db"))
        let rehearsal = FaultyMedium(store.disk)
        var found: [SessionRecord] = []
        try QueueStore(at: "queue.db", on: .medium(rehearsal), sessions: &found).close()
        #expect(rehearsal.operations.count > 20)
        var states: Set<[Bool]> = []
        for operation in rehearsal.operations.indices {
            let medium = FaultyMedium(store.disk)
            medium.operationsUntilPowerLoss = operation
            medium.sectorsOfLastWrite = sectors
            _ = try? QueueStore(at: "queue.db", on: .medium(medium), sessions: &found)
            var cut = store
            cut.disk = medium.detach()
            if let power {
                var random = RandomStream(seed: power, name: "power/\(operation)")
                cut.disk.losePower(random: &random)
            }
            states.insert(
                ["queue.db", "queue.db.new", "queue.db.damaged-1"].map {
                    cut.disk.file(named: $0) != nil
                })
            let names = ["queue.db", "queue.db.damaged-1"]
            let isThere = names.contains { cut.bytes(of: $0) == damaged }
            #expect(isThere, "cut off at \(operation): the damaged store is gone")
            judge(cut, damaged, "cut off at \(operation)")
        }
        // Before, with a successor, without a store, and after.
        let possible: Set = [
            [true, false, false], [true, true, false], [false, true, true], [true, false, true],
        ]
        // Power that goes at the very end may take the last step back, or not.
        #expect(power == nil ? states == possible : states.isSubset(of: possible))
        #expect(states.count >= 3)
    }

    private func judge(_ store: StoreOnDisk, _ damaged: [UInt8], _ what: String) {
        var next = store
        let opening = next.open()
        #expect(opening.error == nil, "\(what)")
        #expect(opening.setAside?.lost == [SessionID(7)], "\(what)")
        #expect(opening.setAside?.name == "queue.db.damaged-1", "\(what)")
        let isKept = opening.sessions == store.records.filter { $0.id != SessionID(7) }
        #expect(isKept, "\(what)")
        let isBeside = next.bytes(of: "queue.db.damaged-1") == damaged
        #expect(isBeside, "\(what)")
        #expect(next.bytes(of: "queue.db.damaged-1-journal") != nil, "\(what)")
        #expect(next.bytes(of: "queue.db.damaged-2") == nil, "\(what)")
        #expect(next.bytes(of: "queue.db.new") == nil, "\(what)")
        #expect(next.bytes(of: "queue.db.new-journal") == nil, "\(what)")
    }
}
