import Glibc

/// Numbers that are never given twice, not even by the next server: a file holds the number below
/// which all are spent, and is moved on a thousand at a time, before the first of them is used.
struct VersionCounter {
    private let path: String
    private var last: UInt64
    private var ceiling: UInt64

    private static let step: UInt64 = 1_000

    /// A missing file is a counter that was never used.
    init(at path: String) throws(SystemError) {
        self.path = path
        let text = try Self.read(path)
        guard let spent = text.isEmpty ? 0 : UInt64(text) else {
            throw SystemError("read the counter in \(path)", code: EINVAL)
        }
        last = spent
        ceiling = spent
    }

    /// All up to here may be in use.
    var spent: UInt64 { ceiling }

    mutating func next() throws(SystemError) -> UInt64 {
        try reserve(last + 1)
        last += 1
        return last
    }

    /// Sees to it that no later counter gives this number.
    mutating func reserve(_ number: UInt64) throws(SystemError) {
        guard number > ceiling else { return }
        let next = number + Self.step
        let draft = path + ".new"
        do {
            let file = try Descriptor(opening: draft, O_WRONLY | O_CREAT | O_TRUNC)
            try file.write(Array("\(next)".utf8), at: 0)
            try file.synchronise()
        }
        guard rename(draft, path) == 0 else { throw SystemError("move \(draft) to \(path)") }
        ceiling = next
    }

    private static func read(_ path: String) throws(SystemError) -> String {
        guard access(path, F_OK) == 0 else { return "" }
        let file = try Descriptor(opening: path, O_RDONLY)
        return String(decoding: try file.bytes(atMost: 32), as: UTF8.self)
    }
}

extension Descriptor {
    /// All that a small file holds.
    func bytes(atMost limit: Int) throws(SystemError) -> [UInt8] {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: limit, alignment: 1)
        defer { buffer.deallocate() }
        let count = try read(into: buffer, at: 0)
        return Array(buffer[..<count])
    }
}
