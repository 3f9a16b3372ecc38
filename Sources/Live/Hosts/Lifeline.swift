import Glibc
import TransferHost

/// The process's ends of the pipes to and from its parent.
package struct ProcessLines {
    /// Events go out here, each on a line.
    package var events: Int32
    /// Messages of the parent come in here; when it ends, the process does.
    package var lifeline: Int32

    package static let standard = ProcessLines(events: STDOUT_FILENO, lifeline: STDIN_FILENO)

    init(events: Int32, lifeline: Int32) {
        self.events = events
        self.lifeline = lifeline
    }
}

/// The parent's messages, line by line.
struct Lifeline {
    let descriptor: Int32
    private var buffer = LineBuffer()

    init(_ descriptor: Int32) { self.descriptor = descriptor }

    /// Returns the lines that have come; `nil` once the other end is closed.
    mutating func hear() -> [[UInt8]]? {
        var chunk = [UInt8](repeating: 0, count: 4096)
        let count = retryingInterrupted { read(descriptor, &chunk, chunk.count) }
        guard count > 0 else { return nil }
        buffer.append(chunk[..<count])
        return buffer.takeLines()
    }
}
