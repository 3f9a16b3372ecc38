package import Device
package import Quantities
package import QueueStorage

/// The virtual disk as a live process sees it, limited by the room on its phone. It refuses
/// everything after the process has died, even when SQLite closes its files.
package final class VirtualDiskMedium: StorageMedium {
    private var disk: VirtualDisk
    private let phone: PhoneDisk
    private var isDetached = false
    private let isOfApp: Bool
    /// Whether the process died in the middle of a change.
    private(set) var isCutOff = false

    /// Creates a medium. Without a phone there is room for everything.
    package init(_ disk: VirtualDisk, of phone: PhoneDisk? = nil, isOfApp: Bool = true) {
        self.isOfApp = isOfApp
        self.disk = disk
        self.phone = phone ?? PhoneDisk(DiskSpace(used: disk.size))
    }

    /// Returns the disk of a process that has died.
    package func detach() -> VirtualDisk {
        isDetached = true
        defer { disk = VirtualDisk() }
        return disk
    }

    package func file(named name: String) throws(StorageFailure) -> StorageFile? {
        try requireDisk()
        return disk.file(named: name).map { StorageFile($0.number) }
    }

    package func create(_ name: String) throws(StorageFailure) -> StorageFile {
        try require(.create)
        return StorageFile(disk.create(name).number)
    }

    package func size(of file: StorageFile) throws(StorageFailure) -> ByteCount {
        try requireDisk()
        return disk.size(of: number(file))
    }

    package func read(
        _ file: StorageFile, at offset: ByteCount, count: Int
    ) throws(StorageFailure) -> ArraySlice<UInt8> {
        try require(.read)
        return disk.read(number(file), at: offset, count: count)
    }

    package func write(
        _ bytes: [UInt8], to file: StorageFile, at offset: ByteCount
    ) throws(StorageFailure) {
        try requireDisk()
        let size = disk.size(of: number(file))
        try requireLife()
        try requireRoom(from: size, to: max(size, offset + ByteCount(UInt64(bytes.count))))
        disk.write(bytes, to: number(file), at: offset)
    }

    package func truncate(_ file: StorageFile, to size: ByteCount) throws(StorageFailure) {
        try requireLife()
        try requireRoom(from: disk.size(of: number(file)), to: size)
        disk.truncate(number(file), to: size)
    }

    package func sync(_ file: StorageFile) throws(StorageFailure) {
        try require(.sync)
        disk.sync(number(file))
    }

    package func delete(_ name: String) throws(StorageFailure) {
        try require(.delete)
        if let file = disk.file(named: name) {
            phone.space.changed(from: disk.size(of: file), to: .zero)
        }
        disk.delete(name)
    }

    package func rename(_ name: String, to newName: String) throws(StorageFailure) {
        // A rename needs another name, but no new file.
        try require(.create)
        if let replaced = disk.file(named: newName) {
            phone.space.changed(from: disk.size(of: replaced), to: .zero)
        }
        disk.rename(name, to: newName)
    }

    package func syncNames() throws(StorageFailure) {
        try require(.sync)
        disk.syncNames()
    }

    private func number(_ file: StorageFile) -> VirtualDisk.FileNumber {
        VirtualDisk.FileNumber(file.number)
    }

    private func requireDisk() throws(StorageFailure) {
        if isDetached || isCutOff { throw .detached }
    }

    /// Counts a write; throws if the process dies at it.
    private func requireLife() throws(StorageFailure) {
        try requireDisk()
        guard !phone.admitsWrite(isOfApp: isOfApp) else { return }
        isCutOff = true
        throw .detached
    }

    private func require(_ operation: DiskCondition.Operation) throws(StorageFailure) {
        if operation == .read { try requireDisk() } else { try requireLife() }
        do throws(DiskRefusal) { try phone.space.permit(operation) } catch {
            throw StorageFailure(error)
        }
    }

    private func requireRoom(
        from size: ByteCount, to newSize: ByteCount
    ) throws(StorageFailure) {
        do throws(DiskRefusal) {
            try phone.space.permitWrite(from: size, to: newSize)
        } catch {
            throw StorageFailure(error)
        }
    }
}

extension StorageFailure {
    fileprivate init(_ refusal: DiskRefusal) {
        self =
            switch refusal {
            case .noSpace: .noSpace
            case .readFails: .readFails
            case .writeFails: .writeFails
            }
    }
}
