import Glibc
import TransferHost

/// The file of a process's flight recorder, which survives a kill.
final class FlightFile {
    private let file: Descriptor
    private var length: UInt64 = 0

    init(at path: String) throws(SystemError) {
        file = try Descriptor(opening: path, O_WRONLY | O_CREAT | O_TRUNC)
    }

    func append(_ bytes: [UInt8]) throws(SystemError) {
        try file.write(bytes, at: length)
        length += UInt64(bytes.count)
    }
}
