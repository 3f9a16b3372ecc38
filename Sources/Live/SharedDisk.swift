import Device
import Foundation
import Glibc
import Quantities

/// The disk of a live run's phone, as the run and the processes on the phone share it: its rules
/// are the model's, and the files that they are for are real ones.
///
/// How it is stands in a small file: a process that stood still meets it as soon as it goes on.
final class SharedDisk {
    private let notice: Descriptor
    let place: Place

    /// Where its processes find it.
    struct Place: Hashable, Sendable, Codable {
        /// The file that says how it is.
        var notice: String
        /// In which all that is on it stands.
        var folder: String
        /// In bytes; `nil`: there is always enough.
        var capacity: UInt64?
    }

    /// Sound, to begin with.
    init(making place: Place) throws(SystemError) {
        self.place = place
        notice = try Descriptor(opening: place.notice, O_RDWR | O_CREAT | O_EXCL)
        try set(DiskCondition())
    }

    init(at place: Place) throws(SystemError) {
        self.place = place
        notice = try Descriptor(opening: place.notice, O_RDONLY)
    }

    /// For all processes at once.
    func set(_ condition: DiskCondition) throws(SystemError) {
        try notice.write([condition.notice], at: 0)
    }

    /// Nothing is asked of the rules where a disk has none.
    var mayRefuse: Bool { place.capacity != nil || condition != DiskCondition() }

    func permit(_ operation: DiskCondition.Operation) throws(DiskRefusal) {
        if let refusal = condition.refusal(of: operation) { throw refusal }
    }

    /// A file is about to have another size, or other bytes where the size stays. Two processes
    /// that ask at the same instant may both be given the last of the room.
    func permitWrite(from size: ByteCount, to newSize: ByteCount) throws(DiskRefusal) {
        var space = space(isCounted: newSize > size)
        try space.permitWrite(from: size, to: newSize)
    }

    /// What there is of it, and how it is.
    var space: DiskSpace { space(isCounted: true) }

    private func space(isCounted: Bool) -> DiskSpace {
        let capacity = place.capacity.map(ByteCount.init)
        var space = DiskSpace(
            capacity: capacity, used: isCounted && capacity != nil ? used : .zero)
        space.condition = condition
        return space
    }

    private var condition: DiskCondition {
        var byte: UInt8 = 0
        let count = withUnsafeMutableBytes(of: &byte) { try? notice.read(into: $0, at: 0) }
        precondition(count == 1, "the state of the disk is unknown: \(place.notice)")
        return DiskCondition(notice: byte)
    }

    /// A file with two names takes its room once.
    private var used: ByteCount {
        let names = FileManager.default.enumerator(atPath: place.folder)
        var (seen, size): (Set<ino_t>, UInt64) = ([], 0)
        while let name = names?.nextObject() as? String {
            var status = stat()
            guard lstat(place.folder + "/" + name, &status) == 0,
                status.st_mode & S_IFMT == S_IFREG, seen.insert(status.st_ino).inserted
            else { continue }
            size += UInt64(status.st_size)
        }
        return ByteCount(size)
    }
}

extension SharedDisk? {
    /// A folder that is on none of the plan's disks takes and gives everything.
    func permits(_ operation: DiskCondition.Operation) -> Bool {
        guard let self else { return true }
        return (try? self.permit(operation)) != nil
    }
}

extension DiskCondition {
    /// A byte is written and read at once.
    fileprivate var notice: UInt8 {
        (isFull ? 1 : 0) | (writesFail ? 2 : 0) | (readsFail ? 4 : 0)
    }

    fileprivate init(notice: UInt8) {
        self.init()
        take(.full(notice & 1 != 0))
        take(.writesFail(notice & 2 != 0))
        take(.readsFail(notice & 4 != 0))
    }
}
