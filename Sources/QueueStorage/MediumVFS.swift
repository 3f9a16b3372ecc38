// SQLite's file system interface (sqlite.org/vfs.html) is tables of C functions over raw pointers;
// none of them leaves this file.
import CSQLite
import Quantities

/// A file system for one open store, registered with SQLite under a name of its own, on a
/// `StorageMedium`.
///
/// Locks are no-ops: the store has one connection, and what a medium serves is one process. SQLite
/// seeds the randomness in its journals' checksums once per process, not from here: those bytes
/// differ from run to run, but never what is written where, nor what is read back.
final class MediumVFS {
    let name: String
    private let medium: any StorageMedium
    private let table: UnsafeMutablePointer<sqlite3_vfs>

    /// The name lives as long as the table: two that live at a time have different addresses.
    private let cName: UnsafeMutablePointer<CChar>

    init(medium: any StorageMedium) {
        self.medium = medium
        table = .allocate(capacity: 1)
        name = "medium-\(UInt(bitPattern: table))"
        let characters = Array(name.utf8CString)
        cName = .allocate(capacity: characters.count)
        cName.initialize(from: characters, count: characters.count)
        table.initialize(to: Self.emptyTable)
        table.pointee.zName = UnsafePointer(cName)
        table.pointee.pAppData = Unmanaged.passUnretained(self).toOpaque()
        let code = sqlite3_vfs_register(table, 0)
        precondition(code == SQLITE_OK, "SQLite refused a file system: code \(code)")
    }

    /// To be called after the last file has been closed.
    deinit {
        sqlite3_vfs_unregister(table)
        table.deallocate()
        cName.deallocate()
    }

    /// Carries out one call of SQLite's; a refusal of the medium becomes SQLite's code for it,
    /// which says what could not be done unless there is no space.
    private func carryOut(
        orElse code: Int32, _ body: (any StorageMedium) throws(StorageFailure) -> Int32
    ) -> Int32 {
        do throws(StorageFailure) {
            return try body(medium)
        } catch {
            return switch error {
            case .noSpace: SQLITE_FULL
            case .detached, .readFails, .writeFails: code
            }
        }
    }

    private func open(
        _ path: UnsafePointer<CChar>?, _ file: UnsafeMutablePointer<sqlite3_file>, _ flags: Int32
    ) -> Int32 {
        // Without a name it would be a temporary file; the store is set up to need none.
        guard let path else { return SQLITE_CANTOPEN }
        file.pointee.pMethods = nil
        return carryOut(orElse: SQLITE_CANTOPEN) { medium throws(StorageFailure) in
            let name = String(cString: path)
            let existing = try medium.file(named: name)
            guard existing != nil || flags & SQLITE_OPEN_CREATE != 0 else { return SQLITE_CANTOPEN }
            let opened = if let existing { existing } else { try medium.create(name) }
            // As in SQLite's own file system: the first sync of a new journal also syncs its name.
            let isJournal = flags & (SQLITE_OPEN_MAIN_JOURNAL | SQLITE_OPEN_WAL) != 0
            UnsafeMutableRawPointer(file).assumingMemoryBound(to: MediumFile.self).initialize(
                to: MediumFile(
                    base: sqlite3_file(pMethods: Self.methods),
                    vfs: Unmanaged.passUnretained(self).toOpaque(), number: opened.number,
                    nameIsUnsynced: existing == nil && isJournal ? 1 : 0))
            return SQLITE_OK
        }
    }

    private func delete(_ path: UnsafePointer<CChar>, syncNames: Bool) -> Int32 {
        carryOut(orElse: Self.deleteError) { medium throws(StorageFailure) in
            let name = String(cString: path)
            guard try medium.file(named: name) != nil else { return Self.deleteNoEntry }
            try medium.delete(name)
            if syncNames { try medium.syncNames() }
            return SQLITE_OK
        }
    }

    private static let readError = SQLITE_IOERR | (1 << 8)
    private static let shortRead = SQLITE_IOERR | (2 << 8)
    private static let writeError = SQLITE_IOERR | (3 << 8)
    private static let syncError = SQLITE_IOERR | (4 << 8)
    private static let truncateError = SQLITE_IOERR | (6 << 8)
    private static let sizeError = SQLITE_IOERR | (7 << 8)
    private static let deleteError = SQLITE_IOERR | (10 << 8)
    private static let accessError = SQLITE_IOERR | (13 << 8)
    private static let deleteNoEntry = SQLITE_IOERR | (23 << 8)
}

// MARK: - The table of the file system

extension MediumVFS {
    private static func of(_ table: UnsafeMutablePointer<sqlite3_vfs>?) -> MediumVFS {
        guard let pointer = table?.pointee.pAppData else {
            preconditionFailure("SQLite called a file system that was not registered")
        }
        return Unmanaged<MediumVFS>.fromOpaque(pointer).takeUnretainedValue()
    }

    /// Time stands still and chance has no choice: nothing of the store may depend on either.
    private static var emptyTable: sqlite3_vfs {
        var table = sqlite3_vfs()
        table.iVersion = 2
        table.szOsFile = Int32(MemoryLayout<MediumFile>.size)
        table.mxPathname = 512
        table.xOpen = { vfs, path, file, flags, outFlags in
            guard let file else { return SQLITE_CANTOPEN }
            let code = MediumVFS.of(vfs).open(path, file, flags)
            if code == SQLITE_OK, let outFlags { outFlags.pointee = flags }
            return code
        }
        table.xDelete = { vfs, path, syncNames in
            guard let path else { return MediumVFS.deleteError }
            return MediumVFS.of(vfs).delete(path, syncNames: syncNames != 0)
        }
        table.xAccess = { vfs, path, _, answer in
            guard let path, let answer else { return MediumVFS.accessError }
            return MediumVFS.of(vfs).carryOut(orElse: MediumVFS.accessError) {
                medium throws(StorageFailure) in
                answer.pointee = try medium.file(named: String(cString: path)) == nil ? 0 : 1
                return SQLITE_OK
            }
        }
        table.xFullPathname = { _, path, capacity, answer in
            guard let path, let answer else { return SQLITE_CANTOPEN }
            let length = String(cString: path).utf8.count + 1
            guard length <= Int(capacity) else { return SQLITE_CANTOPEN }
            answer.update(from: path, count: length)
            return SQLITE_OK
        }
        table.xRandomness = { _, count, bytes in
            bytes?.update(repeating: 0, count: Int(count))
            return count
        }
        table.xSleep = { _, microseconds in microseconds }
        table.xCurrentTime = { _, julianDay in
            julianDay?.pointee = 2_440_587.5
            return SQLITE_OK
        }
        table.xCurrentTimeInt64 = { _, julianMilliseconds in
            julianMilliseconds?.pointee = 210_866_760_000_000
            return SQLITE_OK
        }
        table.xGetLastError = { _, _, _ in 0 }
        return table
    }
}

// MARK: - The table of an open file

extension MediumVFS {
    private static func of(
        _ file: UnsafeMutablePointer<sqlite3_file>?
    ) -> (UnsafeMutablePointer<MediumFile>, MediumVFS) {
        guard let file else { preconditionFailure("SQLite named no file") }
        let open = UnsafeMutableRawPointer(file).assumingMemoryBound(to: MediumFile.self)
        return (open, Unmanaged<MediumVFS>.fromOpaque(open.pointee.vfs).takeUnretainedValue())
    }

    /// Made once and never changed: SQLite reads it from every thread.
    private nonisolated(unsafe) static let methods: UnsafePointer<sqlite3_io_methods> = {
        var table = sqlite3_io_methods()
        table.iVersion = 1
        table.xClose = { _ in SQLITE_OK }
        table.xRead = { file, bytes, count, offset in
            MediumVFS.read(file, into: bytes, count: Int(count), at: offset)
        }
        table.xWrite = { file, bytes, count, offset in
            let (open, vfs) = MediumVFS.of(file)
            return vfs.carryOut(orElse: MediumVFS.writeError) { medium throws(StorageFailure) in
                let bytes = [UInt8](UnsafeRawBufferPointer(start: bytes, count: Int(count)))
                let offset = ByteCount(UInt64(offset))
                try medium.write(bytes, to: StorageFile(open.pointee.number), at: offset)
                return SQLITE_OK
            }
        }
        table.xTruncate = { file, size in
            let (open, vfs) = MediumVFS.of(file)
            return vfs.carryOut(orElse: MediumVFS.truncateError) { medium throws(StorageFailure) in
                try medium.truncate(
                    StorageFile(open.pointee.number), to: ByteCount(UInt64(size)))
                return SQLITE_OK
            }
        }
        table.xSync = { file, _ in
            let (open, vfs) = MediumVFS.of(file)
            return vfs.carryOut(orElse: MediumVFS.syncError) { medium throws(StorageFailure) in
                try medium.sync(StorageFile(open.pointee.number))
                if open.pointee.nameIsUnsynced != 0 { try medium.syncNames() }
                open.pointee.nameIsUnsynced = 0
                return SQLITE_OK
            }
        }
        table.xFileSize = { file, answer in
            let (open, vfs) = MediumVFS.of(file)
            return vfs.carryOut(orElse: MediumVFS.sizeError) { medium throws(StorageFailure) in
                let size = try medium.size(of: StorageFile(open.pointee.number))
                answer?.pointee = Int64(size.bytes)
                return SQLITE_OK
            }
        }
        table.xLock = { _, _ in SQLITE_OK }
        table.xUnlock = { _, _ in SQLITE_OK }
        table.xCheckReservedLock = { _, isReserved in
            isReserved?.pointee = 0
            return SQLITE_OK
        }
        table.xFileControl = { _, _, _ in SQLITE_NOTFOUND }
        // As SQLite's own file system says of every disk: a torn write leaves its neighbours alone.
        table.xSectorSize = { _ in 4096 }
        table.xDeviceCharacteristics = { _ in SQLITE_IOCAP_POWERSAFE_OVERWRITE }
        let place = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)
        place.initialize(to: table)
        return UnsafePointer(place)
    }()

    /// What lies behind the end of the file reads as zeros, and SQLite wants to be told.
    private static func read(
        _ file: UnsafeMutablePointer<sqlite3_file>?, into bytes: UnsafeMutableRawPointer?,
        count: Int, at offset: Int64
    ) -> Int32 {
        let (open, vfs) = of(file)
        return vfs.carryOut(orElse: readError) { medium throws(StorageFailure) in
            let target = UnsafeMutableRawBufferPointer(start: bytes, count: count)
            let found = try medium.read(
                StorageFile(open.pointee.number), at: ByteCount(UInt64(offset)), count: count)
            target.copyBytes(from: found)
            guard found.count < count else { return SQLITE_OK }
            for index in found.count..<count { target[index] = 0 }
            return shortRead
        }
    }
}
