import Glibc
import Protocols
import Quantities
package import TransferEngine

extension SourceExamination {
    /// Examines a file. The first eight bytes of a SHA-256 stand for its content, or for its
    /// samples.
    package init(ofFileAt path: String, _ coverage: SourceCoverage, mayRead: Bool = true) {
        switch SourceInspection(ofFileAt: path) {
        case .missing: self = .missing
        case .notARegularFile: self = .notARegularFile
        case .regularFile where !mayRead: self = .unreadable
        case .regularFile(let fingerprint):
            do throws(SystemError) {
                let digest = try Self.digest(
                    of: Descriptor(opening: path, O_RDONLY), size: fingerprint.size, coverage)
                self = .regularFile(fingerprint, digest: digest)
            } catch {
                self = .unreadable
            }
        }
    }

    private static func digest(
        of file: borrowing Descriptor, size: ByteCount, _ coverage: SourceCoverage
    ) throws(SystemError) -> UInt64 {
        var hash = Digest(.sha256)
        let parts = coverage == .whole ? [0..<size.bytes] : SourceCoverage.samples(of: size)
        for part in parts {
            try hash.update(with: file, from: part.lowerBound, to: part.upperBound)
        }
        return ReprDigest.sha256(hash.finish()).mark
    }
}
