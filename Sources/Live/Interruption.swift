import CLinux
import Glibc
import Synchronization

/// Turns an interruption from the terminal, or a request to end, into something a loop can wait
/// for, so that a run can put everything away before it ends.
///
/// Signals belong to the whole process: all runs in it hear of the same interruption.
package struct Interruption: ~Copyable {
    /// Readable once the process was asked to end, and from then on.
    let descriptor: Int32

    /// Whether the process was asked to end.
    package var hasHappened: Bool {
        var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return retryingInterrupted { poll(&request, 1, 0) } > 0
    }

    private static let signals = [SIGINT, SIGTERM, SIGHUP]
    private static let watch = Mutex<Watch?>(nil)
    /// Where the handler writes: the only thing it may touch.
    nonisolated(unsafe) private static var output: Int32 = -1

    /// What the first run begins and the last one ends.
    private struct Watch: ~Copyable {
        let pipe: DescriptorPipe
        let previous: [(signal: Int32, action: sigaction)]
        var users = 1
    }

    package init() throws(SystemError) {
        descriptor = try Self.watch.withLock { watch throws(SystemError) in
            if watch != nil {
                watch?.users += 1
            } else {
                watch = try Self.begin()
            }
            return watch?.pipe.reading.number ?? -1
        }
    }

    deinit {
        Self.watch.withLock { watch in
            watch?.users -= 1
            guard watch?.users == 0 else { return }
            for entry in watch?.previous ?? [] {
                var action = entry.action
                sigaction(entry.signal, &action, nil)
            }
            Self.output = -1
            watch = nil
        }
    }

    private static func begin() throws(SystemError) -> Watch {
        let pipe = try DescriptorPipe()
        output = pipe.writing.number
        var action = sigaction()
        action.__sigaction_handler.sa_handler = { _ in
            var byte: UInt8 = 1
            _ = write(Interruption.output, &byte, 1)
        }
        action.sa_flags = SA_RESTART
        let heard = signals.filter { $0 != SIGHUP || !isIgnored($0) }
        let previous = heard.map { signal in
            var old = sigaction()
            sigaction(signal, &action, &old)
            return (signal, old)
        }
        // Whoever started this process may have blocked them for it.
        var unblocked = sigset_t()
        sigemptyset(&unblocked)
        for signal in signals { sigaddset(&unblocked, signal) }
        pthread_sigmask(SIG_UNBLOCK, &unblocked, nil)
        return Watch(pipe: pipe, previous: previous)
    }

    /// As under `nohup`, whose point it is that a run goes on when its terminal is gone.
    private static func isIgnored(_ signal: Int32) -> Bool {
        var action = sigaction()
        sigaction(signal, nil, &action)
        return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
            == unsafeBitCast(SIG_IGN, to: Int.self)
    }
}
