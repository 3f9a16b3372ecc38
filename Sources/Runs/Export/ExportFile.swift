package import Foundation

/// What an export is written to: a file, or standard output.
///
/// The file is made when something is written to it, and removed if it cannot be written to its
/// end.
package final class ExportFile {
    /// The path of the file; `nil` for standard output.
    private let path: String?
    private var handle: FileHandle?

    package init(at path: String?) { self.path = path }

    package func write(_ data: Data) throws(RunFailure) {
        let handle = try opened()
        do { try handle.write(contentsOf: data) } catch { throw failure(error) }
    }

    /// Ends the file; nothing may be written afterwards.
    package func close() throws(RunFailure) {
        guard path != nil else { return }
        let handle = try opened()
        do { try handle.close() } catch { throw failure(error) }
    }

    private func opened() throws(RunFailure) -> FileHandle {
        if let handle { return handle }
        guard let path else { return FileHandle.standardOutput }
        do {
            try Data().write(to: URL(filePath: path))
            let file = try FileHandle(forWritingTo: URL(filePath: path))
            handle = file
            return file
        } catch {
            throw RunFailure(
                "cannot write \(path): \(error.systemReason); choose another file with --to")
        }
    }

    /// Returns the failure to write. There is no file then.
    private func failure(_ error: any Error) -> RunFailure {
        guard let path else {
            return RunFailure("the output could not be written: \(error.systemReason)")
        }
        unlink(path)
        return RunFailure(
            "\(path) could not be written: \(error.systemReason); choose another file with --to")
    }
}
