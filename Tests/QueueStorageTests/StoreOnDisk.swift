import Device
import Quantities
import QueueStorage
import TransferEngine

/// A store of many sessions on a disk that nobody uses at the moment.
struct StoreOnDisk {
    var disk: VirtualDisk
    var records: [SessionRecord]

    init(sessions: UInt64 = 60, seed: UInt64 = 11) throws {
        let medium = FaultyMedium()
        var expected = ExpectedRecords()
        var records = RandomRecords(seed: seed)
        var ignored: [SessionRecord] = []
        var store = try QueueStore(at: "queue.db", on: .medium(medium), sessions: &ignored)
        for number in 1...sessions {
            let change = StoreChange.put(records.record(number: number))
            try store.apply(change)
            expected.apply(change)
        }
        store.close()
        disk = medium.detach()
        self.records = expected.records
    }

    func bytes(of name: String) -> [UInt8]? {
        disk.file(named: name).map { file in
            Array(disk.read(file, at: .zero, count: Int(disk.size(of: file).bytes)))
        }
    }

    /// Something in it is not as it was written: session 7 names another host.
    mutating func damageSession7() {
        guard let file = disk.file(named: "queue.db"), let bytes = bytes(of: "queue.db") else {
            preconditionFailure("the store is gone")
        }
        let mark = StoreContentDigest.mark(of: records[6])
        let wanted = (0..<8).map { UInt8(truncatingIfNeeded: mark >> (56 - 8 * UInt64($0))) }
        let place = bytes.indices.first { bytes[$0...].starts(with: wanted) }
        guard let place else { preconditionFailure("session 7 has no mark") }
        disk.flip(bit: UInt64(place) * 8 + 3, of: file)
    }

    /// What a launch finds.
    struct Opening {
        var sessions: [SessionRecord] = []
        var setAside: StoreSetAside?
        var error: StoreError?
    }

    mutating func open() -> Opening {
        let medium = FaultyMedium(disk)
        var opening = Opening()
        do throws(StoreError) {
            let store = try QueueStore(
                at: "queue.db", on: .medium(medium), sessions: &opening.sessions)
            opening.setAside = store.setAside
            store.close()
        } catch {
            opening.error = error
        }
        disk = medium.detach()
        return opening
    }

    /// What a store says to all kinds of changes, after a launch: every session goes, and new ones
    /// come.
    func refusal(to records: [SessionRecord]) -> StoreError? {
        var sessions: [SessionRecord] = []
        do throws(StoreError) {
            var store = try QueueStore(
                at: "queue.db", on: .medium(FaultyMedium(disk)), sessions: &sessions)
            try store.apply(all: sessions.map { .remove($0.id) } + records.map { .put($0) })
            return nil
        } catch { return error }
    }
}
