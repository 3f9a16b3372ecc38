import Device
import Quantities
import QueueStorage
import Testing
import TransferEngine

/// A damaged store is recognised; nothing that it gives back is other than what was put in.
@Suite struct DamagedStoreTests {
    /// What a store looks like to a launch after a bit of it has changed.
    enum Outcome: Hashable { case whole, setAside }

    @Test func `a flipped bit anywhere is found and told, or touches nothing that counts`() throws {
        let store = try StoreOnDisk()
        let size = try #require(store.bytes(of: "queue.db")).count
        var random = RandomStream(seed: 3, name: "flips")
        var seen: [Outcome: Int] = [:]
        for _ in 0..<600 {
            let bit = random.below(UInt64(size) * 8)
            seen[try outcome(of: store, flipping: bit), default: 0] += 1
        }
        #expect(seen[.whole, default: 0] > 50 && seen[.setAside, default: 0] > 50)
    }

    /// The header of every SQLite file (sqlite.org/fileformat.html) and the top of the first page.
    @Test func `a flipped bit in the header is found and told, or touches nothing`() throws {
        let store = try StoreOnDisk(sessions: 3)
        var seen: [Outcome: Int] = [:]
        for bit in 0..<UInt64(128 * 8) {
            seen[try outcome(of: store, flipping: bit), default: 0] += 1
            var flipped = store
            flipped.disk.flip(bit: bit, of: try #require(store.disk.file(named: "queue.db")))
            let isAllThere = flipped.open().sessions == store.records
            #expect(isAllThere, "bit \(bit): no session was damaged, and some are lost")
        }
        #expect(seen[.setAside, default: 0] > 100)
    }

    @Test(arguments: 0..<60 as Range<UInt64>)
    func `many flipped bits never give anything but what was put in`(seed: UInt64) throws {
        var store = try StoreOnDisk(sessions: 40, seed: seed)
        let file = try #require(store.disk.file(named: "queue.db"))
        let size = store.disk.size(of: file).bytes
        var random = RandomStream(seed: seed, name: "flips")
        for _ in 0...(seed * 4) { store.disk.flip(bit: random.below(size * 8), of: file) }
        try judge(store)
    }

    @Test func `a store that was cut short is set aside, with what is left in it`() throws {
        let whole = try StoreOnDisk()
        let file = try #require(whole.disk.file(named: "queue.db"))
        var kept = 0
        for size in stride(from: 100, to: whole.disk.size(of: file).bytes, by: 1_000) {
            var cut = whole
            cut.disk.truncate(file, to: ByteCount(size))
            let outcome = try judge(cut)
            // The last page may have nothing in it.
            let isWithinLast = size + 4_096 > whole.disk.size(of: file).bytes
            #expect(outcome == .setAside || isWithinLast, "cut to \(size)")
            kept = max(kept, cut.open().sessions.count)
        }
        #expect(kept > 0)
    }

    private func outcome(of store: StoreOnDisk, flipping bit: UInt64) throws -> Outcome {
        var flipped = store
        flipped.disk.flip(bit: bit, of: try #require(store.disk.file(named: "queue.db")))
        return try judge(flipped, "bit \(bit)")
    }

    @discardableResult
    private func judge(_ damaged: StoreOnDisk, _ what: String = "") throws -> Outcome {
        var store = damaged
        let opening = store.open()
        #expect(opening.error == nil, "\(what)")
        let refusal = store.refusal(to: store.records)
        #expect(refusal == nil, "\(what): it can be opened, and not changed")
        guard let setAside = opening.setAside else {
            let isWhole = opening.sessions == store.records
            #expect(isWhole, "\(what): nobody noticed")
            return .whole
        }
        let isHonest = opening.sessions.allSatisfy(store.records.contains)
        #expect(isHonest, "\(what): there is something in it that nobody has written")
        #expect(Set(setAside.lost).isDisjoint(with: opening.sessions.map(\.id)))
        #expect(setAside.name == "queue.db.damaged-1")
        #expect(store.bytes(of: "queue.db.damaged-1") != nil)
        #expect(store.bytes(of: "queue.db.new") == nil)
        return .setAside
    }
}
