import CLinux
import Glibc

/// How large the kernel lets the files of a process become: its disk is full then, as far as the
/// process can see. Pipes and sockets do not mind.
enum FileLimit {
    /// `nil` is as large as it may have it; the process itself is 0.
    static func set(_ size: UInt64?, for process: pid_t = 0) {
        var limit = rlimit()
        guard prlimit(process, FILE_SIZE_LIMIT, nil, &limit) == 0 else { return }
        // The hard limit stays, so that it can be lifted again.
        limit.rlim_cur = size.map { min(rlim_t($0), limit.rlim_max) } ?? limit.rlim_max
        prlimit(process, FILE_SIZE_LIMIT, &limit, nil)
    }

    /// Without this a process that meets its limit is killed, and not only refused.
    static func isNoSignal() { signal(SIGXFSZ, SIG_IGN) }
}
