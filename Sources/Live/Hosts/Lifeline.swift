import Glibc

/// The ends of what ties a process on a phone to its parent, whose ends of these are its means of
/// listening and of holding on.
package struct ProcessLines {
    /// Events go out here, one a line.
    package var events: Int32
    /// The parent tells here what happens; when it ends, the process does.
    package var lifeline: Int32

    package static let standard = ProcessLines(events: STDOUT_FILENO, lifeline: STDIN_FILENO)

    init(events: Int32, lifeline: Int32) {
        self.events = events
        self.lifeline = lifeline
    }
}

/// What the parent tells a process, line by line.
struct Lifeline {
    let descriptor: Int32
    private var buffer = LineBuffer()

    init(_ descriptor: Int32) { self.descriptor = descriptor }

    /// The lines that have come; `nil` once nobody holds the other end any more.
    mutating func hear() -> [[UInt8]]? {
        var chunk = [UInt8](repeating: 0, count: 4096)
        let count = retryingInterrupted { read(descriptor, &chunk, chunk.count) }
        guard count > 0 else { return nil }
        buffer.append(chunk[..<count])
        return buffer.takeLines()
    }
}
