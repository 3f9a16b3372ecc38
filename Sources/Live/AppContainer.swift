import Content
import Foundation
import Glibc
import Quantities
import RunPlan
import TransferEngine
import TransferHost

/// An app's own folder: its files and its store.
struct AppContainer: Hashable {
    private let base: String
    private var version = 1

    private static let slice = ByteCount(1 << 20)
    private static let unfinished = ".being-saved"

    init(at path: String) throws(SystemError) {
        base = path
        guard mkdir(path, 0o755) == 0 else { throw SystemError("make \(path)") }
    }

    var path: String { base + (version == 1 ? "" : "-\(version)") }

    /// Removes everything that the app kept.
    func clear() throws(SystemError) {
        // The folder itself stays, because a process may hold it.
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        for name in names { try? FileManager.default.removeItem(atPath: path + "/" + name) }
    }

    /// Moves the container to another path, as an update does.
    mutating func move(to version: Int) throws(SystemError) {
        let former = path
        self.version = version
        guard rename(former, path) == 0 else { throw SystemError("move \(former)") }
    }

    /// Writes a file of the plan into the container: the bytes that its version names. An edit
    /// between the samples of the file has left these as they were in another version.
    func write(_ file: PlannedFile, samples: FileVersion? = nil) throws(SystemError) {
        do throws(SystemError) {
            try fill(file, samples: samples ?? file.version)
        } catch {
            throw SystemError(
                "put \(file.path) into \(path) (TMPDIR names another place)", code: error.code)
        }
    }

    /// Puts another version in the place of a file in one step, as an app does that saves a file. A
    /// reader sees either version whole.
    func replace(
        _ file: PlannedFile, samples: FileVersion?, keepingDate: Bool
    ) throws(SystemError) {
        var before = stat()
        let had = stat(self.path + "/" + file.path, &before) == 0
        var next = file
        next.path = file.path + Self.unfinished
        try write(next, samples: samples)
        let (from, to) = (self.path + "/" + next.path, self.path + "/" + file.path)
        if keepingDate, had {
            try setDate(of: next.path, [before.st_atim, before.st_mtim])
        }
        guard rename(from, to) == 0 else { throw SystemError("put \(file.path) in its place") }
    }

    func touch(_ path: String) throws(SystemError) {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        try setDate(of: path, [now, now])
    }

    func remove(_ path: String) { unlink(self.path + "/" + path) }

    private func setDate(of path: String, _ dates: [timespec]) throws(SystemError) {
        guard utimensat(AT_FDCWD, self.path + "/" + path, dates, 0) == 0 else {
            throw SystemError("set the date of \(path)")
        }
    }

    private func fill(_ file: PlannedFile, samples: FileVersion) throws(SystemError) {
        try Folders.make(for: file.path, under: path)
        let place = path + "/" + file.path
        let descriptor = try Descriptor(opening: place, O_WRONLY | O_CREAT | O_EXCL)
        var offset = ByteCount.zero
        while offset < file.size {
            let length = min(file.size - offset, Self.slice)
            let range = ContentRange(file.version, offset: offset, length: length)
            try descriptor.write(DeterministicBytes.bytes(of: range), at: offset.bytes)
            offset += length
        }
        guard samples != file.version else { return }
        for part in SourceCoverage.samples(of: file.size) {
            let range = ContentRange(
                samples, offset: ByteCount(part.lowerBound), length: ByteCount(UInt64(part.count)))
            try descriptor.write(DeterministicBytes.bytes(of: range), at: part.lowerBound)
        }
    }
}
