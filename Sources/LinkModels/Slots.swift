package import Quantities

/// Delivery in bursts, like netem's `slot MIN MAX packets N bytes N`: what arrives is gathered and
/// handed over when a slot opens, a random time after the first packet that missed the slot before
/// it. A slot with a limit leaves the rest for the next one (`get_slot_next` of sch_netem.c).
package struct Slots: Sendable {
    private let options: Options
    private var random: RandomStream
    private var opens: UInt64 = 0
    private var packetsLeft: UInt64 = 0
    private var bytesLeft: UInt64 = 0

    package struct Options: Hashable, Sendable {
        package var shortest: TimeSpan
        package var longest: TimeSpan
        package var packets: UInt64?
        /// The packet that reaches this limit is still handed over.
        package var bytes: ByteCount?

        package init(
            shortest: TimeSpan, longest: TimeSpan, packets: UInt64? = nil, bytes: ByteCount? = nil
        ) {
            self.shortest = shortest
            self.longest = longest
            self.packets = packets
            self.bytes = bytes
        }
    }

    init(_ options: Options, random: RandomStream) {
        self.options = options
        self.random = random
    }

    /// Returns when a packet that has arrived is handed over.
    mutating func release(of size: Int, arrivedAt arrival: UInt64) -> UInt64 {
        if arrival > opens { openNext(after: arrival) }
        let moment = opens
        packetsLeft -= 1
        bytesLeft -= min(bytesLeft, UInt64(size))
        if packetsLeft == 0 || bytesLeft == 0 { openNext(after: moment) }
        return moment
    }

    /// Forgets the slot of packets that were dropped.
    mutating func clear() { opens = 0 }

    private mutating func openNext(after moment: UInt64) {
        let range = (options.longest - options.shortest).nanoseconds.magnitude
        let wait = options.shortest.nanoseconds.magnitude + random.below(range + 1)
        opens = moment + wait
        packetsLeft = options.packets ?? .max
        bytesLeft = options.bytes?.bytes ?? .max
    }
}
