package import Quantities

/// One operation on the disk of a docroot.
///
/// Until a file is synchronised, a loss of power may take any of its bytes and attributes. Until a
/// folder is synchronised, it may undo any change of its names. Operations that were not
/// synchronised reach the disk in any order.
package enum DiskStep: Hashable, Sendable {
    /// Makes an empty file.
    case make(DiskFile)
    /// Writes a small file, new or in place of its old content.
    case write(DiskFile, String)
    /// Notes beside the bytes of an upload how many of them are durable.
    case mark(UploadID, ByteCount)
    /// Gives the bytes of an upload the version and properties of its future object.
    case stamp(UploadID, for: ObjectPath)
    /// Makes a folder unless it exists.
    case makeFolder(ObjectPath)
    case rename(DiskFile, to: DiskFile)
    case remove(DiskFile)
    case synchronise(DiskFile)
    case synchroniseWorkshop
    case synchroniseFolder(ObjectPath)
    /// Waits until a folder's own name is durable, unless that is known: see `SettledFolders`.
    case settleFolder(ObjectPath)
}

/// A file by its purpose.
package enum DiskFile: Hashable, Sendable {
    /// The bytes of an upload, beside the docroot.
    case staged(UploadID)
    case record(UploadID)
    /// A record that replaces another.
    case newRecord(UploadID)
    case counter(CounterName)
    case newCounter(CounterName)
    case object(ObjectPath)

    /// The file's name in the workshop, a folder beside the objects that no reader sees.
    package var workshopName: String {
        switch self {
        case .staged(let upload): "\(upload.number)"
        case .record(let upload): "\(upload.number).upload"
        case .newRecord(let upload): "\(upload.number).upload.new"
        case .counter(let name): name.rawValue
        case .newCounter(let name): name.rawValue + ".new"
        case .object(let path): preconditionFailure("\(path.text) is in no workshop")
        }
    }
}

/// A growing number that the disk remembers.
package enum CounterName: String, Hashable, Sendable, CaseIterable {
    /// The number up to which uploads are spent.
    case uploads
    /// The number up to which versions of objects are spent.
    case versions
}
