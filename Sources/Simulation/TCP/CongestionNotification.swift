import RunLog
import RunPlan

/// Explicit congestion notification: queues mark packets instead of dropping them, the receiver
/// tells the sender, and the sender slows down.
///
/// In the classic form (RFC 3168 §6.1) the receiver echoes a mark until the sender confirms that it
/// has slowed down, once in a round trip:
///
///     sender                                    receiver
///     content, capable ──── queue marks ───────▶ experienced
///     reduces once     ◀─── ECE, ECE, ECE … ──── echoes, until
///     new content, CWR ────────────────────────▶ stops
///
/// In the accurate form (RFC 9768) every packet of the receiver tells how many marked packets have
/// come, modulo 8, in the flags AE, CWR and ECE.
struct CongestionNotification {
    private let wanted: TCPSettings.ECN
    private(set) var agreed = TCPSettings.ECN.off
    /// Codepoint of content, where the accurate form is agreed.
    private let accurateCodepoint: PacketRecord.Codepoint
    /// Whether a mark has arrived and the peer has not confirmed a reduction.
    private var isEchoing = false
    /// Whether the next new content must report a reduction.
    private var mustTell = false
    /// Highest sequence number at the latest reduction: one reduction covers everything before it
    /// (RFC 3168 §6.1.2).
    private var reducedUntil: UInt64 = 0
    /// Marked packets that have come, those that the peer knows of, and those that the peer has
    /// told of; they begin with 5 (RFC 9768 §3.2.1).
    private var arrived = firstCount
    private var tellsOf = firstCount
    private var toldOf = firstCount
    /// Whether the next packet is the first after the handshake, which confirms the codepoint of
    /// the SYN's answer, and counts nothing (RFC 9768 §3.2.2.1).
    private var mustConfirm = false
    private var awaitsConfirmation = false

    private static let firstCount: UInt64 = 5
    private static let countBits: UInt64 = 7
    /// RFC 9768 §3.2.2.5.1: at least every second mark is told at once.
    private static let marksToldAtOnce: UInt64 = 2
    /// The flags that say in a SYN's answer, and confirm, that its packet could not be marked.
    private static let wasNotCapable: UInt8 = 0b010

    init(wants wanted: TCPSettings.ECN, isScalable: Bool = false) {
        self.wanted = wanted
        accurateCodepoint = isScalable ? .scalable : .capable
    }

    var isAgreed: Bool {
        @inline(__always) get { agreed != .off }
    }

    // MARK: The handshake (RFC 3168 §6.1.1, RFC 9768 §3.1)

    /// Returns the flags that ask or agree. As in Linux, a retransmitted SYN does not ask: the
    /// flags may be why the first SYN was lost.
    func handshakeFlags(isAnswer: Bool, isRepetition: Bool) -> CongestionFlags {
        switch isAnswer ? agreed : isRepetition ? .off : wanted {
        case .off: CongestionFlags(ace: 0)
        case .on: CongestionFlags(ace: isAnswer ? 0b001 : 0b011)
        case .accurate: CongestionFlags(ace: isAnswer ? Self.wasNotCapable : 0b111)
        }
    }

    mutating func synArrived(_ packet: UnsafePointer<Packet>) {
        let isAnswer = packet.pointee.flags.contains(.ack)
        agreed =
            switch (packet.pointee.ace, isAnswer) {
            case (0b111, false): wanted
            case (0b011, false): wanted == .off ? .off : .on
            case (0b001, true): wanted == .off ? .off : .on
            case (0b010...0b110, true): wanted == .accurate ? .accurate : .off
            default: .off
            }
        mustConfirm = isAnswer
        awaitsConfirmation = !isAnswer
    }

    // MARK: The receiving half (RFC 3168 §6.1.3, RFC 9768 §3.2.2)

    /// Notes content on a connection that has agreed. Returns true if the peer must be told at
    /// once.
    mutating func contentArrived(_ packet: UnsafePointer<Packet>) -> Bool {
        guard agreed == .on else {
            if packet.pointee.codepoint == .experienced { arrived += 1 }
            return arrived - tellsOf >= Self.marksToldAtOnce
        }
        if packet.pointee.flags.contains(.cwr) { isEchoing = false }
        guard packet.pointee.codepoint == .experienced, !isEchoing else { return false }
        isEchoing = true
        return true
    }

    // MARK: The sending half

    /// Whether an acknowledgement may tell of marks.
    @inline(__always)
    func mayTellOfMarks(_ packet: UnsafePointer<Packet>) -> Bool {
        switch agreed {
        case .off: false
        case .on:
            packet.pointee.flags.rawValue & PacketRecord.Flags.ece.rawValue != 0
                && packet.pointee.acknowledgement > reducedUntil
                && !packet.pointee.flags.contains(.syn)
        case .accurate: true
        }
    }

    /// Returns the number of marked packets that an acknowledgement tells of, which has brought
    /// news of so many segments.
    mutating func marks(
        toldBy packet: UnsafePointer<Packet>, ofSegments segments: UInt64, isAdvance: Bool
    ) -> UInt64 {
        guard agreed == .accurate else { return mayTellOfMarks(packet) ? 1 : 0 }
        if packet.pointee.flags.contains(.syn) { return 0 }
        if awaitsConfirmation {
            awaitsConfirmation = false
            return 0
        }
        // An acknowledgement without news may have been overtaken.
        guard isAdvance || segments > 0 else { return 0 }
        var count = (UInt64(packet.pointee.ace) &- toldOf) & Self.countBits
        // The count may have gone round since the latest acknowledgement (§3.2.2.5.2).
        if segments > Self.countBits { count = segments - (segments - count) & Self.countBits }
        toldOf += count
        return count
    }

    /// Whether an acknowledgement with a mark asks for a new reduction.
    func asksForReduction(_ packet: UnsafePointer<Packet>) -> Bool {
        packet.pointee.acknowledgement > reducedUntil
    }

    /// Notes a reduction of the window, for a mark or a loss.
    mutating func reduced(until next: UInt64) {
        reducedUntil = next
        mustTell = agreed == .on
    }

    /// Returns flags and codepoint of a departing packet on a connection that has agreed. In the
    /// classic form only new content may be marked (RFC 3168 §6.1.4 and §6.1.5).
    mutating func leaves(hasContent: Bool, isNew: Bool) -> CongestionFlags {
        guard agreed == .on else {
            var flags = CongestionFlags(ace: UInt8(arrived & Self.countBits))
            if mustConfirm { flags = CongestionFlags(ace: Self.wasNotCapable) }
            mustConfirm = false
            tellsOf = arrived
            if hasContent { flags.codepoint = accurateCodepoint }
            return flags
        }
        var flags = CongestionFlags(ace: isEchoing ? 0b001 : 0)
        guard isNew else { return flags }
        if mustTell {
            flags.ordinary.insert(.cwr)
            mustTell = false
        }
        flags.codepoint = .capable
        return flags
    }
}

/// What a packet says about congestion: its flags AE, CWR and ECE, and its codepoint.
struct CongestionFlags {
    var ae: UInt8 = 0
    var ordinary: PacketRecord.Flags = []
    var codepoint = PacketRecord.Codepoint.notCapable

    init() {}

    /// Creates flags from their number AE · 4 + CWR · 2 + ECE.
    init(ace: UInt8) {
        ae = ace >> 2
        ordinary = PacketRecord.Flags(rawValue: ace << 6)
    }
}
