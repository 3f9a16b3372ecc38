import Glibc
import Protocols

extension Digest {
    /// Of all that a file holds, for which it is read from its beginning to its end.
    static func digest(ofFile file: borrowing Descriptor) throws(SystemError) -> [UInt8] {
        var hash = Digest(.sha256)
        try hash.update(with: file, from: 0, to: UInt64(file.status().st_size))
        return hash.finish()
    }

    /// Takes in a part of a file, as far as it is there.
    mutating func update(
        with file: borrowing Descriptor, from start: UInt64, to end: UInt64
    ) throws(SystemError) {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 8)
        defer { buffer.deallocate() }
        var offset = start
        while offset < end {
            let wanted = Int(min(end - offset, UInt64(buffer.count)))
            let count = try file.read(
                into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<wanted]), at: offset)
            if count == 0 { return }
            update(Array(buffer[..<count]))
            offset += UInt64(count)
        }
    }
}
