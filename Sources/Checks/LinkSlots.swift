import Quantities
import RunLog

/// The bursts of a link that delivers in slots, judged by the link's terms alone.
struct LinkSlots: Sendable {
    private let shortest: UInt64
    private let packets: UInt64
    private let bytes: UInt64
    private var latest: UInt64?
    private var packetsInBurst: UInt64 = 0
    private var bytesInBurst: UInt64 = 0

    init(_ terms: LinkTerms.Slots) {
        shortest = terms.shortest.nanoseconds.magnitude
        packets = terms.packets ?? .max
        bytes = terms.bytes?.bytes ?? .max
    }

    /// Whether a packet fits into the burst of this moment, or begins one that may come so soon.
    mutating func admit(_ size: UInt16, at time: UInt64) -> Bool {
        if time == latest {
            guard packetsInBurst < packets, bytesInBurst < bytes else { return false }
            packetsInBurst += 1
            bytesInBurst += UInt64(size)
            return true
        }
        if let latest, time < latest + shortest { return false }
        latest = time
        packetsInBurst = 1
        bytesInBurst = UInt64(size)
        return true
    }
}
