import Content
import Quantities
import RunLog
import RunPlan
import TransferEngine

/// The app's own files: names, sizes and versions, but no bytes.
struct VirtualContainer: Sendable {
    private var files: LocalFiles

    init(_ planned: [PlannedFile]) { files = LocalFiles(planned) }

    func announce(at now: Instant, of app: UInt16?, into log: inout RunLogSink) {
        for fact in files.facts { log.record(.file(fact), at: now, app: app) }
    }

    /// Somebody changes a file behind the app's back.
    mutating func apply(
        _ change: FileChange, at now: Instant, of app: UInt16?, into log: inout RunLogSink
    ) {
        log.record(.file(files.apply(change, at: now)), at: now, app: app)
    }

    func has(_ path: String) -> Bool { files.has(path) }

    func inspect(_ path: String) -> SourceInspection {
        files[path].map { .regularFile($0.fingerprint) } ?? .missing
    }

    /// What a read at this moment returns; nothing of a file that is not what it is known as.
    func content(
        of path: String, known: SourceFingerprint, offset: ByteCount, length: ByteCount
    ) -> ContentRange? {
        guard let file = files[path], file.fingerprint == known else { return nil }
        return ContentRange(file.version, offset: offset, length: length)
    }
}

extension LocalFiles.File {
    fileprivate var fingerprint: SourceFingerprint {
        SourceFingerprint(size: size, modified: modified)
    }
}
