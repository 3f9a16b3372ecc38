import Quantities
import RunLog

extension LinkTerms {
    /// Whether packets leave at the chances of a trace, which take no time.
    var hasChances: Bool { chances != nil || trace != nil }

    /// The least time from the beginning of a packet's sending to its arrival, in nanoseconds.
    func leastTime(of size: UInt16) -> UInt64 {
        let wire = hasChances ? .zero : rate.timeToSend(ByteCount(UInt64(size)))
        return (wire + delay).nanoseconds.magnitude
    }
}
