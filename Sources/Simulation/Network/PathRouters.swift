import LinkModels
import Quantities
import RunLog

/// Routers that drop packets larger than their limit, and tell the senders (RFC 1191, RFC 8201).
///
/// They see every packet that is sent. The links themselves drop what is too large.
struct PathRouters {
    /// The largest packets, indexed by link; `nil`: there is no router.
    private let limits: [UInt16?]
    private var refused: [Refusal] = []
    /// A packet that is too large and about to be sent, and the drops of its link before.
    private var coming: (Refusal, dropsBefore: UInt64)?

    /// A packet that was dropped, and its sender.
    struct Refusal {
        let link: Int32
        let sender: Int32
        let generation: UInt8
        let sequence: UInt64
        let size: UInt16
        let number: UInt32
        let limit: UInt16
        let isIPv6: Bool

        /// The message to the sender. Where it has no use for a field of TCP's, the field describes
        /// the packet that was dropped.
        func message(atNanoseconds now: UInt64) -> Packet {
            Packet(
                endpoint: sender, generation: generation, sequence: sequence, stamp: now,
                acknowledgement: UInt64(size), echo: UInt64(number), window: limit, payload: 0,
                form: isIPv6 ? .tooLargeOverIPv6 : .tooLarge, flags: [], isIPv6: isIPv6)
        }
    }

    /// Timer slot after those of the hosts.
    static let slot = NameService.slot - 1

    /// Returns `nil` if no router has a limit.
    init?(_ plans: [LinkPlan]) {
        let sizes = plans.map { $0.largestPacket(told: .byRouter) }
        guard sizes.contains(where: { $0 != nil }) else { return nil }
        limits = sizes.map { $0.map { UInt16(clamping: $0.bytes) } }
    }

    /// Notes a packet that is about to be sent, on a link that has dropped so many as too large.
    /// Nobody would hear a message about a datagram.
    mutating func see(
        _ packet: UnsafePointer<Packet>, number: UInt32, on link: Int32, dropsBefore: UInt64
    ) {
        guard limits.indices.contains(Int(link)), let limit = limits[Int(link)],
            packet.pointee.size > limit, !packet.pointee.isDatagram
        else { return }
        let refusal = Refusal(
            link: link, sender: packet.pointee.endpoint ^ 1,
            generation: packet.pointee.generation, sequence: packet.pointee.sequence,
            size: packet.pointee.size, number: number, limit: limit,
            isIPv6: packet.pointee.family == .ipv6)
        coming = (refusal, dropsBefore)
    }

    /// Notes what has become of the packet seen last. Returns true if it is the first to be
    /// answered: it was dropped as too large, and not lost on its way to the router.
    mutating func judge(drops: UInt64) -> Bool {
        guard let (refusal, before) = coming else { return false }
        coming = nil
        guard drops > before else { return false }
        refused.append(refusal)
        return refused.count == 1
    }

    /// Returns what has been dropped since the last call.
    mutating func takeRefused() -> [Refusal] {
        defer { refused = [] }
        return refused
    }
}
