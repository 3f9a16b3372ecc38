import Device
import Quantities
import QueueStorage
import Testing
import TransferEngine

@testable import Simulation

/// A store on a phone's disk that is full, or that fails.
@Suite struct DiskInTroubleTests {
    @Test func `a write that does not fit writes nothing`() throws {
        let phone = PhoneDisk(DiskSpace(capacity: ByteCount(10)))
        let medium = VirtualDiskMedium(VirtualDisk(), of: phone)
        let file = try medium.create("a")
        try medium.write([1, 2, 3, 4], to: file, at: .zero)
        #expect(throws: StorageFailure.noSpace) {
            try medium.write([9, 9, 9], to: file, at: ByteCount(8))
        }
        #expect(try medium.size(of: file) == ByteCount(4))
        #expect(try medium.read(file, at: .zero, count: 99) == [1, 2, 3, 4])
        try medium.write([9, 9, 9], to: file, at: ByteCount(1))
        #expect(try medium.read(file, at: .zero, count: 99) == [1, 9, 9, 9])
    }

    @Test func `the apps of a phone share its room, and what one deletes is the other's`() throws {
        let phone = PhoneDisk(DiskSpace(capacity: ByteCount(10)))
        let one = VirtualDiskMedium(VirtualDisk(), of: phone)
        let other = VirtualDiskMedium(VirtualDisk(), of: phone)
        let file = try other.create("b")
        try one.write([UInt8](repeating: 1, count: 9), to: one.create("a"), at: .zero)
        #expect(throws: StorageFailure.noSpace) { try other.write([1, 2], to: file, at: .zero) }
        try one.delete("a")
        try other.write([1, 2], to: file, at: .zero)
        #expect(phone.space.used == ByteCount(2))
        try other.truncate(file, to: ByteCount(1))
        #expect(phone.space.used == ByteCount(1))
    }

    @Test func `a process that dies at a write changes nothing more, and reads nothing`() throws {
        let phone = PhoneDisk()
        let medium = VirtualDiskMedium(VirtualDisk(), of: phone)
        let file = try medium.create("a")
        phone.cut(atWrite: phone.writes.all + 1, ofAll: false)
        #expect(throws: StorageFailure.detached) { try medium.write([1], to: file, at: .zero) }
        phone.cutIsKnown()
        #expect(throws: StorageFailure.detached) { try medium.delete("a") }
        #expect(throws: StorageFailure.detached) { try medium.read(file, at: .zero, count: 1) }
        #expect(medium.detach().file(named: "a") != nil)
    }

    @Test func `a file that takes another's name gives back the room of that one`() throws {
        let phone = PhoneDisk(DiskSpace(capacity: ByteCount(10)))
        let medium = VirtualDiskMedium(VirtualDisk(), of: phone)
        try medium.write([1, 2, 3], to: medium.create("a"), at: .zero)
        try medium.write([4, 5], to: medium.create("b"), at: .zero)
        try medium.rename("a", to: "b")
        #expect(phone.space.used == ByteCount(3))
        try medium.rename("b", to: "c")
        #expect(phone.space.used == ByteCount(3))
        phone.space.condition.take(.writesFail(true))
        #expect(throws: StorageFailure.writeFails) { try medium.rename("c", to: "d") }
    }

    static let troubles: [(change: DiskCondition.Change, end: DiskCondition.Change)] = [
        (.full(true), .full(false)), (.writesFail(true), .writesFail(false)),
    ]

    @Test(arguments: troubles.indices)
    func `a change that the disk refuses is refused whole, and taken later`(trouble: Int) throws {
        let (change, end) = Self.troubles[trouble]
        let phone = PhoneDisk()
        let medium = VirtualDiskMedium(VirtualDisk(), of: phone)
        var found: [SessionRecord] = []
        var store = try QueueStore(at: "queue.db", on: .medium(medium), sessions: &found)
        var records = RandomRecords(seed: 7)
        let first = records.changes(3)
        try store.apply(all: first)
        let content = store.content
        let large = (10..<200).map { StoreChange.put(records.record(number: $0)) }

        phone.space.condition.take(change)
        let error = #expect(throws: StoreError.self) { try store.apply(all: large) }
        switch error {
        case .noSpace: #expect(change == .full(true))
        case .failed(_, let reason):
            #expect(change == .writesFail(true))
            #expect(reason.contains("SQLite code 778"))
        case let other: Issue.record("\(String(describing: other))")
        }
        #expect(store.content == content)

        phone.space.condition.take(end)
        try store.apply(all: large)
        store.close()
        try QueueStore(at: "queue.db", on: .medium(medium), sessions: &found).close()
        let isAsExpected = found == ExpectedRecords().applying(first + large).records
        #expect(isAsExpected)
    }

    @Test func `a store that cannot be read is not opened, and is whole when it can be`() throws {
        let phone = PhoneDisk()
        let medium = VirtualDiskMedium(VirtualDisk(), of: phone)
        var found: [SessionRecord] = []
        var store = try QueueStore(at: "queue.db", on: .medium(medium), sessions: &found)
        var records = RandomRecords(seed: 8)
        let changes = records.changes(5)
        try store.apply(all: changes)
        store.close()

        phone.space.condition.take(.readsFail(true))
        let error = #expect(throws: StoreError.self) {
            var none: [SessionRecord] = []
            try QueueStore(at: "queue.db", on: .medium(medium), sessions: &none).close()
        }
        guard case .failed(_, let reason) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(reason.contains("SQLite code 266"))

        phone.space.condition.take(.readsFail(false))
        try QueueStore(at: "queue.db", on: .medium(medium), sessions: &found).close()
        let isAsExpected = found == ExpectedRecords().applying(changes).records
        #expect(isAsExpected)
    }
}
