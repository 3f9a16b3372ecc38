package import Glibc
import Quantities
package import TransferEngine

extension SourceInspection {
    package init(ofFileAt path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else {
            self = .missing
            return
        }
        let isFile = status.st_mode & S_IFMT == S_IFREG
        self = isFile ? .regularFile(SourceFingerprint(status)) : .notARegularFile
    }
}

extension SourceFingerprint {
    package init(_ status: stat) {
        self.init(
            size: ByteCount(UInt64(status.st_size)), modified: Self.nanoseconds(status.st_mtim),
            changed: Self.nanoseconds(status.st_ctim))
    }

    private static func nanoseconds(_ time: timespec) -> UInt64 {
        UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }
}
