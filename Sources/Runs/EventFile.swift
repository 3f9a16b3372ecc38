import Foundation
import RunLog

/// `events.jsonl` while it grows: whole lines, written in blocks.
final class EventFile {
    private let handle: FileHandle
    private let path: String
    private var waiting = Data()
    private var failure: (any Error)?

    private static let block = 256 * 1024

    init(at path: String) throws(RunFailure) {
        do {
            try Data().write(to: URL(filePath: path))
            handle = try FileHandle(forWritingTo: URL(filePath: path))
        } catch {
            throw RunFailure(
                "cannot write \(path): \(error.systemReason); choose another folder with --report")
        }
        self.path = path
    }

    func append(_ event: RunEvent) {
        waiting += EventLines.line(for: event)
        waiting.append(UInt8(ascii: "\n"))
        if waiting.count >= Self.block { flush() }
    }

    /// Everything has reached the file, or the reason why not is thrown.
    func close() throws(RunFailure) {
        flush()
        try? handle.close()
        guard let failure else { return }
        throw RunFailure(
            "\(path) could not be written: \(failure.systemReason); "
                + "choose another folder with --report")
    }

    private func flush() {
        guard failure == nil else { return }
        do {
            try handle.write(contentsOf: waiting)
            waiting.removeAll(keepingCapacity: true)
        } catch {
            failure = error
        }
    }
}
