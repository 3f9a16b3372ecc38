import CLinux
package import Glibc
package import Quantities

/// The machine's monotonic clock, counted from a start. All processes of a live run share one, so
/// that an effect never seems earlier than its cause.
package struct MachineClock: Hashable, Sendable {
    /// The run's start on the monotonic clock, in nanoseconds.
    package let startNanoseconds: UInt64
    /// The wall clock's time at 0 of the monotonic clock.
    private let wallOffset: UInt64

    package init() { self.init(startNanoseconds: Self.read(CLOCK_MONOTONIC)) }

    /// The clock of a run that another process started.
    package init(startNanoseconds: UInt64) {
        self.startNanoseconds = startNanoseconds
        wallOffset = Self.measureWallOffset()
    }

    package var now: Instant {
        // A run may be prepared shortly before it starts.
        let time = Self.read(CLOCK_MONOTONIC)
        return Instant(nanoseconds: time > startNanoseconds ? time - startNanoseconds : 0)
    }

    /// How long a call may wait.
    package func time(until deadline: Instant) -> timespec {
        let now = now
        let rest = deadline > now ? UInt64((deadline - now).nanoseconds) : 0
        return timespec(
            tv_sec: Int(clamping: rest / 1_000_000_000), tv_nsec: Int(rest % 1_000_000_000))
    }

    /// Waits until one of the descriptors is ready, or until a deadline. Returns false if the wait
    /// was interrupted.
    package func poll(_ descriptors: inout [pollfd], until deadline: Instant?) -> Bool {
        let count = nfds_t(descriptors.count)
        guard let deadline else { return ppoll(&descriptors, count, nil, nil) >= 0 }
        var time = time(until: deadline)
        return ppoll(&descriptors, count, &time, nil) >= 0
    }

    /// The wall clock at the run's start, since 1970.
    package var wallNanosecondsAtStart: UInt64 { wallOffset + startNanoseconds }

    /// The two clocks cannot be read at once. The best of several tries is the one with the
    /// shortest time between two readings of the monotonic clock.
    private static func measureWallOffset() -> UInt64 {
        var best = (width: UInt64.max, offset: UInt64(0))
        for _ in 0..<16 {
            let before = read(CLOCK_MONOTONIC)
            let wall = read(CLOCK_REALTIME)
            let after = read(CLOCK_MONOTONIC)
            guard after - before < best.width else { continue }
            best = (after - before, wall - (before + (after - before) / 2))
        }
        return best.offset
    }

    private static func read(_ clock: clockid_t) -> UInt64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }
}
