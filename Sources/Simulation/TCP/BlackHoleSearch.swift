import RunPlan

/// Finds out that large packets vanish on the way, by timeouts in a row, as systems do it.
///
/// - Linux with `tcp_mtu_probing = 1` sends segments of 1024 bytes once there was no answer for
///   three seconds after the first timeout, and halves them at each timeout after that.
/// - iOS and macOS send segments of 1188 bytes, or of 500 if they were that small already, after
///   the second timeout, and return to the former size after the fifth.
struct BlackHoleSearch {
    private let manner: TCPSettings.BlackHoleDetection
    private var firstTimeoutAt: UInt64 = 0
    /// Linux's size of segments; `nil` before it has given up the full one.
    private var halved: UInt64?
    /// Size before Apple's attempt, while that lasts.
    private var sizeBefore: UInt64?

    /// Linux's `tcp_base_mss`, `tcp_mtu_probe_floor`, and the time of `tcp_retries1` timeouts.
    private static let linuxSize: UInt64 = 1024
    private static let linuxFloor: UInt64 = 48
    private static let linuxSilence: UInt64 = 3_000_000_000
    /// `net.inet.tcp.pmtud_blackhole_mss` and `net.inet.tcp.mssdflt`, without timestamps.
    private static let appleSize: UInt64 = 1200 - 12
    private static let appleFloor: UInt64 = 512 - 12

    init(_ manner: TCPSettings.BlackHoleDetection) { self.manner = manner }

    /// Notes a timeout, the `count`th in a row; `largest` is the largest payload on the way.
    /// Returns the size of segments from now on, unless it stays.
    mutating func timedOut(
        count: Int, segment: UInt64, largest: UInt64, at now: UInt64
    ) -> UInt64? {
        switch manner {
        case .off: return nil
        case .linux:
            if count == 1 { firstTimeoutAt = now }
            guard count > 1, now - firstTimeoutAt >= Self.linuxSilence else { return nil }
            let next = halved.map { max($0 / 2, Self.linuxFloor) } ?? Self.linuxSize
            halved = next
            return min(next, segment)
        case .apple:
            if let before = sizeBefore {
                guard count == 5 else { return nil }
                sizeBefore = nil
                return before
            }
            let next = segment > Self.appleSize ? Self.appleSize : Self.appleFloor
            guard count == 2, largest > next else { return nil }
            sizeBefore = segment
            return next
        }
    }
}
