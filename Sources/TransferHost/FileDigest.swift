import Glibc
import Protocols

extension Digest {
    /// Returns the digest of a whole file.
    package static func digest(ofFile file: borrowing Descriptor) throws(SystemError) -> [UInt8] {
        var hash = Digest(.sha256)
        try hash.update(with: file, from: 0, to: UInt64(file.status().st_size))
        return hash.finish()
    }

    /// Adds a part of a file, as far as the file goes.
    package mutating func update(
        with file: borrowing Descriptor, from start: UInt64, to end: UInt64
    ) throws(SystemError) {
        var offset = start
        while offset < end {
            let bytes = try file.bytes(atMost: Int(min(end - offset, 1 << 18)), at: offset)
            if bytes.isEmpty { return }
            update(bytes)
            offset += UInt64(bytes.count)
        }
    }
}
