package import Content
import Foundation
import Glibc
package import Quantities
package import TransferEngine

/// The folder with the parts of downloads, and with the places that they come to.
package struct PartFolder: Sendable {
    private let root: String

    package init(in root: String) { self.root = root }

    /// The place of a path on this machine.
    package func place(of path: String) -> String { root + path }

    /// Puts segments in the place of everything behind an offset. Returns the new length, or `nil`
    /// if the disk refuses: then nothing was added.
    package func keep(
        _ segments: [Segment], in path: String, at offset: ByteCount
    ) -> ByteCount? {
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

    /// Puts a complete part in the place of the file at a path, in one step.
    package func place(_ part: String, at path: String) -> PlacementResult {
        do throws(SystemError) { try Folders.make(for: path, under: root) } catch {
            return .refused
        }
        guard rename(place(of: part), place(of: path)) == 0 else {
            return errno == ENOENT ? .missing : .refused
        }
        return .placed
    }

    /// Does the same so that it survives a loss of power.
    package func placeDurably(_ part: String, at path: String) -> PlacementResult {
        do throws(SystemError) {
            try sync(part)
            let result = place(part, at: path)
            if result == .placed { try sync(path) }
            return result
        } catch {
            return error.code == ENOENT ? .missing : .refused
        }
    }

    /// Deletes the parts of downloads that the engine does not know any more, as some may have been
    /// lost with a damaged store or an ended process (L5).
    package func discardAbandoned(
        after setAside: StoreSetAside?, _ sessions: [SessionRecord], _ entries: [EntryRecord]
    ) {
        guard TransferEngine.mayHaveAbandonedParts(after: setAside, sessions) else { return }
        let abandoned = TransferEngine.abandonedParts(
            among: paths(in: TransferEngine.partsFolder), besides: sessions, entries)
        for path in abandoned { discard(path) }
    }

    /// Makes the content of a file, and its name, durable.
    package func sync(_ path: String) throws(SystemError) {
        let file = place(of: path)
        for place in [file, String(file.prefix(upTo: file.lastIndex(of: "/") ?? file.endIndex))] {
            try Descriptor(opening: place, O_RDONLY).synchronise()
        }
    }

    package func discard(_ path: String) { unlink(place(of: path)) }

    /// The paths of all files in a folder; none if it is not there.
    package func paths(in folder: String) -> [String] {
        let names = try? FileManager.default.contentsOfDirectory(atPath: place(of: folder))
        return (names ?? []).sorted().map { "\(folder)/\($0)" }
    }

    private func cut(_ file: borrowing Descriptor, at offset: ByteCount) throws(SystemError) {
        guard try ByteCount(UInt64(file.status().st_size)) > offset else { return }
        guard ftruncate(file.number, off_t(offset.bytes)) == 0 else {
            throw SystemError("cut a file")
        }
    }
}
