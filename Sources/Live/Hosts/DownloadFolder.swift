import Content
import Device
import Glibc
import Quantities
import TransferEngine
import TransferHost

/// The daemon's downloads, which are kept until their apps have heard of them; or the parts of an
/// app's resumable downloads.
struct DownloadFolder {
    private let parts: PartFolder
    private let disk: SharedDisk?
    private let versions: KnownVersions
    private var paths: [TransferID: String] = [:]

    init(in root: String, on disk: SharedDisk? = nil, recognising versions: KnownVersions) {
        self.disk = disk
        parts = PartFolder(in: root)
        self.versions = versions
    }

    /// Whether a path is the daemon's own: paths of apps are relative.
    static func holds(_ path: String) -> Bool { path.hasPrefix("/") }

    /// The place of a path on this machine.
    func place(of path: String) -> String { parts.place(of: path) }

    /// Puts segments in the place of everything behind an offset. Returns the new length, or `nil`
    /// if the disk refuses: then nothing was added.
    mutating func keep(
        _ segments: [Segment], in path: String, at offset: ByteCount, of transfer: TransferID
    ) -> ByteCount? {
        paths[transfer] = path
        guard permits(path, toGrowTo: segments.reduce(offset) { $0 + $1.length }) else {
            return nil
        }
        return parts.keep(segments, in: path, at: offset)
    }

    /// The content of a download, as readers of the file see it.
    func content(of transfer: TransferID) throws(SystemError) -> [ContentRange]? {
        guard let path = paths[transfer] else { return nil }
        return try ContentReading.content(ofFileAt: place(of: path), recognising: versions)
    }

    private func permits(_ path: String, toGrowTo size: ByteCount) -> Bool {
        guard let disk else { return true }
        var status = stat()
        let isThere = stat(place(of: path), &status) == 0
        let before = isThere ? ByteCount(UInt64(status.st_size)) : .zero
        return (try? disk.permitWrite(from: before, to: size)) != nil
    }

    /// Makes the content of a file, and its name, durable.
    func sync(_ path: String) throws(SystemError) { try parts.sync(path) }

    func discard(_ path: String) { parts.discard(path) }

    /// The paths of all files in a folder; none if it is not there.
    func paths(in folder: String) -> [String] { parts.paths(in: folder) }

    /// Puts a complete part in the place of the file at a path, in one step. Returns the new
    /// content.
    func place(_ part: String, at path: String) -> (PlacementResult, [ContentRange]) {
        guard disk.permits(.create) else { return (.refused, []) }
        let result = parts.place(part, at: path)
        guard result == .placed else { return (result, []) }
        do throws(SystemError) {
            let content = try ContentReading.content(
                ofFileAt: place(of: path), recognising: versions)
            return (.placed, content)
        } catch {
            return (.refused, [])
        }
    }
}
