import Content
import Device
import Quantities
import RunLog
import RunPlan
import TransferEngine

/// The app's own files: names, sizes and versions, but no bytes.
struct VirtualContainer {
    private var files: LocalFiles
    private let disk: PhoneDisk

    init(_ planned: [PlannedFile], on disk: PhoneDisk) {
        files = LocalFiles(planned)
        self.disk = disk
    }

    func announce(at now: Instant, of app: UInt16?, into log: inout RunLogSink) {
        for fact in files.facts { log.record(.file(fact), at: now, app: app) }
    }

    /// Changes a file without telling the app.
    mutating func apply(
        _ change: FileChange, at now: Instant, of app: UInt16?, into log: inout RunLogSink
    ) {
        let fact = files.apply(change, at: now, on: &disk.space)
        log.record(.file(fact), at: now, app: app)
        guard let file = files[change.path], file.samples != file.version,
            change.kind == .editedBetweenSamples
        else { return }
        log.record(.file(.keepsSamples(path: change.path)), at: now, app: app)
    }

    /// The files that the app ever has.
    var count: Int { files.count }

    func has(_ path: String) -> Bool { files.has(path) }

    func inspect(_ path: String) -> SourceInspection {
        files[path].map { .regularFile($0.fingerprint) } ?? .missing
    }

    /// Reads a file for its digest.
    func examine(_ path: String, _ coverage: SourceCoverage) -> SourceExamination {
        guard let file = files[path] else { return .missing }
        guard disk.space.condition.refusal(of: .read) == nil else { return .unreadable }
        let read = coverage == .whole ? file.version : file.samples
        return .regularFile(file.fingerprint, digest: read.digest)
    }

    /// Removes a file that a download has replaced.
    mutating func give(_ path: String) { files.give(path, room: &disk.space) }

    /// Returns what a read yields now; `nil` if the file has changed or the disk cannot be read.
    func content(
        of path: String, known: SourceFingerprint, offset: ByteCount, length: ByteCount
    ) -> ContentRange? {
        guard let file = files[path], file.fingerprint == known,
            disk.space.condition.refusal(of: .read) == nil
        else { return nil }
        return ContentRange(file.version, offset: offset, length: length)
    }
}

extension LocalFiles.File {
    fileprivate var fingerprint: SourceFingerprint {
        SourceFingerprint(size: size, modified: modified, changed: changed)
    }
}
