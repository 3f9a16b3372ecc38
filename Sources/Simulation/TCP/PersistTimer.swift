/// Decides when to probe a peer's closed window (RFC 9293 §3.8.6.1), because the news that the
/// window has opened may be lost.
struct PersistTimer {
    private(set) var deadline = RetransmissionTimer.never
    /// Probes in a row without an answer.
    private(set) var unanswered = 0
    private var asked = 0

    private static let longest: UInt64 = 60_000_000_000

    /// Starts the timer, because the window is closed and no answer on the way could open it.
    mutating func begin(at now: UInt64, timeout: UInt64) {
        if deadline == RetransmissionTimer.never { deadline = now &+ wait(timeout) }
    }

    /// Notes a probe, and doubles the wait for the next one.
    mutating func asks(at now: UInt64, timeout: UInt64) {
        asked += 1
        unanswered += 1
        deadline = now &+ wait(timeout)
    }

    mutating func answered() { unanswered = 0 }

    mutating func stop() { self = PersistTimer() }

    private func wait(_ timeout: UInt64) -> UInt64 {
        var wait = timeout
        for _ in 0..<asked where wait < Self.longest { wait *= 2 }
        return min(wait, Self.longest)
    }
}
