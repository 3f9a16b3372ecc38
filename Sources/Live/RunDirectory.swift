import Content
import Foundation
import Glibc
import Quantities
import RunPlan

/// The run's own directory: the app's container, the server's folders, the orders of each launch.
/// It is gone when the run is.
struct RunDirectory: ~Copyable {
    let path: String

    init() throws(SystemError) { path = try Self.make() }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    var container: String { path + "/container" }
    var server: String { path + "/server" }

    func orders(forLaunch launch: UInt32) -> String { "\(path)/orders-\(launch).json" }

    /// Writes a file of the plan into the container: the bytes that its version names.
    func write(_ file: PlannedFile) throws(SystemError) {
        let place = container + "/" + file.path
        let parent = URL(filePath: place).deletingLastPathComponent()
        do {
            try FileManager.default.createDirectory(at: parent, withIntermediateDirectories: true)
        } catch {
            throw SystemError("make the folder of \(file.path)")
        }
        let descriptor = try Descriptor(opening: place, O_WRONLY | O_CREAT | O_EXCL)
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 8)
        defer { buffer.deallocate() }
        var offset = ByteCount.zero
        while offset < file.size {
            let count = Int(min(file.size - offset, ByteCount(UInt64(buffer.count))).bytes)
            let slice = UnsafeMutableRawBufferPointer(rebasing: buffer[..<count])
            DeterministicBytes.fill(slice, from: offset, of: file.version)
            try descriptor.write(UnsafeRawBufferPointer(slice), at: offset.bytes)
            offset += ByteCount(UInt64(count))
        }
    }

    private static func make() throws(SystemError) -> String {
        let parent = ProcessInfo.processInfo.environment["TMPDIR"] ?? "/tmp"
        var template = Array("\(parent)/transferlab-live-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw SystemError("make a folder in \(parent)") }
        let path = String(
            decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
        for part in ["/container", "/server"] where mkdir(path + part, 0o755) != 0 {
            throw SystemError("make \(path + part)")
        }
        return path
    }
}
