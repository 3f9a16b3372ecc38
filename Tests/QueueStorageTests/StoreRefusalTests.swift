import Device
import Foundation
import Quantities
import Testing
import TransferEngine

@testable import QueueStorage

/// What is not a store of ours is refused, and left as it is.
@Suite struct StoreRefusalTests {
    /// The places of these numbers in the header of every SQLite file (sqlite.org/fileformat.html).
    static let userVersion = 60..<64
    static let applicationID = 68..<72

    @Test func `a store of a newer version is refused with its number`() throws {
        let refused = try refusal { connection throws(StoreError) in
            try connection.run("ALTER TABLE session ADD COLUMN later INTEGER")
            try connection.run("PRAGMA user_version = 14")
        }
        #expect(refused.error == .tooNew(path: "queue.db", version: 14, known: 13))
        #expect(refused.error.message.contains("use the newer program"))
        #expect(refused.isUntouched)
    }

    @Test func `a database of another program is refused`() throws {
        let refused = try refusal { connection throws(StoreError) in
            for table in ["session", "transfer", "entry", "account"] {
                try connection.run("DROP TABLE \(table)")
            }
            try connection.run("PRAGMA application_id = 1")
        }
        #expect(refused.error == .notAStore(path: "queue.db"))
        #expect(refused.isUntouched)
    }

    @Test(arguments: [userVersion, applicationID], ["host", "hosu"])
    func `a store with most of our tables is no other's, whatever it says`(
        place: Range<Int>, column: String
    ) throws {
        var disk = VirtualDisk()
        let file = disk.create("queue.db")
        var bytes = try storeBytes().replacing(place, with: 14)
        let name = try #require(bytes.indices.first { bytes[$0...].starts(with: "host TEXT".utf8) })
        bytes.replaceSubrange(name..<name + 4, with: column.utf8)
        disk.write(bytes, to: file, at: .zero)
        let medium = FaultyMedium(disk)
        var sessions: [SessionRecord] = []
        let store = try QueueStore(at: "queue.db", on: .medium(medium), sessions: &sessions)
        #expect(store.setAside?.reason.hasSuffix("and has the tables of version 13") == true)
        store.close()
    }

    @Test(arguments: [true, false])
    func `a version that never was is damage, and so is a file that is no database`(
        isDatabase: Bool
    ) throws {
        let bytes =
            isDatabase
            ? try storeBytes().replacing(Self.userVersion, with: 0)
            : Array("shopping list\n".utf8) * 100
        var disk = VirtualDisk()
        let file = disk.create("queue.db")
        disk.write(bytes, to: file, at: .zero)
        let medium = FaultyMedium(disk)
        var sessions: [SessionRecord] = []
        let store = try QueueStore(at: "queue.db", on: .medium(medium), sessions: &sessions)
        let reason = store.setAside?.reason
        store.close()
        #expect(
            reason
                == (isDatabase
                    ? "there has never been a version 0"
                    : "file is not a database (SQLite code 26)"))
        disk = medium.detach()
        let beside = try #require(disk.file(named: "queue.db.damaged-1"))
        #expect(disk.read(beside, at: .zero, count: bytes.count + 1).elementsEqual(bytes))
    }

    @Test func `a store that is open is refused to a second opener`() throws {
        try TemporaryDirectory.with { directory in
            var sessions: [SessionRecord] = []
            let first = try QueueStore(at: "q.db", on: .directory(directory), sessions: &sessions)
            let error = try #require(openingError(at: "q.db", on: .directory(directory)))
            #expect(error == .inUse(path: directory + "/q.db"))
            first.close()
            #expect(openingError(at: "q.db", on: .directory(directory)) == nil)
        }
    }

    @Test func `a directory that does not exist is refused with a way out`() throws {
        try TemporaryDirectory.with { directory in
            let error = try #require(openingError(at: "q.db", on: .directory(directory + "/no")))
            #expect(error.message.contains("see that its directory exists"))
        }
    }

    /// Of a store after this was done to it.
    private func refusal(
        after change: (borrowing SQLiteConnection) throws(StoreError) -> Void
    ) throws -> (error: StoreError, isUntouched: Bool) {
        var medium = FaultyMedium()
        var sessions: [SessionRecord] = []
        try QueueStore(at: "queue.db", on: .medium(medium), sessions: &sessions).close()
        try change(SQLiteConnection(path: "queue.db", on: medium))
        medium = FaultyMedium(medium.detach())
        let error = try #require(openingError(at: "queue.db", on: .medium(medium)))
        return (error, medium.operations.isEmpty)
    }

    private func openingError(at name: String, on place: QueueStore.Place) -> StoreError? {
        var sessions: [SessionRecord] = []
        do throws(StoreError) {
            try QueueStore(at: name, on: place, sessions: &sessions).close()
            return nil
        } catch {
            #expect(sessions.isEmpty)
            return error
        }
    }

    private func storeBytes() throws -> [UInt8] {
        let medium = FaultyMedium()
        var sessions: [SessionRecord] = []
        try QueueStore(at: "queue.db", on: .medium(medium), sessions: &sessions).close()
        let disk = medium.detach()
        let file = try #require(disk.file(named: "queue.db"))
        return Array(disk.read(file, at: .zero, count: Int(disk.size(of: file).bytes)))
    }
}

extension [UInt8] {
    /// A number of four bytes, the most significant first.
    fileprivate func replacing(_ place: Range<Int>, with number: UInt8) -> [UInt8] {
        var copy = self
        copy.replaceSubrange(place, with: [0, 0, 0, number])
        return copy
    }

    fileprivate static func * (bytes: [UInt8], count: Int) -> [UInt8] {
        Array(repeatElement(bytes, count: count).joined())
    }
}
