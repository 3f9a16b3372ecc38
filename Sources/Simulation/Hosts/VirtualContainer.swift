import Content
import Quantities
import RunLog
import RunPlan
import TransferEngine

/// The app's own files: names, sizes and versions, but no bytes.
struct VirtualContainer: Sendable {
    private var files: [String: PlannedFile] = [:]
    private let order: [String]

    init(_ planned: [PlannedFile]) {
        order = planned.map(\.path)
        for file in planned { files[file.path] = file }
    }

    func announce(at now: Instant, into log: inout RunLogSink) {
        for path in order {
            guard let file = files[path] else { continue }
            log.record(
                .file(.stands(path: path, version: file.version, size: file.size)), at: now)
        }
    }

    func inspect(_ path: String) -> SourceInspection {
        guard let file = files[path] else { return .missing }
        return .regularFile(
            SourceFingerprint(size: file.size, modified: UInt64(file.version.edit)))
    }

    /// What a read at this moment returns.
    func content(of path: String, offset: ByteCount, length: ByteCount) -> ContentRange {
        guard let file = files[path], offset + length <= file.size else {
            preconditionFailure("\(path) was read beyond its end at \(offset)")
        }
        return ContentRange(file.version, offset: offset, length: length)
    }
}
