import DocrootServer
import Glibc
import TransferHost

/// The folder beside the objects that readers never see. It holds uploads, and data that outlives
/// the server.
final class Workshop: Sendable {
    let folder: Descriptor
    let order: DiskOrder
    private let path: String

    init(at path: String, _ order: DiskOrder) throws(SystemError) {
        self.path = path
        self.order = order
        folder = try Descriptor(opening: path, O_RDONLY | O_DIRECTORY)
    }

    /// Carries out a step that concerns this folder alone; may wait for the disk.
    func carryOut(_ step: DiskStep) throws(SystemError) {
        switch step {
        case .write(let file, let text):
            try open(file, O_WRONLY | O_CREAT | O_TRUNC).write(Array(text.utf8), at: 0)
        case .rename(let file, let target):
            let names = (file.workshopName, target.workshopName)
            guard renameat(folder.number, names.0, folder.number, names.1) == 0 else {
                throw SystemError("move \(path)/\(names.0) to \(names.1)")
            }
        case .remove(let file): unlinkat(folder.number, file.workshopName, 0)
        case .synchronise(let file): try open(file, O_RDONLY).synchronise()
        case .synchroniseWorkshop: try folder.synchronise()
        case .make, .mark, .stamp, .makeFolder, .synchroniseFolder, .settleFolder:
            preconditionFailure("\(step) needs more than the workshop")
        }
    }

    func confined() throws(SystemError) -> ConfinedFolder {
        ConfinedFolder(adopting: Descriptor(adopting: try folder.duplicate()))
    }

    func open(_ file: DiskFile, _ flags: Int32) throws(SystemError) -> Descriptor {
        try Descriptor(opening: file.workshopName, in: folder, flags)
    }

    /// The text of a small file; empty if there is none.
    func text(of file: DiskFile) throws(SystemError) -> String {
        do throws(SystemError) {
            return String(decoding: try open(file, O_RDONLY).bytes(atMost: 8192), as: UTF8.self)
        } catch {
            guard error.code == ENOENT else { throw error }
            return ""
        }
    }
}

/// A file that stays open as long as anybody refers to it.
final class OpenFile: Sendable {
    let descriptor: Descriptor
    init(_ descriptor: consuming Descriptor) { self.descriptor = descriptor }
}
