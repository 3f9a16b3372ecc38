import Device
import Quantities
import QueueStorage
import Testing
import TransferEngine

/// A damaged store makes room for a new one; all that is whole goes on, and the rest is named.
@Suite struct SettingAsideTests {
    @Test func `the sessions that are whole are kept, and the damaged one is named`() throws {
        var store = try StoreOnDisk()
        store.damageSession7()
        let opening = store.open()
        let setAside = try #require(opening.setAside)
        #expect(setAside.lost == [SessionID(7)])
        #expect(setAside.reason == "session 7 is not as it was written")
        let numbers = store.records.flatMap(\.transfers).map(\.id.number)
        #expect(setAside.lastTransfer.number == numbers.max(), "new files get other numbers")
        #expect(opening.sessions == store.records.filter { $0.id != SessionID(7) })
    }

    @Test func `a page that cannot be read takes its own sessions with it and no others`() throws {
        var store = try StoreOnDisk(sessions: 200)
        let file = try #require(store.disk.file(named: "queue.db"))
        let bytes = try #require(store.bytes(of: "queue.db"))
        // Leaves of a table with numbered rows; the first page is another's.
        let leaves = stride(from: 4_096, to: bytes.count, by: 4_096).filter { page in
            bytes[page] == 0x0d && bytes[page + 4] > 3
        }
        let middle = try #require(leaves.dropFirst(leaves.count / 2).first)
        for bit in 0..<8 as Range<UInt64> {
            store.disk.flip(bit: UInt64(middle) * 8 + bit, of: file)
        }
        let opening = store.open()
        let lost = try #require(opening.setAside?.lost)
        #expect(opening.sessions.first?.id == SessionID(1))
        #expect(opening.sessions.last?.id == SessionID(200))
        #expect(opening.sessions.count > 150)
        // One that had no files left no trace elsewhere.
        let traceable = store.records.filter { record in
            !record.transfers.isEmpty && !opening.sessions.contains(record)
        }
        #expect(!lost.isEmpty && lost == traceable.map(\.id))
    }

    @Test func `the damaged store stands beside the new one as it was, with its journal`() throws {
        var store = try StoreOnDisk()
        store.damageSession7()
        let journal = try #require(store.bytes(of: "queue.db-journal"))
        let bytes = store.bytes(of: "queue.db")
        _ = store.open()
        #expect(store.bytes(of: "queue.db.damaged-1") == bytes)
        #expect(store.bytes(of: "queue.db.damaged-1-journal") == journal)
    }

    @Test func `it is told at each opening until it is forgotten, and never again`() throws {
        var store = try StoreOnDisk()
        store.damageSession7()
        let first = store.open()
        let second = store.open()
        #expect(first.setAside != nil && second.setAside == first.setAside)
        #expect(second.sessions == first.sessions)

        let medium = FaultyMedium(store.disk)
        var found: [SessionRecord] = []
        var open = try QueueStore(at: "queue.db", on: .medium(medium), sessions: &found)
        try open.apply(.forgetSetAside)
        #expect(open.setAside == nil)
        open.close()
        store.disk = medium.detach()
        let third = store.open()
        #expect(third.setAside == nil && third.sessions == first.sessions)
    }

    @Test func `the next damaged store has the next number`() throws {
        var store = try StoreOnDisk()
        store.damageSession7()
        _ = store.open()
        let first = store.bytes(of: "queue.db.damaged-1")
        let file = try #require(store.disk.file(named: "queue.db"))
        store.disk.truncate(file, to: ByteCount(100))
        #expect(store.open().setAside?.name == "queue.db.damaged-2")
        #expect(store.bytes(of: "queue.db.damaged-1") == first)
    }

    @Test(arguments: OldStore.versions)
    func `what is whole of a damaged store of an older version is kept, too`(version: Int) throws {
        let old = OldStore.records(version: version, seed: 1)
        let medium = FaultyMedium()
        try OldStore.write(old, version: version, at: "queue.db", on: medium)
        var store = try StoreOnDisk()
        store.disk = medium.detach()
        store.records = old
        store.damageSession7()
        let opening = store.open()
        #expect(opening.setAside?.lost == [SessionID(7)])
        #expect(opening.sessions == old.filter { $0.id != SessionID(7) })
    }

    @Test func `on a full disk nothing is set aside, and all is there when it has space`() throws {
        var store = try StoreOnDisk()
        store.damageSession7()
        let medium = FaultyMedium(store.disk)
        medium.isFull = true
        var found: [SessionRecord] = []
        #expect(throws: StoreError.noSpace(path: "queue.db.new")) {
            try QueueStore(at: "queue.db", on: .medium(medium), sessions: &found).close()
        }
        #expect(found.isEmpty)
        store.disk = medium.detach()
        #expect(store.bytes(of: "queue.db.damaged-1") == nil)
        #expect(store.open().sessions.count == 59)
    }

    @Test func `it is the same in a directory of this machine`() throws {
        var store = try StoreOnDisk()
        store.damageSession7()
        try TemporaryDirectory.with { directory in
            for file in ["queue.db", "queue.db-journal"] {
                let path = directory + "/" + file.replacing("queue", with: "q")
                try TemporaryDirectory.put(store.bytes(of: file) ?? [], at: path)
            }
            var found: [SessionRecord] = []
            let open = try QueueStore(at: "q.db", on: .directory(directory), sessions: &found)
            #expect(open.setAside?.name == "q.db.damaged-1")
            #expect(open.setAside?.lost == [SessionID(7)])
            #expect(found.count == 59)
            open.close()
            let names = try TemporaryDirectory.names(in: directory)
            // The new one has none before its first change.
            #expect(names == ["q.db", "q.db.damaged-1", "q.db.damaged-1-journal"])
        }
    }
}
