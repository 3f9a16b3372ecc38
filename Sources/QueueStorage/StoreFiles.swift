import CSQLite
import Quantities

/// The files of one store, by their names: the store itself, its journal, and what stands beside
/// them while a damaged store is set aside.
struct StoreFiles {
    private let name: String
    let place: QueueStore.Place

    /// What stands behind the store's own name.
    enum File: Hashable {
        case store
        /// Whole, and about to take the store's place.
        case successor
        /// Set aside, counted from 1.
        case damaged(Int)
        indirect case journal(of: File)

        fileprivate var ending: String {
            switch self {
            case .store: ""
            case .successor: ".new"
            case .damaged(let number): ".damaged-\(number)"
            // As SQLite names it.
            case .journal(let file): file.ending + "-journal"
            }
        }
    }

    init(_ name: String, on place: QueueStore.Place) {
        self.name = name
        self.place = place
    }

    /// `nil`: they are this machine's.
    var medium: (any StorageMedium)? {
        switch place {
        case .medium(let medium): medium
        case .directory: nil
        }
    }

    /// Without the directory that they all stand in.
    func name(of file: File) -> String { name + file.ending }

    func path(of file: File) -> String {
        switch place {
        case .medium: name(of: file)
        case .directory(let directory): directory + "/" + name(of: file)
        }
    }

    func exists(_ file: File) throws(StoreError) -> Bool {
        try carryOut(of: file) { medium throws(StorageFailure) in
            try medium.file(named: name(of: file)) != nil
        } here: {
            csqlite_exists(path(of: file)) != 0
        }
    }

    /// All of it.
    func bytes(of file: File) throws(StoreError) -> [UInt8] {
        try carryOut(of: file) { medium throws(StorageFailure) in
            guard let found = try medium.file(named: name(of: file)) else { return [] }
            let size = try medium.size(of: found)
            return Array(try medium.read(found, at: .zero, count: Int(size.bytes)))
        } here: {
            var count = 0
            guard let contents = csqlite_contents(path(of: file), &count) else { return [] }
            defer { sqlite3_free(contents) }
            return Array(UnsafeBufferPointer(start: contents, count: count))
        }
    }

    func rename(_ file: File, to newFile: File) throws(StoreError) {
        let code: Int32 = try carryOut(of: file) { medium throws(StorageFailure) in
            try medium.rename(name(of: file), to: name(of: newFile))
            return 0
        } here: {
            csqlite_rename(path(of: file), path(of: newFile))
        }
        try requireZero(code, of: file)
    }

    /// If it is there.
    func remove(_ file: File) throws(StoreError) {
        guard try exists(file) else { return }
        let code: Int32 = try carryOut(of: file) { medium throws(StorageFailure) in
            try medium.delete(name(of: file))
            return 0
        } here: {
            csqlite_remove(path(of: file))
        }
        try requireZero(code, of: file)
    }

    /// What was done to the names survives a loss of power from then on.
    func syncNames() throws(StoreError) {
        let code: Int32 = try carryOut(of: .store) { medium throws(StorageFailure) in
            try medium.syncNames()
            return 0
        } here: {
            guard case .directory(let directory) = place else { return 0 }
            return csqlite_sync_directory(directory)
        }
        try requireZero(code, of: .store)
    }

    private func carryOut<Answer>(
        of file: File, _ onMedium: (any StorageMedium) throws(StorageFailure) -> Answer,
        here: () -> Answer
    ) throws(StoreError) -> Answer {
        guard let medium else { return here() }
        do throws(StorageFailure) {
            return try onMedium(medium)
        } catch {
            switch error {
            case .noSpace: throw .noSpace(path: path(of: file))
            case .detached, .readFails, .writeFails:
                throw .failed(path: path(of: file), reason: "the disk refused (\(error))")
            }
        }
    }

    private func requireZero(_ code: Int32, of file: File) throws(StoreError) {
        guard code != 0 else { return }
        throw .failed(path: path(of: file), reason: "the system refused (error \(code))")
    }
}
