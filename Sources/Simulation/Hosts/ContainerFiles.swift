import Content
import Device
import Quantities
import RunPlan
import TransferEngine

/// What an app of the virtual world has made of what its downloads brought: files of its container,
/// of ranges and without bytes. They survive its processes.
final class ContainerFiles: AppFiles {
    /// What the phone's daemon has brought, where it has one.
    var downloads: DownloadedFiles?
    /// What has come so far of the app's resumable downloads.
    let parts: DownloadedFiles
    private let disk: PhoneDisk
    private var files: [String: SymbolicBody] = [:]
    /// When those came that the queue has brought: their dates.
    private var dates: [String: UInt64] = [:]
    /// The temporary file that the app is being told of, and the task whose it is or was.
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

    /// A part that is whole takes the place of what stands there, in one step; what the app has
    /// there then.
    func place(
        _ part: String, at path: String, at now: Instant
    ) -> (PlacementResult, [ContentRange]) {
        guard let body = parts.body(at: part) else { return (.missing, []) }
        guard disk.space.condition.refusal(of: .create) == nil else { return (.refused, []) }
        // Its room is the app's already.
        parts.giveAway(part)
        parts.discard(part)
        remove(path)
        files[path] = body
        dates[path] = now.nanoseconds
        return (.placed, body.ranges)
    }

    /// What is at a path, be it whole or a part.
    func inspect(_ path: String) -> SourceInspection {
        let part = parts.inspect(path)
        guard part == .missing, let body = files[path] else { return part }
        return .regularFile(fingerprint(of: body, at: path))
    }

    /// The same of a file that is whole, with what it holds.
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
            // It has its room already, and only its name is another one.
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
