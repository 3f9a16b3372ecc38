package import Content
package import Device
package import Quantities
package import RunLog
import TransferEngine

/// The files of an app's container and what becomes of them, in either world: the one that has no
/// bytes, and the one that writes them.
package struct LocalFiles: Sendable {
    private var files: [String: File] = [:]
    private let order: [String]
    /// The last version of every path of the plan, also while there is no file.
    private var versions: [String: FileVersion] = [:]

    package struct File: Hashable, Sendable {
        package var version: FileVersion
        package var size: ByteCount
        /// The date of the last change, in nanoseconds of the run; a file of the plan is older.
        package var modified: UInt64
        /// The version of which its samples are: an edit can leave them as they were.
        package fileprivate(set) var samples: FileVersion

        package init(version: FileVersion, size: ByteCount, modified: UInt64) {
            samples = version
            self.version = version
            self.size = size
            self.modified = modified
        }
    }

    package init(_ planned: [PlannedFile]) {
        order = planned.map(\.path)
        for file in planned {
            files[file.path] = File(version: file.version, size: file.size, modified: 0)
            versions[file.path] = file.version
        }
    }

    /// Whether the plan has such a file, be it there or not.
    package func has(_ path: String) -> Bool { versions[path] != nil }

    package subscript(path: String) -> File? { files[path] }

    /// What stands there, in the order of the plan.
    package var facts: [FileFact] {
        order.compactMap { path in
            files[path].map { .stands(path: path, version: $0.version, size: $0.size) }
        }
    }

    /// Changes a file of the plan; what the log should know of it. One that is not there can only
    /// be replaced, and what the disk does not take leaves the file as it was.
    package mutating func apply(
        _ change: FileChange, at now: Instant, on disk: inout DiskSpace
    ) -> FileFact {
        let path = change.path
        guard let last = versions[path] else { preconditionFailure("no plan has \(path)") }
        var file = files[path] ?? File(version: last, size: .zero, modified: 0)
        let isMissing = files[path] == nil
        switch change.kind {
        case .edited, .editedUnseen, .editedBetweenSamples, .touched:
            if isMissing { return .removed(path: path) }
        case .replaced(let size): file.size = size
        case .truncated(let size):
            if isMissing { return .removed(path: path) }
            file.size = min(size, file.size)
        case .grown(let size):
            if isMissing { return .removed(path: path) }
            file.size += size
        case .deleted: if isMissing { return .removed(path: path) }
        }
        do throws(DiskRefusal) {
            let size = files[path]?.size ?? .zero
            if change.kind == .deleted { return try delete(path, on: &disk) }
            try disk.permitWrite(from: size, to: file.size)
        } catch {
            return .kept(path: path, because: error.words)
        }
        if !change.keepsDate { file.modified = max(now.nanoseconds, file.modified + 1) }
        guard change.makesVersion else {
            files[path] = file
            return .touched(path: path)
        }
        file.version = FileVersion(file: last.file, edit: last.edit + 1)
        versions[path] = file.version
        if !keepsSamples(change, of: file) { file.samples = file.version }
        files[path] = file
        return .stands(path: path, version: file.version, size: file.size)
    }

    /// Something else has taken its place, and its room is free.
    package mutating func give(_ path: String, room disk: inout DiskSpace) {
        guard let file = files.removeValue(forKey: path) else { return }
        disk.changed(from: file.size, to: .zero)
    }

    /// Of a small file there is nothing between them.
    private func keepsSamples(_ change: FileChange, of file: File) -> Bool {
        change.kind == .editedBetweenSamples && SourceCoverage.samples(of: file.size).count > 1
    }

    private mutating func delete(
        _ path: String, on disk: inout DiskSpace
    ) throws(DiskRefusal) -> FileFact {
        try disk.permit(.delete)
        disk.changed(from: files[path]?.size ?? .zero, to: .zero)
        files[path] = nil
        return .removed(path: path)
    }
}
