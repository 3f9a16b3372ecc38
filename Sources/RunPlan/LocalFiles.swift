package import Content
package import Device
package import Quantities
package import RunLog
import TransferEngine

/// The files of an app's container and their changes. Both worlds use it; only the real one has
/// bytes.
package struct LocalFiles: Sendable {
    private var files: [String: File] = [:]
    private let order: [String]
    /// The last version of every path of the plan, even if the file is deleted.
    private var versions: [String: FileVersion] = [:]

    package struct File: Hashable, Sendable {
        package var version: FileVersion
        package var size: ByteCount
        /// The time of the last change, in nanoseconds of the run; 0 at the start.
        package var modified: UInt64
        /// The time of the last change, which no editor can put back.
        package fileprivate(set) var changed: UInt64
        /// The version whose samples the file has: an edit between the samples keeps them.
        package fileprivate(set) var samples: FileVersion

        package init(
            version: FileVersion, size: ByteCount, modified: UInt64, changed: UInt64 = 0
        ) {
            samples = version
            self.version = version
            self.size = size
            self.modified = modified
            self.changed = changed
        }
    }

    package init(_ planned: [PlannedFile]) {
        order = planned.map(\.path)
        for file in planned {
            files[file.path] = File(version: file.version, size: file.size, modified: 0)
            versions[file.path] = file.version
        }
    }

    /// Whether the plan has this file, even if it is deleted.
    package func has(_ path: String) -> Bool { versions[path] != nil }

    /// The files of the plan.
    package var count: Int { order.count }

    package subscript(path: String) -> File? { files[path] }

    /// Facts about the existing files, in the order of the plan.
    package var facts: [FileFact] {
        order.compactMap { path in
            files[path].map { .stands(path: path, version: $0.version, size: $0.size) }
        }
    }

    /// Changes a file of the plan, and returns the fact for the log. A deleted file can only be
    /// replaced. If the disk refuses, the file stays as it was.
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
        file.changed = max(now.nanoseconds, file.changed + 1)
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

    /// Removes a file that another one replaces, and frees its space.
    package mutating func give(_ path: String, room disk: inout DiskSpace) {
        guard let file = files.removeValue(forKey: path) else { return }
        disk.changed(from: file.size, to: .zero)
    }

    /// Whether the samples stay the same. A small file has nothing between its samples.
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
