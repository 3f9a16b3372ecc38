import Content
import Device
import Glibc
import Quantities
import RunPlan
import TransferHost

/// The folder of an app, into which the app puts what its downloads brought.
final class AppFolder: AppFiles {
    private let root: String
    private let disk: SharedDisk?
    private let versions: KnownVersions
    /// The temporary file that the app is being told of, and the task that it belongs to.
    private var offered: String?
    private var task: UInt64?
    private var deeds: [AppFileDeed] = []

    init(at root: String, on disk: SharedDisk?, recognising versions: KnownVersions) {
        self.disk = disk
        self.root = root
        self.versions = versions
    }

    /// Returns the name by which the app finds a file until `withdraw`. The daemon keeps its own
    /// name until the app has heard of the end, because a process may die on the way.
    func offer(_ location: String, of task: UInt64) -> String {
        let handed = location + ".handed"
        unlink(handed)
        link(location, handed)
        self.task = task
        offered = handed
        return handed
    }

    func withdraw() {
        if let offered { unlink(offered) }
        offered = nil
    }

    func takeDeeds() -> [AppFileDeed] {
        defer { deeds = [] }
        return deeds
    }

    func move(_ location: String, to path: String) throws(AppFileError) {
        try keep(location, as: path) { disk throws(DiskRefusal) in
            // A move makes another name, not another file.
            try disk.permit(.create)
        } put: { place throws(SystemError) in
            guard rename(location, place) == 0 else { throw SystemError("move \(location)") }
        }
    }

    func copy(_ location: String, to path: String) throws(AppFileError) {
        var status = stat()
        let size = stat(location, &status) == 0 ? ByteCount(UInt64(status.st_size)) : .zero
        try keep(location, as: path) { disk throws(DiskRefusal) in
            try disk.permit(.read)
            try disk.permitWrite(from: .zero, to: size)
        } put: { place throws(SystemError) in
            let source = try Descriptor(opening: location, O_RDONLY)
            let target = try Descriptor(opening: place, O_WRONLY | O_CREAT | O_TRUNC)
            try source.copy(UInt64(try source.status().st_size), to: target)
        }
    }

    private func keep(
        _ location: String, as path: String, mayBe: (SharedDisk) throws(DiskRefusal) -> Void,
        put: (String) throws(SystemError) -> Void
    ) throws(AppFileError) {
        guard let task else { throw .noSuchFile(location) }
        let result = Result { () throws(AppFileError) in
            try content(of: location, putTo: path, mayBe, put)
        }
        deeds.append(AppFileDeed(task, path, result))
        _ = try result.get()
    }

    private func content(
        of location: String, putTo path: String, _ mayBe: (SharedDisk) throws(DiskRefusal) -> Void,
        _ put: (String) throws(SystemError) -> Void
    ) throws(AppFileError) -> [ContentRange] {
        guard access(location, F_OK) == 0 else { throw .noSuchFile(location) }
        do throws(DiskRefusal) {
            if let disk { try mayBe(disk) }
        } catch { throw .refused(error.words) }
        let place = root + "/" + path
        do throws(SystemError) {
            try Folders.make(for: path, under: root)
            try put(place)
            return try ContentReading.content(ofFileAt: place, recognising: versions)
        } catch {
            throw error.code == ENOENT ? .noSuchFile(location) : .refused("\(error)")
        }
    }
}
