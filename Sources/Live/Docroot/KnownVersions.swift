import Content
import Glibc
import Quantities
import RunPlan
import TransferEngine

/// The versions of files that can be recognised by their bytes.
struct KnownVersions: Sendable {
    let versions: [FileVersion]
    /// Files that are edited between their samples: the samples of a version may be older.
    private let sampledFiles: Set<UInt32>

    init(_ plan: RunPlan) {
        versions = plan.fileVersions
        let paths = plan.timeline.compactMap { entry -> String? in
            guard case .changeFile(let change) = entry.action,
                change.kind == .editedBetweenSamples
            else { return nil }
            return change.path
        }
        let files = AppRoll(plan).entries.flatMap(\.plan.files)
        sampledFiles = Set(files.filter { paths.contains($0.path) }.map(\.version.file))
    }

    /// Whether a version is a later edit of the other one, whose samples it may still have.
    func isEdit(_ version: FileVersion, of other: FileVersion) -> Bool {
        sampledFiles.contains(other.file) && version.file == other.file
            && version.edit > other.edit
    }

    /// The samples of a file of this size that an edit may have left as they were; samples side by
    /// side are one range.
    func samples(of size: off_t) -> [Range<UInt64>] {
        let samples = SourceCoverage.samples(of: ByteCount(UInt64(size)))
        guard !sampledFiles.isEmpty, samples.count > 1 else { return [] }
        return samples.reduce(into: []) { joined, next in
            guard let last = joined.last, last.upperBound == next.lowerBound else {
                return joined.append(next)
            }
            joined[joined.count - 1] = last.lowerBound..<next.upperBound
        }
    }
}

extension KnownVersions: ExpressibleByArrayLiteral {
    init(arrayLiteral versions: FileVersion...) { self.init(versions) }

    init(_ versions: [FileVersion]) {
        self.versions = versions
        sampledFiles = []
    }
}
