import Content
import Device
import Glibc
import Quantities
import TransferEngine

/// The daemon's own files, in which downloads are kept until their apps have heard of them; or an
/// app's, in which the parts of its resumable downloads are.
struct DownloadFolder {
    private let root: String
    private let disk: SharedDisk?
    /// Contents that it can recognise.
    private let versions: KnownVersions
    private var paths: [TransferID: String] = [:]

    init(in root: String, on disk: SharedDisk? = nil, recognising versions: KnownVersions) {
        self.disk = disk
        self.root = root
        self.versions = versions
    }

    /// Paths of apps are relative; those of the daemon are not.
    static func holds(_ path: String) -> Bool { path.hasPrefix("/") }

    /// Where on this machine one of its paths is.
    func place(of path: String) -> String { root + path }

    /// What stood behind the offset is gone; the answer is how much there is, or `nil` if the disk
    /// does not take it: then there is no more behind the offset than there was.
    mutating func keep(
        _ segments: [Segment], in path: String, at offset: ByteCount, of transfer: TransferID
    ) -> ByteCount? {
        paths[transfer] = path
        guard permits(path, toGrowTo: segments.reduce(offset) { $0 + $1.length }) else {
            return nil
        }
        do throws(SystemError) {
            try Folders.make(for: String(path.dropFirst()), under: root)
            let file = try Descriptor(opening: place(of: path), O_WRONLY | O_CREAT)
            try cut(file, at: offset)
            var end = offset
            do throws(SystemError) {
                for segment in segments {
                    try file.write(bytes(of: segment), at: end.bytes)
                    end += segment.length
                }
            } catch {
                try cut(file, at: offset)
                return nil
            }
            return end
        } catch {
            return nil
        }
    }

    /// What a download has brought, as whoever reads the file sees it.
    func content(of transfer: TransferID) throws(SystemError) -> [ContentRange]? {
        guard let path = paths[transfer] else { return nil }
        return try ContentReading.content(ofFileAt: place(of: path), recognising: versions)
    }

    private func permits(_ path: String, toGrowTo size: ByteCount) -> Bool {
        guard let disk else { return true }
        var status = stat()
        let isThere = stat(place(of: path), &status) == 0
        let before = isThere ? ByteCount(UInt64(status.st_size)) : .zero
        do throws(DiskRefusal) {
            try disk.permitWrite(from: before, to: size)
            return true
        } catch { return false }
    }

    func discard(_ path: String) { unlink(place(of: path)) }

    private func cut(_ file: borrowing Descriptor, at offset: ByteCount) throws(SystemError) {
        guard try ByteCount(UInt64(file.status().st_size)) > offset else { return }
        guard ftruncate(file.number, off_t(offset.bytes)) == 0 else {
            throw SystemError("cut a file")
        }
    }

    private func bytes(of segment: Segment) -> [UInt8] {
        guard case .bytes(let bytes) = segment else {
            preconditionFailure("no socket brings a range of no file")
        }
        return bytes
    }
}
