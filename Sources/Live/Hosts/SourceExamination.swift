import Device
import Glibc
import Protocols
import Quantities
import TransferEngine

extension SourceExamination {
    /// The first eight bytes of a SHA-256 stand for what a file holds.
    init(ofFileAt path: String, on disk: SharedDisk?) {
        switch SourceInspection(ofFileAt: path) {
        case .missing: self = .missing
        case .notARegularFile: self = .notARegularFile
        case .regularFile where !disk.permits(.read): self = .unreadable
        case .regularFile(let fingerprint):
            do throws(SystemError) {
                let digest = try Self.digest(of: Descriptor(opening: path, O_RDONLY))
                self = .regularFile(fingerprint, digest: digest)
            } catch {
                self = .unreadable
            }
        }
    }

    private static func digest(of file: borrowing Descriptor) throws(SystemError) -> UInt64 {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 8)
        defer { buffer.deallocate() }
        var digest = SHA256()
        var offset: UInt64 = 0
        while true {
            let count = try file.read(into: buffer, at: offset)
            if count == 0 { break }
            digest.update(Array(buffer[..<count]))
            offset += UInt64(count)
        }
        return digest.finish().prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }
}
