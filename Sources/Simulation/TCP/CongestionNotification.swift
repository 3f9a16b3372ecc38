import RunLog

/// Explicit congestion notification (RFC 3168 §6.1): queues mark packets instead of dropping them,
/// the receiver echoes the mark, and the sender slows down once and says so.
///
///     sender                                    receiver
///     content, capable ──── queue marks ───────▶ experienced
///     reduces once     ◀─── ECE, ECE, ECE … ──── echoes, until
///     new content, CWR ────────────────────────▶ stops
struct CongestionNotification {
    private let isWanted: Bool
    private(set) var isAgreed = false
    /// Whether a mark has arrived and the peer has not confirmed a reduction.
    private var isEchoing = false
    /// Whether the next new content must report a reduction.
    private var mustTell = false
    /// Highest sequence number at the latest reduction: one reduction covers everything before it
    /// (§6.1.2).
    private var reducedUntil: UInt64 = 0

    init(isWanted: Bool) { self.isWanted = isWanted }

    // MARK: The handshake (§6.1.1)

    /// Returns the flags that ask or agree. As in Linux, a retransmitted SYN does not ask: the
    /// flags may be why the first SYN was lost.
    func handshakeFlags(isAnswer: Bool, isRepetition: Bool) -> PacketRecord.Flags {
        if isAnswer { return isAgreed ? .ece : [] }
        return isWanted && !isRepetition ? [.ece, .cwr] : []
    }

    mutating func synArrived(_ flags: PacketRecord.Flags) {
        let isAnswer = flags.contains(.ack)
        isAgreed = isWanted && flags.contains(.ece) && flags.contains(.cwr) != isAnswer
    }

    // MARK: The receiving half (§6.1.3)

    /// Notes content on a connection that has agreed. Returns true if the peer must be told at
    /// once.
    mutating func contentArrived(_ packet: UnsafePointer<Packet>) -> Bool {
        if packet.pointee.flags.contains(.cwr) { isEchoing = false }
        guard packet.pointee.codepoint == .experienced, !isEchoing else { return false }
        isEchoing = true
        return true
    }

    // MARK: The sending half (§6.1.2)

    /// Whether an acknowledgement asks for a new reduction.
    @inline(__always)
    func asksForReduction(_ packet: UnsafePointer<Packet>) -> Bool {
        packet.pointee.flags.rawValue & PacketRecord.Flags.ece.rawValue != 0 && isAgreed
            && packet.pointee.acknowledgement > reducedUntil && !packet.pointee.flags.contains(.syn)
    }

    /// Notes a reduction of the window, for a mark or a loss.
    mutating func reduced(until next: UInt64) {
        reducedUntil = next
        mustTell = true
    }

    /// Returns flags and codepoint of a departing packet on a connection that has agreed. Only new
    /// content may be marked (§6.1.4 and §6.1.5).
    mutating func leaves(
        _ flags: PacketRecord.Flags, isNewContent: Bool
    ) -> (PacketRecord.Flags, PacketRecord.Codepoint) {
        var flags = flags
        if isEchoing { flags.insert(.ece) }
        guard isNewContent else { return (flags, .notCapable) }
        if mustTell {
            flags.insert(.cwr)
            mustTell = false
        }
        return (flags, .capable)
    }
}
