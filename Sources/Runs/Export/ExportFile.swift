package import Foundation

/// What an export is written to: a file, or standard output.
///
/// A file is written beside its place and put there when it is whole, so that an export that fails
/// leaves what was there before. A device or a pipe is written to as it is.
package final class ExportFile {
    /// The path of the file; `nil` for standard output.
    private let path: String?
    private var handle: FileHandle?
    /// The path of the unfinished file.
    private var unfinished: String?

    package init(at path: String?) { self.path = path }

    deinit {
        if let unfinished { unlink(unfinished) }
    }

    package func write(_ data: Data) throws(RunFailure) {
        let handle = try opened()
        do { try handle.write(contentsOf: data) } catch { throw failure(error) }
    }

    /// Ends the file; nothing may be written afterwards.
    package func close() throws(RunFailure) {
        guard let path else { return }
        let handle = try opened()
        do {
            try handle.close()
            guard let unfinished else { return }
            guard rename(unfinished, path) == 0 else { throw POSIXError(code: errno) }
            self.unfinished = nil
        } catch { throw failure(error) }
    }

    private func opened() throws(RunFailure) -> FileHandle {
        if let handle { return handle }
        guard let path else { return FileHandle.standardOutput }
        do {
            let place = Self.isSpecial(path) ? path : "\(path).\(getpid()).unfinished"
            let descriptor = open(place, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
            guard descriptor >= 0 else { throw POSIXError(code: errno) }
            if place != path { unfinished = place }
            let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
            handle = file
            return file
        } catch {
            throw failure(error)
        }
    }

    /// Whether a path is something else than a file: a folder, a device or a pipe.
    private static func isSpecial(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT != S_IFREG
    }

    private func failure(_ error: any Error) -> RunFailure {
        guard let path else {
            return RunFailure("the output could not be written: \(error.systemReason)")
        }
        return RunFailure(
            "cannot write \(path): \(error.systemReason); choose another file with --to")
    }
}

extension POSIXError {
    fileprivate init(code: Int32) { self.init(POSIXErrorCode(rawValue: code) ?? .EIO) }
}
