import Device
import Glibc
import Quantities
import QueueStorage
import TransferHost

/// A folder of this machine as the medium of a process's store, on a disk that may refuse. Without
/// rules for the disk, SQLite uses the files directly.
final class FolderMedium: StorageMedium {
    private let folder: String
    private let disk: SharedDisk
    private var files: [UInt32: OpenFile] = [:]
    private var numbers: [String: UInt32] = [:]
    private var lastNumber: UInt32 = 0

    init(_ folder: String, on disk: SharedDisk) {
        self.folder = folder
        self.disk = disk
    }

    func file(named name: String) throws(StorageFailure) -> StorageFile? {
        if let number = numbers[name] { return StorageFile(number) }
        do throws(SystemError) {
            return hold(try Descriptor(opening: path(of: name), O_RDWR), as: name)
        } catch {
            if error.code == ENOENT { return nil }
            throw StorageFailure(error, orElse: .readFails)
        }
    }

    func create(_ name: String) throws(StorageFailure) -> StorageFile {
        try permit(.create)
        return try attempt(orElse: .writeFails) { () throws(SystemError) in
            let flags = O_RDWR | O_CREAT | O_EXCL
            return hold(try Descriptor(opening: path(of: name), flags), as: name)
        }
    }

    func size(of file: StorageFile) throws(StorageFailure) -> ByteCount {
        try attempt(orElse: .readFails) { () throws(SystemError) in
            ByteCount(UInt64(try open(file).descriptor.status().st_size))
        }
    }

    func read(
        _ file: StorageFile, at offset: ByteCount, count: Int
    ) throws(StorageFailure) -> ArraySlice<UInt8> {
        try permit(.read)
        return try attempt(orElse: .readFails) { () throws(SystemError) in
            try open(file).descriptor.bytes(atMost: count, at: offset.bytes)[...]
        }
    }

    func write(
        _ bytes: [UInt8], to file: StorageFile, at offset: ByteCount
    ) throws(StorageFailure) {
        let size = try size(of: file)
        try permitWrite(from: size, to: max(size, offset + ByteCount(UInt64(bytes.count))))
        try attempt(orElse: .writeFails) { () throws(SystemError) in
            try open(file).descriptor.write(bytes, at: offset.bytes)
        }
    }

    func truncate(_ file: StorageFile, to size: ByteCount) throws(StorageFailure) {
        try permitWrite(from: try self.size(of: file), to: size)
        try require(ftruncate(open(file).descriptor.number, off_t(size.bytes)), "cut the store")
    }

    func sync(_ file: StorageFile) throws(StorageFailure) {
        try permit(.sync)
        try attempt(orElse: .writeFails) { () throws(SystemError) in
            try open(file).descriptor.synchronise()
        }
    }

    func delete(_ name: String) throws(StorageFailure) {
        try permit(.delete)
        try require(unlink(path(of: name)), "delete \(name)")
        forget(name)
    }

    func rename(_ name: String, to newName: String) throws(StorageFailure) {
        // A rename makes another name, not another file.
        try permit(.create)
        try require(Glibc.rename(path(of: name), path(of: newName)), "rename \(name)")
        forget(newName)
        numbers[newName] = numbers.removeValue(forKey: name)
    }

    func syncNames() throws(StorageFailure) {
        try permit(.sync)
        try attempt(orElse: .writeFails) { () throws(SystemError) in
            try Descriptor(opening: folder, O_RDONLY | O_DIRECTORY).synchronise()
        }
    }

    // MARK: Files by their numbers

    private func path(of name: String) -> String { folder + "/" + name }

    private func hold(_ descriptor: consuming Descriptor, as name: String) -> StorageFile {
        lastNumber += 1
        files[lastNumber] = OpenFile(descriptor)
        numbers[name] = lastNumber
        return StorageFile(lastNumber)
    }

    private func forget(_ name: String) {
        if let number = numbers.removeValue(forKey: name) { files[number] = nil }
    }

    private func open(_ file: StorageFile) -> OpenFile {
        guard let open = files[file.number] else { preconditionFailure("no file \(file.number)") }
        return open
    }

    // MARK: What the disk allows, and what the machine does

    private func permit(_ operation: DiskCondition.Operation) throws(StorageFailure) {
        do throws(DiskRefusal) { try disk.permit(operation) } catch { throw StorageFailure(error) }
    }

    private func permitWrite(
        from size: ByteCount, to newSize: ByteCount
    ) throws(StorageFailure) {
        do throws(DiskRefusal) {
            try disk.permitWrite(from: size, to: newSize)
        } catch {
            throw StorageFailure(error)
        }
    }

    private func attempt<Result>(
        orElse failure: StorageFailure, _ body: () throws(SystemError) -> Result
    ) throws(StorageFailure) -> Result {
        do throws(SystemError) { return try body() } catch {
            throw StorageFailure(error, orElse: failure)
        }
    }

    private func require(_ code: Int32, _ action: String) throws(StorageFailure) {
        if code != 0 { throw StorageFailure(SystemError(action), orElse: .writeFails) }
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

    /// An error of this machine's disk is an error of the phone's.
    fileprivate init(_ error: SystemError, orElse failure: StorageFailure) {
        self = [ENOSPC, EDQUOT].contains(error.code) ? .noSpace : failure
    }
}

extension QueueStore.Place {
    /// SQLite uses the files directly, unless the disk has rules.
    static func folder(_ folder: String, on disk: SharedDisk?) -> QueueStore.Place {
        disk.map { .medium(FolderMedium(folder, on: $0)) } ?? .directory(folder)
    }
}
