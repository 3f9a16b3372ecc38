import Device
import Foundation
import Glibc
import Quantities
import TransferHost

/// The disk of a live run's phone, shared by the run and the phone's processes. Its rules are the
/// model's, but its files are real.
///
/// Its condition is in a small file: a suspended process meets it as soon as it goes on.
final class SharedDisk {
    private let notice: Descriptor
    let place: Place

    struct Place: Hashable, Sendable, Codable {
        /// The file that holds the condition.
        var notice: String
        /// The folder of everything on the disk.
        var folder: String
        /// In bytes; `nil`: unlimited.
        var capacity: UInt64?
    }

    /// Makes a sound disk.
    init(making place: Place) throws(SystemError) {
        self.place = place
        notice = try Descriptor(opening: place.notice, O_RDWR | O_CREAT | O_EXCL)
        try set(DiskCondition())
    }

    init(at place: Place) throws(SystemError) {
        self.place = place
        notice = try Descriptor(opening: place.notice, O_RDONLY)
    }

    func set(_ condition: DiskCondition) throws(SystemError) {
        try notice.write([condition.notice], at: 0)
    }

    /// Whether the disk has any rules.
    var mayRefuse: Bool { place.capacity != nil || condition != DiskCondition() }

    func permit(_ operation: DiskCondition.Operation) throws(DiskRefusal) {
        if let refusal = condition.refusal(of: operation) { throw refusal }
    }

    /// Asks before a file is resized or overwritten. Two processes that ask at the same instant may
    /// both get the last of the room.
    func permitWrite(from size: ByteCount, to newSize: ByteCount) throws(DiskRefusal) {
        var space = space(isCounted: newSize > size)
        try space.permitWrite(from: size, to: newSize)
    }

    var space: DiskSpace { space(isCounted: true) }

    private func space(isCounted: Bool) -> DiskSpace {
        let capacity = place.capacity.map(ByteCount.init)
        var space = DiskSpace(
            capacity: capacity, used: isCounted && capacity != nil ? used : .zero)
        space.condition = condition
        return space
    }

    private var condition: DiskCondition {
        guard let byte = (try? notice.bytes(atMost: 1))?.first else {
            preconditionFailure("the state of the disk is unknown: \(place.notice)")
        }
        return DiskCondition(notice: byte)
    }

    /// The room that files take; a file with two names counts once.
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
    /// Without a disk of the plan, everything is permitted.
    func permits(_ operation: DiskCondition.Operation) -> Bool {
        guard let self else { return true }
        return (try? self.permit(operation)) != nil
    }
}

extension DiskCondition {
    /// One byte, which is written and read atomically.
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
