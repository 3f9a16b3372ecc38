import Foundation

/// Reads a trace file in blocks, because traces may be larger than memory.
enum TraceFile {
    private static let blockSize = 1 << 20

    /// Gives the blocks of a file to `take` until that returns false. Returns why the file cannot
    /// be read; `nil` if it can.
    static func read(_ path: String, _ take: (UnsafeRawBufferPointer) -> Bool) -> String? {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
            return "there is no such file"
        }
        guard !isFolder.boolValue else { return "it is a folder" }
        do {
            let file = try FileHandle(forReadingFrom: URL(filePath: path))
            defer { try? file.close() }
            while let block = try file.read(upToCount: blockSize), !block.isEmpty {
                guard block.withUnsafeBytes(take) else { return nil }
            }
            return nil
        } catch {
            return error.systemReason
        }
    }
}
