import CLinux
package import Glibc

/// A file descriptor that its owner closes.
package struct Descriptor: ~Copyable, Sendable {
    package let number: Int32

    package init(adopting number: Int32) { self.number = number }

    package init(opening path: String, _ flags: Int32, mode: UInt32 = 0o644) throws(SystemError) {
        number = retryingInterrupted { open(path, flags | O_CLOEXEC, mode) }
        guard number >= 0 else { throw SystemError("open \(path)") }
    }

    /// Opens a name in a folder; refuses a link.
    package init(
        opening name: String, in folder: borrowing Descriptor, _ flags: Int32,
        mode: UInt32 = 0o644
    ) throws(SystemError) {
        let parent = folder.number
        number = retryingInterrupted {
            openat(parent, name, flags | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, mode)
        }
        guard number >= 0 else { throw SystemError("open “\(name)”") }
    }

    deinit { close(number) }

    package func status() throws(SystemError) -> stat {
        var result = stat()
        guard fstat(number, &result) == 0 else { throw SystemError("look at a file") }
        return result
    }

    package func doNotBlock() throws(SystemError) {
        guard fcntl(number, F_SETFL, fcntl(number, F_GETFL) | O_NONBLOCK) == 0 else {
            throw SystemError("stop a descriptor from blocking")
        }
    }

    /// Another number for the same open file, which the caller closes.
    package func duplicate() throws(SystemError) -> Int32 {
        let copy = fcntl(number, F_DUPFD_CLOEXEC, 0)
        guard copy >= 0 else { throw SystemError("duplicate a descriptor") }
        return copy
    }

    /// Writes all bytes at a place of the file.
    package func write(_ bytes: [UInt8], at offset: UInt64) throws(SystemError) {
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

    /// Returns the bytes at a place of the file: `limit` of them, or fewer at the file's end.
    package func bytes(atMost limit: Int, at offset: UInt64 = 0) throws(SystemError) -> [UInt8] {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: limit, alignment: 8)
        defer { buffer.deallocate() }
        var filled = 0
        while filled < limit {
            let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[filled...])
            let place = off_t(offset) + off_t(filled)
            let count = retryingInterrupted { pread(number, rest.baseAddress, rest.count, place) }
            guard count >= 0 else { throw SystemError("read") }
            if count == 0 { break }
            filled += count
        }
        return Array(buffer[..<filled])
    }

    /// Makes what was written survive a loss of power.
    package func synchronise() throws(SystemError) {
        guard retryingInterrupted({ fsync(number) }) == 0 else {
            throw SystemError("bring a file to the disk")
        }
    }

    /// Does the same for everything on its file system.
    package func synchroniseFileSystem() throws(SystemError) {
        guard retryingInterrupted({ syncfs(number) }) == 0 else {
            throw SystemError("bring a file system to the disk")
        }
    }
}

/// A pipe.
package struct DescriptorPipe: ~Copyable, Sendable {
    package let reading: Descriptor
    package let writing: Descriptor

    package init() throws(SystemError) {
        var numbers: [Int32] = [-1, -1]
        guard pipe2(&numbers, O_CLOEXEC) == 0 else { throw SystemError("make a pipe") }
        reading = Descriptor(adopting: numbers[0])
        writing = Descriptor(adopting: numbers[1])
    }

    /// Keeps the end to read from, and closes the other.
    package consuming func readingEnd() -> Descriptor { reading }
}
