import CLinux
import Glibc

/// A file descriptor that is closed when its owner is done with it.
struct Descriptor: ~Copyable {
    let number: Int32

    init(adopting number: Int32) { self.number = number }

    init(opening path: String, _ flags: Int32, mode: mode_t = 0o644) throws(SystemError) {
        number = retryingInterrupted { open(path, flags | O_CLOEXEC, mode) }
        guard number >= 0 else { throw SystemError("open \(path)") }
    }

    /// A name in a folder; a link at that name is refused rather than followed.
    init(
        opening name: String, in folder: borrowing Descriptor, _ flags: Int32,
        mode: mode_t = 0o644
    ) throws(SystemError) {
        let parent = folder.number
        number = retryingInterrupted {
            openat(parent, name, flags | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, mode)
        }
        guard number >= 0 else { throw SystemError("open “\(name)”") }
    }

    deinit { close(number) }

    func status() throws(SystemError) -> stat {
        var result = stat()
        guard fstat(number, &result) == 0 else { throw SystemError("look at a file") }
        return result
    }

    func doNotBlock() throws(SystemError) {
        guard fcntl(number, F_SETFL, fcntl(number, F_GETFL) | O_NONBLOCK) == 0 else {
            throw SystemError("stop a descriptor from blocking")
        }
    }

    /// The same open file by a number of its own, for whoever will close it.
    func duplicate() throws(SystemError) -> Int32 {
        let copy = fcntl(number, F_DUPFD_CLOEXEC, 0)
        guard copy >= 0 else { throw SystemError("duplicate a descriptor") }
        return copy
    }

    /// All of these bytes, at a place of a file.
    func write(_ bytes: [UInt8], at offset: UInt64) throws(SystemError) {
        var place = 0
        while place < bytes.count {
            let count = bytes[place...].withUnsafeBytes { rest in
                retryingInterrupted {
                    pwrite(number, rest.baseAddress, rest.count, off_t(offset) + off_t(place))
                }
            }
            guard count >= 0 else { throw SystemError("write") }
            place += count
        }
    }

    /// As many bytes as the file has from there on, and the buffer holds.
    func read(
        into buffer: UnsafeMutableRawBufferPointer, at offset: UInt64
    ) throws(SystemError) -> Int {
        let count = retryingInterrupted {
            pread(number, buffer.baseAddress, buffer.count, off_t(offset))
        }
        guard count >= 0 else { throw SystemError("read") }
        return count
    }

    /// Fills a buffer as far as the file goes. Returns how many bytes it has read.
    func fill(
        _ buffer: UnsafeMutableRawBufferPointer, at offset: UInt64
    ) throws(SystemError) -> Int {
        var filled = 0
        while filled < buffer.count {
            let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[filled...])
            let count = try read(into: rest, at: offset + UInt64(filled))
            if count == 0 { break }
            filled += count
        }
        return filled
    }

    /// What was written survives a loss of power.
    func synchronise() throws(SystemError) {
        guard retryingInterrupted({ fsync(number) }) == 0 else {
            throw SystemError("bring a file to the disk")
        }
    }
}

/// What is written to one end comes out of the other.
struct DescriptorPipe: ~Copyable {
    let reading: Descriptor
    let writing: Descriptor

    init() throws(SystemError) {
        var numbers: [Int32] = [-1, -1]
        guard pipe2(&numbers, O_CLOEXEC) == 0 else { throw SystemError("make a pipe") }
        reading = Descriptor(adopting: numbers[0])
        writing = Descriptor(adopting: numbers[1])
    }
}
