import Device
import Quantities
import QueueStorage
import Simulation

/// A virtual disk on which things go wrong on purpose, and that remembers what it was asked.
final class FaultyMedium: StorageMedium {
    /// From then on nothing reaches the disk: the power is gone.
    var operationsUntilPowerLoss: Int?
    /// Of a write that is cut off so many sectors of 512 bytes have been made by then.
    var sectorsOfLastWrite: Int?
    /// Whether the last write was cut off with some of it made and some not.
    private(set) var hasTornWrite = false
    /// A disk that says it has synced and has not: what `synchronous=OFF` would leave.
    var ignoresSync = false
    /// The same for names only: what a program does that syncs its files, but not their directory.
    var ignoresSyncOfNames = false
    var isFull = false
    private(set) var operations: [Operation] = []
    /// Something was refused for good: nothing that is still tried leaves a trace.
    private var isDead = false
    private let disk: VirtualDiskMedium

    enum Operation: Hashable {
        case created(String)
        case wrote(StorageFile, at: ByteCount, count: Int)
        case truncated(StorageFile, to: ByteCount)
        case synced(StorageFile)
        case deleted(String)
        case renamed(String, to: String)
        case syncedNames
    }

    init(_ disk: VirtualDisk = VirtualDisk()) { self.disk = VirtualDiskMedium(disk) }

    func detach() -> VirtualDisk { disk.detach() }

    func file(named name: String) throws(StorageFailure) -> StorageFile? {
        try disk.file(named: name)
    }

    func create(_ name: String) throws(StorageFailure) -> StorageFile {
        try count(.created(name))
        return try disk.create(name)
    }

    func size(of file: StorageFile) throws(StorageFailure) -> ByteCount { try disk.size(of: file) }

    func read(
        _ file: StorageFile, at offset: ByteCount, count: Int
    ) throws(StorageFailure) -> ArraySlice<UInt8> {
        try disk.read(file, at: offset, count: count)
    }

    func write(
        _ bytes: [UInt8], to file: StorageFile, at offset: ByteCount
    ) throws(StorageFailure) {
        if isOver, !isDead, let sectorsOfLastWrite {
            let made = min(512 * sectorsOfLastWrite, bytes.count)
            hasTornWrite = made < bytes.count
            try disk.write(Array(bytes[..<made]), to: file, at: offset)
        }
        try count(.wrote(file, at: offset, count: bytes.count))
        if isFull, try disk.size(of: file) < offset + ByteCount(UInt64(bytes.count)) {
            throw .noSpace
        }
        try disk.write(bytes, to: file, at: offset)
    }

    func truncate(_ file: StorageFile, to size: ByteCount) throws(StorageFailure) {
        try count(.truncated(file, to: size))
        try disk.truncate(file, to: size)
    }

    func sync(_ file: StorageFile) throws(StorageFailure) {
        try count(.synced(file))
        if !ignoresSync { try disk.sync(file) }
    }

    func delete(_ name: String) throws(StorageFailure) {
        try count(.deleted(name))
        try disk.delete(name)
    }

    func rename(_ name: String, to newName: String) throws(StorageFailure) {
        try count(.renamed(name, to: newName))
        try disk.rename(name, to: newName)
    }

    func syncNames() throws(StorageFailure) {
        try count(.syncedNames)
        if !ignoresSync, !ignoresSyncOfNames { try disk.syncNames() }
    }

    private func count(_ operation: Operation) throws(StorageFailure) {
        if isOver {
            isDead = true
            throw .detached
        }
        operations.append(operation)
    }

    private var isOver: Bool { operationsUntilPowerLoss.map { operations.count >= $0 } ?? false }
}
