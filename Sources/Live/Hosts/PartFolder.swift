import Content
import Device
import Glibc
import Protocols
import Quantities
import TransferEngine

/// The parts of an app's resumable downloads, in its own folder until they are whole.
struct PartFolder {
    private let root: String
    private let disk: SharedDisk?
    private let versions: [FileVersion]
    private var files: DownloadFolder

    init(in root: String, on disk: SharedDisk?, recognising versions: [FileVersion]) {
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
            let file = try Descriptor(opening: "\(root)/\(path)", O_RDONLY)
            var reading = ContentReading(recognising: versions)
            while try reading.advance(in: file) {}
            return (.placed, reading.content)
        } catch {
            return (.refused, [])
        }
    }
}

extension SharedDisk? {
    /// A folder that is on none of the plan's disks takes and gives everything.
    fileprivate func permits(_ operation: DiskCondition.Operation) -> Bool {
        guard let self else { return true }
        return (try? self.permit(operation)) != nil
    }
}

extension SourceExamination {
    /// The first eight bytes of a SHA-256 stand for what a file holds.
    init(ofFileAt path: String, on disk: SharedDisk?) {
        switch SourceInspection(ofFileAt: path) {
        case .missing: self = .missing
        case .notARegularFile: self = .notARegularFile
        case .regularFile where !disk.permits(.read): self = .unreadable
        case .regularFile(let fingerprint):
            do throws(SystemError) {
                let digest = try Self.digest(of: Descriptor(opening: path, O_RDONLY))
                self = .regularFile(fingerprint, digest: digest)
            } catch {
                self = .unreadable
            }
        }
    }

    private static func digest(of file: borrowing Descriptor) throws(SystemError) -> UInt64 {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 8)
        defer { buffer.deallocate() }
        var digest = SHA256()
        var offset: UInt64 = 0
        while true {
            let count = try file.read(into: buffer, at: offset)
            if count == 0 { break }
            digest.update(Array(buffer[..<count]))
            offset += UInt64(count)
        }
        return digest.finish().prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }
}
