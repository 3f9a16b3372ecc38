import RunLog

/// Explicit congestion notification (RFC 3168 §6.1): queues mark packets instead of dropping them,
/// the receiver echoes that, and the sender slows down once and says so.
///
///     sender                                    receiver
///     content, capable ──── queue marks ───────▶ experienced
///     reduces once     ◀─── ECE, ECE, ECE … ──── echoes, until
///     new content, CWR ────────────────────────▶ stops
struct CongestionNotification {
    /// Whether this host speaks it, and whether its peer has agreed.
    private let isWanted: Bool
    private(set) var isAgreed = false
    /// Something marked has arrived, and the peer has not said that it has slowed down.
    private var isEchoing = false
    /// The next new content says that the window was reduced.
    private var mustTell = false
    /// The end of what had been sent when the window was last reduced: one reduction is enough for
    /// all of that (§6.1.2).
    private var reducedUntil: UInt64 = 0

    init(isWanted: Bool) { self.isWanted = isWanted }

    // MARK: The handshake (§6.1.1)

    /// The flags that ask for it, or agree. What asks again does not, as in Linux: the first SYN
    /// may have been lost to somebody who does not like its flags.
    func handshakeFlags(isAnswer: Bool, isRepetition: Bool) -> PacketRecord.Flags {
        if isAnswer { return isAgreed ? .ece : [] }
        return isWanted && !isRepetition ? [.ece, .cwr] : []
    }

    mutating func synArrived(_ flags: PacketRecord.Flags) {
        let isAnswer = flags.contains(.ack)
        isAgreed = isWanted && flags.contains(.ece) && flags.contains(.cwr) != isAnswer
    }

    // MARK: The receiving half (§6.1.3)

    /// Content has arrived on a connection that has agreed; answers whether the peer must hear of
    /// it at once.
    mutating func contentArrived(_ packet: UnsafePointer<Packet>) -> Bool {
        if packet.pointee.flags.contains(.cwr) { isEchoing = false }
        guard packet.pointee.codepoint == .experienced, !isEchoing else { return false }
        isEchoing = true
        return true
    }

    // MARK: The sending half (§6.1.2)

    /// Whether an acknowledgement asks for a reduction that was not made yet.
    @inline(__always)
    func asksForReduction(_ packet: UnsafePointer<Packet>) -> Bool {
        packet.pointee.flags.rawValue & PacketRecord.Flags.ece.rawValue != 0 && isAgreed
            && packet.pointee.acknowledgement > reducedUntil && !packet.pointee.flags.contains(.syn)
    }

    /// The window was reduced, for a mark or for a loss.
    mutating func reduced(until next: UInt64) {
        reducedUntil = next
        mustTell = true
    }

    /// What a packet of an agreed connection says; only content that leaves for the first time can
    /// be marked (§6.1.4 and 6.1.5).
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
