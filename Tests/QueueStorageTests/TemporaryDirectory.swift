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
}
