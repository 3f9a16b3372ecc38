import Content
import Device
import Glibc
import Quantities
import TransferEngine

/// The parts of an app's resumable downloads, in its own folder until they are whole.
struct PartFolder {
    private let root: String
    private let disk: SharedDisk?
    private let versions: KnownVersions
    private var files: DownloadFolder

    init(in root: String, on disk: SharedDisk?, recognising versions: KnownVersions) {
        self.root = root
        self.disk = disk
        self.versions = versions
        files = DownloadFolder(in: root, on: disk, recognising: versions)
    }

    mutating func keep(
        _ segments: [Segment], in path: String, at offset: ByteCount, of transfer: TransferID
    ) -> ByteCount? {
        files.keep(segments, in: "/" + path, at: offset, of: transfer)
    }

    func discard(_ path: String) { files.discard("/" + path) }

    /// A part that is whole takes the place of what stands there, in one step; what the app has
    /// there then.
    func place(_ part: String, at path: String) -> (PlacementResult, [ContentRange]) {
        guard disk.permits(.create) else { return (.refused, []) }
        do throws(SystemError) {
            try Folders.make(for: path, under: root)
            guard rename("\(root)/\(part)", "\(root)/\(path)") == 0 else {
                return (errno == ENOENT ? .missing : .refused, [])
            }
            let content = try ContentReading.content(
                ofFileAt: "\(root)/\(path)", recognising: versions)
            return (.placed, content)
        } catch {
            return (.refused, [])
        }
    }
}
