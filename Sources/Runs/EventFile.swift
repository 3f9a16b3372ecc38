import Foundation
import RunLog

/// The growing `events.jsonl`, written in blocks of whole lines.
final class EventFile {
    private let handle: FileHandle
    private let path: String
    /// The option that chooses another folder.
    private let option: String
    private var waiting = Data()
    private var failure: (any Error)?

    private static let block = 256 * 1024

    init(at path: String, option: String = "--report") throws(RunFailure) {
        do {
            try Data().write(to: URL(filePath: path))
            handle = try FileHandle(forWritingTo: URL(filePath: path))
        } catch {
            throw RunFailure(
                "cannot write \(path): \(error.systemReason); choose another folder with \(option)")
        }
        self.path = path
        self.option = option
    }

    func append(_ event: RunEvent) {
        waiting += EventLines.line(for: event)
        waiting.append(UInt8(ascii: "\n"))
        if waiting.count >= Self.block { write() }
    }

    /// Writes everything to the file, or throws the reason why it cannot.
    func flush() throws(RunFailure) {
        if !waiting.isEmpty { write() }
        guard let failure else { return }
        throw RunFailure(
            "\(path) could not be written: \(failure.systemReason); "
                + "choose another folder with \(option)")
    }

    func close() throws(RunFailure) {
        defer { try? handle.close() }
        try flush()
    }

    private func write() {
        guard failure == nil else { return }
        do {
            try handle.write(contentsOf: waiting)
            waiting.removeAll(keepingCapacity: true)
        } catch {
            failure = error
        }
    }
}
