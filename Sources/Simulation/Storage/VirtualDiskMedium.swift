package import Device
package import Quantities
package import QueueStorage

/// The virtual disk as a live process sees it. When the process dies the disk is taken away:
/// whatever the dead process still tries, such as SQLite closing its files, is refused.
package final class VirtualDiskMedium: StorageMedium {
    private var disk: VirtualDisk
    private var isDetached = false

    package init(_ disk: VirtualDisk) { self.disk = disk }

    /// The process is dead; its disk goes back to the device with all that was written.
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
        try requireDisk()
        return StorageFile(disk.create(name).number)
    }

    package func size(of file: StorageFile) throws(StorageFailure) -> ByteCount {
        try requireDisk()
        return disk.size(of: number(file))
    }

    package func read(
        _ file: StorageFile, at offset: ByteCount, count: Int
    ) throws(StorageFailure) -> ArraySlice<UInt8> {
        try requireDisk()
        return disk.read(number(file), at: offset, count: count)
    }

    package func write(
        _ bytes: [UInt8], to file: StorageFile, at offset: ByteCount
    ) throws(StorageFailure) {
        try requireDisk()
        disk.write(bytes, to: number(file), at: offset)
    }

    package func truncate(_ file: StorageFile, to size: ByteCount) throws(StorageFailure) {
        try requireDisk()
        disk.truncate(number(file), to: size)
    }

    package func sync(_ file: StorageFile) throws(StorageFailure) {
        try requireDisk()
        disk.sync(number(file))
    }

    package func delete(_ name: String) throws(StorageFailure) {
        try requireDisk()
        disk.delete(name)
    }

    package func syncNames() throws(StorageFailure) {
        try requireDisk()
        disk.syncNames()
    }

    private func number(_ file: StorageFile) -> VirtualDisk.FileNumber {
        VirtualDisk.FileNumber(file.number)
    }

    private func requireDisk() throws(StorageFailure) {
        if isDetached { throw .detached }
    }
}
