import Content
import Device
import Foundation
import Glibc
import Quantities
import TransferEngine

/// The daemon's downloads, which are kept until their apps have heard of them; or the parts of an
/// app's resumable downloads.
struct DownloadFolder {
    private let root: String
    private let disk: SharedDisk?
    private let versions: KnownVersions
    private var paths: [TransferID: String] = [:]

    init(in root: String, on disk: SharedDisk? = nil, recognising versions: KnownVersions) {
        self.disk = disk
        self.root = root
        self.versions = versions
    }

    /// Whether a path is the daemon's own: paths of apps are relative.
    static func holds(_ path: String) -> Bool { path.hasPrefix("/") }

    /// The place of a path on this machine.
    func place(of path: String) -> String { root + path }

    /// Puts segments in the place of everything behind an offset. Returns the new length, or `nil`
    /// if the disk refuses: then nothing was added.
    mutating func keep(
        _ segments: [Segment], in path: String, at offset: ByteCount, of transfer: TransferID
    ) -> ByteCount? {
        paths[transfer] = path
        guard permits(path, toGrowTo: segments.reduce(offset) { $0 + $1.length }) else {
            return nil
        }
        do throws(SystemError) {
            try Folders.make(for: path, under: root)
            let file = try Descriptor(opening: place(of: path), O_WRONLY | O_CREAT)
            try cut(file, at: offset)
            var end = offset
            do throws(SystemError) {
                for segment in segments {
                    try file.write(segment.bytes, at: end.bytes)
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
    func sync(_ path: String) throws(SystemError) {
        let file = place(of: path)
        for place in [file, String(file.prefix(upTo: file.lastIndex(of: "/") ?? file.endIndex))] {
            try Descriptor(opening: place, O_RDONLY).synchronise()
        }
    }

    func discard(_ path: String) { unlink(place(of: path)) }

    /// The paths of all files in a folder; none if it is not there.
    func paths(in folder: String) -> [String] {
        let names = try? FileManager.default.contentsOfDirectory(atPath: place(of: folder))
        return (names ?? []).sorted().map { "\(folder)/\($0)" }
    }

    /// Puts a complete part in the place of the file at a path, in one step. Returns the new
    /// content.
    func place(_ part: String, at path: String) -> (PlacementResult, [ContentRange]) {
        guard disk.permits(.create) else { return (.refused, []) }
        do throws(SystemError) {
            try Folders.make(for: path, under: root)
            guard rename(place(of: part), place(of: path)) == 0 else {
                return (errno == ENOENT ? .missing : .refused, [])
            }
            let content = try ContentReading.content(
                ofFileAt: place(of: path), recognising: versions)
            return (.placed, content)
        } catch {
            return (.refused, [])
        }
    }

    private func cut(_ file: borrowing Descriptor, at offset: ByteCount) throws(SystemError) {
        guard try ByteCount(UInt64(file.status().st_size)) > offset else { return }
        guard ftruncate(file.number, off_t(offset.bytes)) == 0 else {
            throw SystemError("cut a file")
        }
    }
}
