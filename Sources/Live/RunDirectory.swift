import Content
import Foundation
import Glibc
import Quantities
import RunPlan

/// The run's own directory: the app's container, the server's folders, the orders of each launch.
/// It is gone when the run is.
struct RunDirectory: ~Copyable {
    let path: String
    private var version = 1

    private static let slice = ByteCount(1 << 20)

    init() throws(SystemError) { path = try Self.make() }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    var container: String { path + (version == 1 ? "/container" : "/container-\(version)") }
    var server: String { path + "/server" }

    func orders(forLaunch launch: UInt32) -> String { "\(path)/orders-\(launch).json" }

    /// All that the app kept is gone.
    func clearContainer() throws(SystemError) {
        try? FileManager.default.removeItem(atPath: container)
        guard mkdir(container, 0o755) == 0 else { throw SystemError("make \(container)") }
    }

    /// An update gives the app's container another path.
    mutating func moveContainer(to version: Int) throws(SystemError) {
        let former = container
        self.version = version
        guard rename(former, container) == 0 else { throw SystemError("move \(former)") }
    }

    /// Writes a file of the plan into the container: the bytes that its version names.
    func write(_ file: PlannedFile) throws(SystemError) {
        do throws(SystemError) {
            try fill(file)
        } catch {
            throw SystemError(
                "put \(file.path) into \(container) (TMPDIR names another place)", code: error.code)
        }
    }

    /// Puts another version in the place of a file in one step, as an app does that saves a file;
    /// whoever reads it sees the one or the other.
    func replace(_ file: PlannedFile, keepingDate: Bool) throws(SystemError) {
        var before = stat()
        let had = stat(container + "/" + file.path, &before) == 0
        var next = file
        next.path = file.path + Self.unfinished
        try write(next)
        let (from, to) = (container + "/" + next.path, container + "/" + file.path)
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

    func remove(_ path: String) { unlink(container + "/" + path) }

    private func setDate(of path: String, _ dates: [timespec]) throws(SystemError) {
        guard utimensat(AT_FDCWD, container + "/" + path, dates, 0) == 0 else {
            throw SystemError("set the date of \(path)")
        }
    }

    private static let unfinished = ".being-saved"

    private func fill(_ file: PlannedFile) throws(SystemError) {
        try Folders.make(for: file.path, under: container)
        let place = container + "/" + file.path
        let descriptor = try Descriptor(opening: place, O_WRONLY | O_CREAT | O_EXCL)
        var offset = ByteCount.zero
        while offset < file.size {
            let length = min(file.size - offset, Self.slice)
            let range = ContentRange(file.version, offset: offset, length: length)
            try descriptor.write(DeterministicBytes.bytes(of: range), at: offset.bytes)
            offset += length
        }
    }

    private static func make() throws(SystemError) -> String {
        let parent = ProcessInfo.processInfo.environment["TMPDIR"] ?? "/tmp"
        // What mkdtemp fills in.
        let blank = String(repeating: "X", count: 6)
        var template = Array("\(parent)/transferlab-live-\(blank)".utf8CString)
        guard mkdtemp(&template) != nil else { throw SystemError("make a folder in \(parent)") }
        let path = String(
            decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
        for part in ["/container", "/server"] where mkdir(path + part, 0o755) != 0 {
            throw SystemError("make \(path + part)")
        }
        return path
    }
}
