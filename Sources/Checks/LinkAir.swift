import Quantities
import RunLog

/// Aggregates of a Wi-Fi link, judged by the link's terms alone: packets that follow each other
/// faster than a new access allows are in one aggregate.
struct LinkAir: Sendable {
    private let packets: UInt64
    private let bytes: UInt64
    private let framing: UInt64
    private let overhead: UInt64
    private let peak: Bitrate
    private var latest: UInt64?
    /// The latest moment at which the aggregate can have begun.
    private var begin: UInt64 = 0
    private var packetsOnAir: UInt64 = 0
    private var bytesOnAir: UInt64 = 0

    init(_ terms: LinkTerms.Air, peak: Bitrate) {
        packets = terms.packets
        bytes = terms.bytes.bytes
        framing = terms.framing
        overhead = terms.overhead.nanoseconds.magnitude
        self.peak = peak
    }

    /// Whether a packet may leave at a moment, after all others that have left.
    mutating func admits(_ size: UInt16, sentAt: UInt64, leavingAt departure: UInt64) -> Bool {
        let framed = UInt64(size) + framing
        let airtime = peak.timeToSend(ByteCount(framed)).nanoseconds.magnitude
        let earliest = max(latest.map { $0 + overhead } ?? 0, sentAt) + airtime
        defer { latest = departure }
        if departure >= earliest {
            begin = departure - airtime
            (packetsOnAir, bytesOnAir) = (1, framed)
            return true
        }
        packetsOnAir += 1
        bytesOnAir += framed
        guard let latest, departure >= latest + airtime else { return false }
        return packetsOnAir <= packets && bytesOnAir <= bytes && sentAt <= begin
    }

    /// Returns the earliest end of sending a packet.
    func earliestEnd(of size: UInt16, from moment: UInt64) -> UInt64 {
        moment + peak.timeToSend(ByteCount(UInt64(size) + framing)).nanoseconds.magnitude
    }
}
