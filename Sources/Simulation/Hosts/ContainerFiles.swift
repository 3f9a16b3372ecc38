import Content
import Device
import Quantities
import RunPlan
import TransferEngine

/// Files that an app has made from its downloads, as ranges without bytes. They outlive the app's
/// processes.
final class ContainerFiles: AppFiles {
    /// Downloads of the phone's daemon, if there is one.
    var downloads: DownloadedFiles?
    /// Unfinished resumable downloads of the app.
    let parts: DownloadedFiles
    private let disk: PhoneDisk
    private var files: [String: SymbolicBody] = [:]
    /// Modification times of files that the queue has placed.
    private var dates: [String: UInt64] = [:]
    /// Temporary file offered in the current callback, and the latest task that offered one.
    private var offered: String?
    private var task: UInt64?
    private var deeds: [AppFileDeed] = []

    init(on disk: PhoneDisk) {
        self.disk = disk
        parts = DownloadedFiles(on: disk)
    }

    // MARK: The life of a temporary file (B3)

    func offer(_ location: String, of task: UInt64) {
        offered = location
        self.task = task
    }

    func withdraw() { offered = nil }

    func takeDeeds() -> [AppFileDeed] {
        defer { deeds = [] }
        return deeds
    }

    func clear() {
        for path in files.keys.sorted() { remove(path) }
        parts.clear()
    }

    /// Moves a finished part to `path` in one step, and replaces any file there. Returns the new
    /// content.
    func place(
        _ part: String, at path: String, at now: Instant
    ) -> (PlacementResult, [ContentRange]) {
        guard let body = parts.body(at: part) else { return (.missing, []) }
        guard disk.space.condition.refusal(of: .create) == nil else { return (.refused, []) }
        // The app already pays for the room of its parts.
        parts.giveAway(part)
        parts.discard(part)
        remove(path)
        files[path] = body
        dates[path] = now.nanoseconds
        return (.placed, body.ranges)
    }

    /// Inspects a part or a whole file.
    func inspect(_ path: String) -> SourceInspection {
        let part = parts.inspect(path)
        guard part == .missing, let body = files[path] else { return part }
        return .regularFile(fingerprint(of: body, at: path))
    }

    /// Reads a whole file.
    func examine(_ path: String) -> SourceExamination {
        guard let body = files[path] else { return .missing }
        guard disk.space.condition.refusal(of: .read) == nil else { return .unreadable }
        return .regularFile(fingerprint(of: body, at: path), digest: body.ranges.digest)
    }

    private func fingerprint(of body: SymbolicBody, at path: String) -> SourceFingerprint {
        SourceFingerprint(size: body.total, modified: dates[path] ?? 0)
    }

    // MARK: What the app does

    func move(_ location: String, to path: String) throws(AppFileError) {
        try keep(location, as: path) { [disk] downloads, _ throws(AppFileError) in
            // A move needs no room, only another name.
            try permit { () throws(DiskRefusal) in try disk.space.permit(.create) }
            downloads.giveAway(location)
        }
    }

    func copy(_ location: String, to path: String) throws(AppFileError) {
        try keep(location, as: path) { [disk] _, body throws(AppFileError) in
            try permit { () throws(DiskRefusal) in
                try disk.space.permit(.read)
                try disk.space.permitWrite(from: .zero, to: body.total)
            }
        }
    }

    private func keep(
        _ location: String, as path: String,
        _ makeRoom: (DownloadedFiles, SymbolicBody) throws(AppFileError) -> Void
    ) throws(AppFileError) {
        guard let task else { throw .noSuchFile(location) }
        do throws(AppFileError) {
            guard offered == location, let downloads,
                let body = downloads.body(at: location)
            else { throw .noSuchFile(location) }
            try makeRoom(downloads, body)
            remove(path)
            files[path] = body
            deeds.append(AppFileDeed(task, path, .success(body.ranges)))
        } catch {
            deeds.append(AppFileDeed(task, path, .failure(error)))
            throw error
        }
    }

    private func permit(_ ask: () throws(DiskRefusal) -> Void) throws(AppFileError) {
        do throws(DiskRefusal) { try ask() } catch { throw .refused(error.words) }
    }

    private func remove(_ path: String) {
        guard let body = files.removeValue(forKey: path) else { return }
        disk.space.changed(from: body.total, to: .zero)
    }
}
