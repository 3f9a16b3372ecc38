package import Quantities

/// One thing that is done to the disk on which a docroot lies.
///
/// Until a file is synchronised, any part of its bytes and attributes may be lost with the power;
/// until a folder is, any of the names that were given or taken in it. Two steps that were not
/// synchronised come to the disk in whatever order it likes.
package enum DiskStep: Hashable, Sendable {
    /// An empty file under a new name.
    case make(DiskFile)
    /// All that a small file is to hold, under a new name or in place of what it held.
    case write(DiskFile, String)
    /// Notes beside the bytes of an upload that so many of them are durable.
    case mark(UploadID, ByteCount)
    /// Gives the bytes of an upload the version and the properties that their object is to have.
    case stamp(UploadID, for: ObjectPath)
    /// Unless it stands.
    case makeFolder(ObjectPath)
    case rename(DiskFile, to: DiskFile)
    case remove(DiskFile)
    case synchronise(DiskFile)
    case synchroniseWorkshop
    case synchroniseFolder(ObjectPath)
    /// Waits until a folder's own name is durable, unless that is known: see `SettledFolders`.
    case settleFolder(ObjectPath)
}

/// A file by what it is for.
package enum DiskFile: Hashable, Sendable {
    /// The bytes of an upload, beside the docroot.
    case staged(UploadID)
    case record(UploadID)
    /// A record that is to take the place of another.
    case newRecord(UploadID)
    case counter(CounterName)
    case newCounter(CounterName)
    case object(ObjectPath)

    /// Where it lies in the workshop, the folder beside the objects that no reader sees.
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

/// A number that grows and is remembered on the disk.
package enum CounterName: String, Hashable, Sendable, CaseIterable {
    /// Below which all numbers of uploads are spent.
    case uploads
    /// Below which all versions of objects are spent.
    case versions
}
