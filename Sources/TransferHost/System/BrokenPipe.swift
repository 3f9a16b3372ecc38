import CLinux
import Glibc

/// SIGPIPE, which kills a process that sends to a closed peer.
package enum BrokenPipe {
    /// Makes a call without the signal, for calls such as `sendfile` that have no flag against it.
    /// `code` is the call's error number.
    package static func hushed(_ call: () -> Int) -> (result: Int, code: Int32) {
        var (wanted, before) = (sigset_t(), sigset_t())
        sigemptyset(&wanted)
        sigaddset(&wanted, SIGPIPE)
        // The signal goes to the sending thread, and stays pending while it is blocked.
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
