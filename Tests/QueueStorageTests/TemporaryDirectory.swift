import Foundation

/// A directory of this machine that is gone after the test.
enum TemporaryDirectory {
    static func with(_ body: (String) throws -> Void) throws {
        let url = FileManager.default.temporaryDirectory
            .appending(path: "store-test-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: url) }
        try body(url.path())
    }

    static func put(_ bytes: [UInt8], at path: String) throws {
        try Data(bytes).write(to: URL(filePath: path))
    }

    static func names(in directory: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: directory).sorted()
    }
}
