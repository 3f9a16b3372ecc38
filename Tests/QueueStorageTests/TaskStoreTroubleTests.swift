import Device
import Quantities
import Simulation
import Testing
import TransferEngine

@testable import QueueStorage

/// What becomes of the daemon's store when writes are cut off, bits flip, and versions change (S7).
@Suite struct TaskStoreTroubleTests {
    private static func record(_ number: UInt64, failures: Int = 0) -> TaskRecord {
        let id = TaskID(app: UInt16(number % 2), number: number)
        return TaskRecord(
            id: id, session: "com.example.films",
            account: Account(host: "there", port: 80, credentials: CredentialHandle("app")),
            transfer: TransferRecord(
                id: id.transfer, source: "a\(number).mov", destination: "in/a\(number).mov",
                fingerprint: SourceFingerprint(size: ByteCount(7), modified: 5),
                resource: "key \(number)"), failures: failures)
    }

    /// Puts, changes and removes, as a daemon would.
    private static let changes: [TaskChange] =
        (1...6).map { .put(record($0)) }
        + [
            .put(record(2, failures: 3)), .remove(record(3).id), .told(1),
            .delay(BackgroundDelay(of: 1, .seconds(120))),
            .put(record(4, failures: 9)),
        ]
        + (7...12).map { .put(record($0)) } + [.remove(record(1).id)]

    private struct Kept: Hashable {
        var tasks: [TaskRecord]
        var delays: [BackgroundDelay]
    }

    private static func content(after count: Int) -> Kept {
        var tasks: [TaskID: TaskRecord] = [:]
        var delays: [BackgroundDelay] = []
        for change in changes.prefix(count) {
            switch change {
            case .put(let record): tasks[record.id] = record
            case .remove(let id): tasks[id] = nil
            case .delay(let delay): delays = [delay]
            case .told: break
            }
        }
        return Kept(tasks: tasks.values.sorted { $0.id < $1.id }, delays: delays)
    }

    /// How many changes were promised, and how many were asked for.
    private static func work(on medium: FaultyMedium) -> (promised: Int, asked: Int) {
        var (promised, asked) = (0, 0)
        var found: [TaskRecord] = []
        do {
            var store = try TaskStore(at: "tasks.db", on: .medium(medium), tasks: &found)
            for change in changes {
                asked += 1
                try store.apply(change)
                promised = asked
            }
        } catch {
            #expect(medium.operationsUntilPowerLoss != nil, "the rehearsal failed: \(error)")
        }
        return (promised, asked)
    }

    /// At each operation; of a write that is torn, the first sectors are on the disk.
    @Test(arguments: [nil, 1, 3] as [Int?], [nil, 1, 2] as [UInt64?])
    func `a store survives each operation that is cut off, by a kill or a loss of power`(
        sectors: Int?, power: UInt64?
    ) throws {
        let rehearsal = FaultyMedium()
        #expect(Self.work(on: rehearsal).promised == Self.changes.count)
        #expect(rehearsal.operations.count > 50)
        for operation in rehearsal.operations.indices {
            let medium = FaultyMedium()
            medium.operationsUntilPowerLoss = operation
            medium.sectorsOfLastWrite = sectors
            let (promised, asked) = Self.work(on: medium)
            var disk = medium.detach()
            if let power {
                var random = RandomStream(seed: power, name: "power/\(operation)")
                disk.losePower(random: &random)
            }
            let opened = try Self.open(FaultyMedium(disk))
            #expect(opened.setAside == nil, "cut off at operation \(operation)")
            let kept = Kept(tasks: opened.tasks, delays: opened.delays)
            let isWhole = [promised, asked].map(Self.content).contains(kept)
            #expect(isWhole, "cut off at operation \(operation)")
        }
    }

    /// What is found in the store, which takes these changes then and is closed.
    private static func open(
        _ medium: any StorageMedium, applying changes: [TaskChange] = []
    ) throws -> (
        tasks: [TaskRecord], delays: [BackgroundDelay], setAside: TaskStoreSetAside?,
        content: StoreContentDigest
    ) {
        var found: [TaskRecord] = []
        var store = try TaskStore(at: "tasks.db", on: .medium(medium), tasks: &found)
        let content = store.content
        for change in changes { try store.apply(change) }
        return (found, store.delays, store.setAside, content)
    }

    /// What is kept is as it was written, and what is lost and can be named is named.
    @Test(arguments: 1...60 as ClosedRange<UInt64>)
    func `a store whose bits have flipped is set aside, and what is whole of it goes on`(
        seed: UInt64
    ) throws {
        let medium = VirtualDiskMedium(VirtualDisk())
        let written = (1...40).map { Self.record($0) }.sorted { $0.id < $1.id }
        _ = try Self.open(medium, applying: written.map { .put($0) })
        var disk = medium.detach()
        let file = try #require(disk.file(named: "tasks.db"))
        var random = RandomStream(seed: seed, name: "flips")
        let bits = disk.size(of: file).bytes * 8
        for _ in 0..<(1 + seed * 4) { disk.flip(bit: random.below(bits), of: file) }

        let damaged = VirtualDiskMedium(disk)
        do {
            let opened = try Self.open(damaged)
            #expect(opened.tasks.allSatisfy { written.contains($0) })
            guard let report = opened.setAside else {
                #expect(opened.tasks == written, "something is lost, and nobody says so")
                return try Self.changeAll(opened.tasks, on: damaged)
            }
            #expect(Set(report.lost).isDisjoint(with: opened.tasks.map(\.id)))
        } catch StoreError.notAStore, StoreError.tooNew {
            // The very number that says whose file it is.
            return
        }
        // Told again at each opening, until an app has heard of it.
        let again = try Self.open(damaged, applying: [.told(1)])
        #expect(again.setAside?.name == "tasks.db.damaged-1")
        #expect(try Self.open(damaged).setAside?.told == [1])
        try Self.changeAll(again.tasks, on: damaged)
    }

    /// The header of every SQLite file (sqlite.org/fileformat.html).
    @Test func `a flipped bit in the header hinders no change once the store is open (L1)`() throws
    {
        let medium = VirtualDiskMedium(VirtualDisk())
        let written = (1...3).map { Self.record($0) }.sorted { $0.id < $1.id }
        _ = try Self.open(medium, applying: written.map { .put($0) })
        let disk = medium.detach()
        let file = try #require(disk.file(named: "tasks.db"))
        var setAside = 0
        for bit in 0..<UInt64(100 * 8) {
            var flipped = disk
            flipped.flip(bit: bit, of: file)
            let damaged = VirtualDiskMedium(flipped)
            let opened = try Self.open(damaged)
            #expect(opened.tasks == written, "bit \(bit)")
            if opened.setAside != nil { setAside += 1 }
            try Self.changeAll(opened.tasks, on: damaged)
        }
        #expect(setAside > 50)
    }

    /// What can be opened can be changed: else nothing would ever be kept again.
    private static func changeAll(
        _ tasks: [TaskRecord], on medium: VirtualDiskMedium
    ) throws {
        _ = try open(medium, applying: tasks.map { .remove($0.id) })
        _ = try open(medium, applying: (1...40).map { .put(record($0)) })
    }

    @Test func `a store of the first version is brought to today's tables`() throws {
        let medium = VirtualDiskMedium(VirtualDisk())
        try Self.writeOldStore(on: medium)
        let opened = try Self.open(medium, applying: [.put(Self.record(9))])
        let found = opened.tasks
        #expect(found.map(\.id) == [TaskID(app: 0, number: 2), TaskID(app: 1, number: 1)])
        #expect(found.map(\.state) == [.running, .finished])
        #expect(found.map(\.outcome) == [nil, .failed(.timedOut)])
        #expect(found.map(\.installation) == [0, 0])
        #expect(found[0].notBefore == Instant(nanoseconds: 60) && found[0].failures == 3)
        #expect(opened.content == StoreContentDigest(of: found) && opened.setAside == nil)
        #expect(
            try Self.open(medium).tasks == (found + [Self.record(9)]).sorted { $0.id < $1.id })
    }

    @Test func `a store of a newer version is refused, and left as it is`() throws {
        let medium = VirtualDiskMedium(VirtualDisk())
        _ = try Self.open(medium)
        try Self.run(
            "ALTER TABLE task ADD COLUMN colour TEXT; PRAGMA user_version = 99", on: medium)
        #expect(throws: StoreError.tooNew(path: "tasks.db", version: 99, known: 7)) {
            _ = try Self.open(medium)
        }
    }

    @Test(arguments: ["user_version = 8", "application_id = 1414292085"])
    func `a bit that flips in the number of its version or of its owner is damage (L1)`(
        number: String
    ) throws {
        let medium = VirtualDiskMedium(VirtualDisk())
        _ = try Self.open(medium, applying: [.put(Self.record(1))])
        try Self.run("PRAGMA \(number)", on: medium)
        let opened = try Self.open(medium)
        #expect(opened.tasks == [Self.record(1)])
        let reason = try #require(opened.setAside?.reason)
        #expect(reason.hasPrefix("it says that it is"), "\(reason)")
    }

    private static func run(_ statements: String, on medium: any StorageMedium) throws {
        let connection = try SQLiteConnection(path: "tasks.db", on: medium)
        try connection.run("PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = PERSIST")
        try connection.run(statements)
    }

    private static func writeOldStore(on medium: any StorageMedium) throws {
        try run(
            """
            BEGIN;
            \(tablesOfVersion1)
            INSERT INTO task VALUES
                (0, 2, 's', 'there', 80, 'app', 'a.mov', 'in/a.mov', 'a key', 7, 5, 1, 1,
                'running', 3, 60, 600, NULL, 0, 0),
                (1, 1, '', '', 0, '', 'b.mov', '/downloads/b', NULL, NULL, NULL, 0, 0,
                'finished', 0, NULL, NULL, -1001, 1, 1);
            COMMIT
            """, on: medium)
    }

    /// As that version's program made them, whatever has become of them since.
    private static let tablesOfVersion1 = """
        CREATE TABLE task (
            app INTEGER NOT NULL, number INTEGER NOT NULL, session TEXT NOT NULL,
            host TEXT NOT NULL, port INTEGER NOT NULL, credentials TEXT NOT NULL,
            source TEXT NOT NULL, destination TEXT NOT NULL, key TEXT,
            fingerprint_size INTEGER, fingerprint_modified INTEGER,
            network_limits INTEGER NOT NULL, is_discretionary INTEGER NOT NULL,
            state TEXT NOT NULL, failures INTEGER NOT NULL, not_before INTEGER,
            deadline INTEGER, outcome INTEGER, is_download INTEGER NOT NULL,
            is_complete INTEGER NOT NULL, PRIMARY KEY (app, number)
        ) STRICT, WITHOUT ROWID;
        PRAGMA application_id = 1414292084;
        """
}
