import CLinux
import Glibc
import Synchronization
package import TransferHost

/// Turns Ctrl-C or a request to end into something that a loop can wait for, so that a run can
/// clean up before it ends.
///
/// Signals belong to the whole process: all runs in it hear of the same interruption.
package struct Interruption: ~Copyable {
    /// Readable from the moment when the process is asked to end.
    let descriptor: Int32

    /// Whether the process was asked to end.
    package var hasHappened: Bool {
        var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return retryingInterrupted { poll(&request, 1, 0) } > 0
    }

    private static let signals = [SIGINT, SIGTERM, SIGHUP]
    private static let watch = Mutex<Watch?>(nil)
    /// Where the handler writes: the only variable that it may touch.
    nonisolated(unsafe) private static var output: Int32 = -1

    /// The signal handlers: the first run installs them, and the last run removes them.
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
        // The parent of this process may have blocked these signals.
        var unblocked = sigset_t()
        sigemptyset(&unblocked)
        for signal in signals { sigaddset(&unblocked, signal) }
        pthread_sigmask(SIG_UNBLOCK, &unblocked, nil)
        return Watch(pipe: pipe, previous: previous)
    }

    /// Whether a signal is ignored, as SIGHUP is under `nohup`.
    private static func isIgnored(_ signal: Int32) -> Bool {
        var action = sigaction()
        sigaction(signal, nil, &action)
        return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
            == unsafeBitCast(SIG_IGN, to: Int.self)
    }
}
