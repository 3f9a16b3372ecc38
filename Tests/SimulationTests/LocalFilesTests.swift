import Content
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
        let fact = files.apply(FileChange("a", kind), at: later)
        let next = FileVersion(file: 1, edit: 1)
        #expect(fact == .stands(path: "a", version: next, size: ByteCount(size)))
        let file = LocalFiles.File(
            version: next, size: ByteCount(size), modified: isDated ? 3_000_000_000 : 0)
        #expect(files["a"] == file)
    }

    @Test func `a touch gives the same bytes a new date, even twice at one moment`() {
        var files = Self.files()
        for date in [3_000_000_000, 3_000_000_001] as [UInt64] {
            #expect(files.apply(FileChange("a", .touched), at: later) == .touched(path: "a"))
            let file = LocalFiles.File(version: Self.first, size: Self.size, modified: date)
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
        _ = files.apply(FileChange("a", .deleted), at: later)
        #expect(files["a"] == nil)
        #expect(files.apply(FileChange("a", kind), at: later) == .removed(path: "a"))
        #expect(files["a"] == nil)
    }

    @Test func `what replaces a file that is gone is a version that never was before`() {
        var files = Self.files()
        _ = files.apply(FileChange("a", .deleted), at: later)
        let fact = files.apply(FileChange("a", .replaced(by: Self.size)), at: later)
        #expect(
            fact == .stands(path: "a", version: FileVersion(file: 1, edit: 1), size: Self.size))
    }

    private static func files() -> LocalFiles {
        LocalFiles([PlannedFile(path: "a", version: first, size: size)])
    }
}
