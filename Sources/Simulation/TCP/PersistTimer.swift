/// When to ask a peer that has closed its window whether it is still closed (RFC 9293 §3.8.6.1):
/// the news that it has opened may be lost.
struct PersistTimer {
    private(set) var deadline = RetransmissionTimer.never
    /// How many questions in a row found no answer.
    private(set) var unanswered = 0
    private var asked = 0

    private static let longest: UInt64 = 60_000_000_000

    /// The window is closed, and nothing is on the way whose answer could open it.
    mutating func begin(at now: UInt64, timeout: UInt64) {
        if deadline == RetransmissionTimer.never { deadline = now &+ wait(timeout) }
    }

    /// A question leaves; each waits twice as long as the one before.
    mutating func asks(at now: UInt64, timeout: UInt64) {
        asked += 1
        unanswered += 1
        deadline = now &+ wait(timeout)
    }

    mutating func answered() { unanswered = 0 }

    /// The window is open.
    mutating func stop() { self = PersistTimer() }

    private func wait(_ timeout: UInt64) -> UInt64 {
        var wait = timeout
        for _ in 0..<asked where wait < Self.longest { wait *= 2 }
        return min(wait, Self.longest)
    }
}
