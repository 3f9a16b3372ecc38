package import Quantities

/// Where SQLite's files are, when it is not the file system of this machine: a directory of named
/// files with the verbs of a disk.
///
/// A write is promised to survive a loss of power once its file has been synced, a creation, a
/// deletion or a new name once the names have been; a killed process loses none of them.
package protocol StorageMedium: AnyObject {
    func file(named name: String) throws(StorageFailure) -> StorageFile?
    /// An empty file; there must be none of that name.
    func create(_ name: String) throws(StorageFailure) -> StorageFile
    func size(of file: StorageFile) throws(StorageFailure) -> ByteCount

    /// As many bytes as there are, at most `count`.
    func read(
        _ file: StorageFile, at offset: ByteCount, count: Int
    ) throws(StorageFailure) -> ArraySlice<UInt8>

    /// A gap between the end of the file and the offset reads as zeros.
    func write(
        _ bytes: [UInt8], to file: StorageFile, at offset: ByteCount
    ) throws(StorageFailure)
    func truncate(_ file: StorageFile, to size: ByteCount) throws(StorageFailure)
    func sync(_ file: StorageFile) throws(StorageFailure)
    func delete(_ name: String) throws(StorageFailure)
    /// From one moment to the next; another file of the new name is gone by it.
    func rename(_ name: String, to newName: String) throws(StorageFailure)
    func syncNames() throws(StorageFailure)
}

/// A file of a medium, as the medium knows it.
package struct StorageFile: Hashable, Sendable {
    package var number: UInt32
    package init(_ number: UInt32) { self.number = number }
}

/// Why a medium did not do what it was asked.
package enum StorageFailure: Error, Hashable, Sendable {
    /// The process that the medium served is dead: nothing it still asks may reach the disk.
    case detached
    case noSpace
    case readFails
    case writeFails
}
