import Glibc

/// Turns an interruption from the terminal, or a request to end, into something a loop can wait
/// for, so that a run can put everything away before it ends.
struct Interruption: ~Copyable {
    let descriptor: Descriptor
    private let writing: Descriptor
    private let previous: [(signal: Int32, action: sigaction)]

    private static let signals = [SIGINT, SIGTERM, SIGHUP]
    /// Where the handler writes: the only thing it may touch.
    nonisolated(unsafe) private static var output: Int32 = -1

    /// At most one at a time in a process.
    init() throws(SystemError) {
        precondition(Self.output == -1, "one run at a time waits for interruptions")
        let pipe = try DescriptorPipe()
        Self.output = pipe.writing.number
        var action = sigaction()
        action.__sigaction_handler.sa_handler = { _ in
            var byte: UInt8 = 1
            _ = write(Interruption.output, &byte, 1)
        }
        action.sa_flags = SA_RESTART
        previous = Self.signals.map { signal in
            var old = sigaction()
            sigaction(signal, &action, &old)
            return (signal, old)
        }
        descriptor = pipe.reading
        writing = pipe.writing
    }

    deinit {
        for entry in previous {
            var action = entry.action
            sigaction(entry.signal, &action, nil)
        }
        Self.output = -1
    }
}
