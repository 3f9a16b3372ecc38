import Content
import Device
import Quantities
import RunLog
import RunPlan
import Testing

@Suite struct LocalFilesTests {
    private static let first = FileVersion(file: 1, edit: 0)
    private static let size = ByteCount(100)
    private let later = Instant.start + .seconds(3)

    @Test(
        arguments: [
            (.edited, 100, true), (.editedUnseen, 100, false),
            (.replaced(by: ByteCount(7)), 7, true),
            (.truncated(to: ByteCount(60)), 60, true), (.truncated(to: ByteCount(160)), 100, true),
            (.grown(by: ByteCount(5)), 105, true),
        ] as [(FileChange.Kind, UInt64, Bool)])
    func `other bytes are another version, with another date unless it is put back`(
        kind: FileChange.Kind, size: UInt64, isDated: Bool
    ) {
        var files = Self.files()
        var disk = DiskSpace(used: Self.size)
        let fact = files.apply(FileChange("a", kind), at: later, on: &disk)
        let next = FileVersion(file: 1, edit: 1)
        #expect(fact == .stands(path: "a", version: next, size: ByteCount(size)))
        let file = LocalFiles.File(
            version: next, size: ByteCount(size), modified: isDated ? 3_000_000_000 : 0,
            changed: 3_000_000_000)
        #expect(files["a"] == file)
    }

    @Test func `a touch gives the same bytes a new date, even twice at one moment`() {
        var files = Self.files()
        var disk = DiskSpace(used: Self.size)
        for date in [3_000_000_000, 3_000_000_001] as [UInt64] {
            let fact = files.apply(FileChange("a", .touched), at: later, on: &disk)
            #expect(fact == .touched(path: "a"))
            let file = LocalFiles.File(
                version: Self.first, size: Self.size, modified: date, changed: date)
            #expect(files["a"] == file)
        }
    }

    @Test(
        arguments: [
            .edited, .editedUnseen, .touched, .truncated(to: .zero), .grown(by: size), .deleted,
        ] as [FileChange.Kind])
    func `a file that is gone stays gone, whatever is done to it but to replace it`(
        kind: FileChange.Kind
    ) {
        var files = Self.files()
        var disk = DiskSpace(used: Self.size)
        _ = files.apply(FileChange("a", .deleted), at: later, on: &disk)
        #expect(files["a"] == nil)
        let fact = files.apply(FileChange("a", kind), at: later, on: &disk)
        #expect(fact == .removed(path: "a"))
        #expect(disk.used == .zero)
        #expect(files["a"] == nil)
    }

    @Test func `what replaces a file that is gone is a version that never was before`() {
        var files = Self.files()
        var disk = DiskSpace(used: Self.size)
        _ = files.apply(FileChange("a", .deleted), at: later, on: &disk)
        let fact = files.apply(FileChange("a", .replaced(by: Self.size)), at: later, on: &disk)
        #expect(
            fact == .stands(path: "a", version: FileVersion(file: 1, edit: 1), size: Self.size))
    }

    static let refusals: [(FileChange.Kind, DiskCondition.Change?, String)] = [
        (.grown(by: ByteCount(1)), .full(true), "the disk has no room for more"),
        (.grown(by: ByteCount(51)), nil, "the disk has no room for more"),
        (.replaced(by: ByteCount(101)), .full(true), "the disk has no room for more"),
        (.replaced(by: ByteCount(151)), nil, "the disk has no room for more"),
        (.edited, .writesFail(true), "the disk takes no write"),
        (.touched, .writesFail(true), "the disk takes no write"),
        (.deleted, .writesFail(true), "the disk takes no write"),
    ]

    @Test(arguments: refusals.indices)
    func `what the disk does not take leaves the file as it was, and is told`(row: Int) {
        let (kind, change, because) = Self.refusals[row]
        var files = Self.files()
        var disk = DiskSpace(capacity: ByteCount(150), used: Self.size)
        if let change { disk.condition.take(change) }
        let fact = files.apply(FileChange("a", kind), at: later, on: &disk)
        #expect(fact == .kept(path: "a", because: because))
        let file = LocalFiles.File(version: Self.first, size: Self.size, modified: 0)
        #expect(files["a"] == file)
        #expect(disk.used == Self.size)
    }

    static let taken: [(FileChange.Kind, UInt64)] = [
        (.edited, 100), (.truncated(to: ByteCount(40)), 40), (.replaced(by: ByteCount(90)), 90),
        (.deleted, 0), (.touched, 100),
    ]

    @Test(arguments: taken.indices)
    func `a full disk takes what does not grow, and has the room that is given back`(row: Int) {
        let (kind, used) = Self.taken[row]
        var files = Self.files()
        var disk = DiskSpace(used: Self.size)
        disk.condition.take(.full(true))
        let fact = files.apply(FileChange("a", kind), at: later, on: &disk)
        if case .kept = fact { Issue.record("\(fact)") }
        #expect(disk.used == ByteCount(used))
        #expect(files["a"]?.size ?? .zero == ByteCount(used))
    }

    private static func files() -> LocalFiles {
        LocalFiles([PlannedFile(path: "a", version: first, size: size)])
    }
}
