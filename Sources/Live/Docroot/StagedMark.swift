import CLinux
import Glibc
import Quantities
import TransferHost

/// How many bytes of a staged file are certainly on the disk, kept in an attribute of the file: its
/// length may reach the disk before its bytes.
enum StagedMark {
    private static let name = "user.transferlab.staged"

    /// On a file system without attributes, the length has to be trusted.
    static func set(_ total: ByteCount, of file: borrowing Descriptor) {
        let text = Array("\(total.bytes)".utf8)
        _ = fsetxattr(file.number, name, text, text.count, 0)
    }

    static func lower(to total: ByteCount, of file: borrowing Descriptor) {
        if let mark = read(of: file), mark > total { set(total, of: file) }
    }

    /// `nil` on a file system without attributes.
    static func read(of file: borrowing Descriptor) -> ByteCount? {
        var bytes = [UInt8](repeating: 0, count: 20)
        let count = fgetxattr(file.number, name, &bytes, bytes.count)
        guard count >= 0 else { return errno == ENODATA ? .zero : nil }
        return UInt64(String(decoding: bytes[..<count], as: UTF8.self)).map { ByteCount($0) }
    }
}
