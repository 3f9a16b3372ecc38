import LinkModels
import Quantities
import TransferHost

/// Packets of others on an emulated link: they take its time and its queue, and nobody gets them.
struct OtherPackets {
    private var source: TrafficSource
    private let size: Int
    /// The time from the beginning of the flow to the next packet; `nil` if there is none.
    private(set) var next: TimeSpan?

    /// No packet of a device begins like this: it is no IP version.
    private static let mark: UInt8 = 0

    init(_ plan: TrafficSource.Plan, seed: UInt64) {
        // The simulator's name for the first stream of others, so that both draw the same bursts.
        let random = RandomStream(seed: seed, name: "uplink/cross-traffic")
        source = TrafficSource(plan, random: random)
        size = Int(plan.packetSize.bytes)
        next = source.next()?.sinceStart
    }

    /// Writes the next packet, and returns its length.
    mutating func write(to bytes: UnsafeMutableRawBufferPointer) -> Int {
        bytes[0] = Self.mark
        next = source.next()?.sinceStart
        return size
    }

    static func contain(_ packet: UnsafeRawBufferPointer) -> Bool { packet.first == mark }
}
