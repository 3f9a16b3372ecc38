import CLinux
import Glibc

/// The signal that comes to whoever sends to a peer that is gone, and of which a process dies.
enum BrokenPipe {
    /// Makes a call that has no flag to keep the signal away, as `sendfile` has none: it fails and
    /// no more. `code` is the error that it has left.
    static func hushed(_ call: () -> Int) -> (result: Int, code: Int32) {
        var (wanted, before) = (sigset_t(), sigset_t())
        sigemptyset(&wanted)
        sigaddset(&wanted, SIGPIPE)
        // The signal is for the thread that sends, and waits for it as long as it is blocked.
        pthread_sigmask(SIG_BLOCK, &wanted, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        let result = call()
        let code = errno
        if result < 0, code == EPIPE {
            var atOnce = timespec()
            _ = retryingInterrupted { sigtimedwait(&wanted, nil, &atOnce) }
        }
        return (result, code)
    }
}
