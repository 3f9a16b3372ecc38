import DocrootServer
import Glibc
import Quantities
import TransferHost

/// Uploads that an earlier server has left in the workshop.
extension StagingArea {
    /// Returns the uploads that go on, and removes rubbish.
    mutating func restore() throws(SystemError) -> ServerInput {
        let folder = try workshop.confined()
        var left: [RestoredUpload] = []
        let names = try folder.names()
        for name in names where name.hasSuffix(".upload") {
            let file = try Descriptor(opening: name, in: folder.descriptor, O_RDONLY)
            let line = String(decoding: try file.bytes(atMost: 8192), as: UTF8.self)
            guard let record = UploadRecord(line: line),
                DiskFile.record(record.id).workshopName == name
            else {
                try folder.removeTree(name)
                continue
            }
            left.append(try restored(record, in: folder))
        }
        let staged = left.map { DiskFile.staged($0.record.id).workshopName }
        let known = Set(CounterName.allCases.map(\.rawValue) + ["signing-key"] + staged)
        for name in names where !name.hasSuffix(".upload") && !known.contains(name) {
            try folder.removeTree(name)
        }
        // What another process had only written, published objects included, becomes durable by one
        // wait for the disk: one for each of many thousand uploads would take minutes.
        if workshop.order.isDurable, !left.isEmpty { try workshop.folder.synchroniseFileSystem() }
        return .restored(left, lastUpload: spentNumbers)
    }

    private mutating func restored(
        _ record: UploadRecord, in folder: borrowing ConfinedFolder
    ) throws(SystemError) -> RestoredUpload {
        let name = DiskFile.staged(record.id).workshopName
        guard let status = try folder.status(of: name) else {
            return RestoredUpload(
                record: record, staged: record.length ?? .zero, isPublished: true)
        }
        let file = try Descriptor(opening: name, in: folder.descriptor, O_RDWR)
        let length = ByteCount(UInt64(status.st_size))
        let certain = min(length, StagedMark.read(of: file) ?? length)
        guard certain == length || ftruncate(file.number, off_t(certain.bytes)) == 0 else {
            throw SystemError("shorten \(name)")
        }
        adopt(record.id, length: certain)
        return RestoredUpload(record: record, staged: certain, isPublished: false)
    }
}
