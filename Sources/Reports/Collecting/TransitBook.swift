import Quantities

/// A histogram of the packets' transit times, of fixed size. Each power of two has 64 bins, so that
/// a figure is at most 1.6 % too low.
struct TransitBook: Sendable {
    private static let fineBits = 6

    private var departures = Departures()
    private var bins: [UInt64] = []
    private var measured: UInt64 = 0
    private var longest: UInt64 = 0

    @inline(__always)
    mutating func leaves(packet: UInt32, at nanoseconds: UInt64) {
        departures.note(packet, at: nanoseconds)
    }

    @inline(__always)
    mutating func arrives(packet: UInt32, at nanoseconds: UInt64) {
        guard let time = departures.transit(of: packet, until: nanoseconds) else { return }
        if bins.isEmpty { bins = Array(repeating: 0, count: 64 << Self.fineBits) }
        bins[Self.bin(of: time)] += 1
        measured += 1
        longest = max(longest, time)
    }

    var figures: TransitFigures? {
        guard measured > 0 else { return nil }
        return TransitFigures(
            median: percentile(50), percentile95: percentile(95), percentile99: percentile(99),
            longest: TimeSpan(nanoseconds: Int64(longest)))
    }

    private func percentile(_ percent: UInt64) -> TimeSpan {
        let rank = max(1, (measured * percent + 99) / 100)
        var seen: UInt64 = 0
        for (bin, count) in bins.enumerated() {
            seen += count
            if seen >= rank {
                return TimeSpan(nanoseconds: Int64(min(Self.floor(of: bin), longest)))
            }
        }
        return TimeSpan(nanoseconds: Int64(longest))
    }

    private static func bin(of time: UInt64) -> Int {
        guard time >= 1 << fineBits else { return Int(time) }
        let power = 63 - time.leadingZeroBitCount
        let fine = Int(time >> UInt64(power - fineBits)) & (1 << fineBits - 1)
        return (power - fineBits + 1) << fineBits | fine
    }

    private static func floor(of bin: Int) -> UInt64 {
        let power = bin >> fineBits
        let fine = UInt64(bin & (1 << fineBits - 1))
        return power == 0 ? fine : (UInt64(1 << fineBits) | fine) << UInt64(power - 1)
    }
}

/// When the packets on their way were sent. Only the newest are kept.
struct Departures: Sendable {
    private static let window = 1 << 14

    private var entries: [Entry] = []

    private struct Entry {
        var packet: UInt32
        var at: UInt64
    }

    @inline(__always)
    mutating func note(_ packet: UInt32, at nanoseconds: UInt64) {
        if entries.isEmpty {
            entries = Array(repeating: Entry(packet: .max, at: 0), count: Self.window)
        }
        entries[Int(packet) & (Self.window - 1)] = Entry(packet: packet, at: nanoseconds)
    }

    /// Returns how long a packet was on its way; `nil` if its departure is not known.
    @inline(__always)
    func transit(of packet: UInt32, until nanoseconds: UInt64) -> UInt64? {
        guard !entries.isEmpty else { return nil }
        let entry = entries[Int(packet) & (Self.window - 1)]
        guard entry.packet == packet, nanoseconds >= entry.at else { return nil }
        return nanoseconds - entry.at
    }
}
