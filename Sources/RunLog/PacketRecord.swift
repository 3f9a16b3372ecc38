/// A fact about one packet, in 32 bytes. A long run writes hundreds of millions of them, and keeps
/// them only on request.
///
/// A packet that crosses a link makes two records there, `sent` and then `delivered` or `dropped`;
/// a captured packet makes one, `captured`.
///
/// `package` alone would keep even the initialiser from being inlined where packets are made.
@usableFromInline package struct PacketRecord: Hashable, Sendable {
    @usableFromInline package enum Kind: UInt8, Sendable, CaseIterable {
        case sent, delivered, dropped, duplicated, captured
    }

    /// TCP's flags, with the bits they have in its header.
    @usableFromInline package struct Flags: OptionSet, Hashable, Sendable {
        @usableFromInline package let rawValue: UInt8
        @inlinable package init(rawValue: UInt8) { self.rawValue = rawValue }
        @inlinable package static var fin: Flags { Flags(rawValue: 0x01) }
        @inlinable package static var syn: Flags { Flags(rawValue: 0x02) }
        @inlinable package static var rst: Flags { Flags(rawValue: 0x04) }
        @inlinable package static var psh: Flags { Flags(rawValue: 0x08) }
        @inlinable package static var ack: Flags { Flags(rawValue: 0x10) }
        /// The flags without those that speak of congestion.
        @inlinable package var withoutCongestion: Flags { Flags(rawValue: rawValue & 0x3f) }
        /// Whether it is a SYN without ACK.
        @inlinable package var asksToOpen: Bool { rawValue & 0x12 == 0x02 }
        /// Whether it has ACK, but neither SYN nor RST.
        @inlinable package var isOfEstablished: Bool { rawValue & 0x16 == 0x10 }
        /// A congestion mark is echoed, and the window was reduced (RFC 3168 §6.1).
        @inlinable package static var ece: Flags { Flags(rawValue: 0x40) }
        @inlinable package static var cwr: Flags { Flags(rawValue: 0x80) }
    }

    /// IP's congestion bits (RFC 3168 §5): a queue marks capable packets instead of dropping them.
    @usableFromInline package enum Codepoint: UInt8, Sendable {
        case notCapable = 0
        /// ECT(1): the sender slows down little for each of many marks (RFC 9331).
        case scalable = 1
        case capable = 2
        case experienced = 3
    }

    @usableFromInline package var atNanoseconds: UInt64
    /// The packet's number on its link, from 0, in order of sending.
    @usableFromInline package var packet: UInt32
    @usableFromInline package var sequence: UInt32
    @usableFromInline package var acknowledgement: UInt32
    @usableFromInline package var link: UInt16
    @usableFromInline package var flow: UInt16
    /// The bytes of the whole IP packet, and of its payload.
    @usableFromInline package var size: UInt16
    @usableFromInline package var payload: UInt16
    @usableFromInline package var kind: Kind
    @usableFromInline package var flags: Flags
    @usableFromInline package var codepoint: Codepoint
    /// The ninth flag, AE (RFC 9768), as 0 or 1: the highest bit of the counter `ace`.
    @usableFromInline package var ae: UInt8

    @inlinable package init(
        atNanoseconds: UInt64, kind: Kind, packet: UInt32, link: UInt16, flow: UInt16, size: UInt16,
        payload: UInt16, sequence: UInt32, acknowledgement: UInt32, flags: Flags,
        codepoint: Codepoint = .notCapable, ae: UInt8 = 0
    ) {
        self.atNanoseconds = atNanoseconds
        self.kind = kind
        self.packet = packet
        self.link = link
        self.flow = flow
        self.size = size
        self.payload = payload
        self.sequence = sequence
        self.acknowledgement = acknowledgement
        self.flags = flags
        self.codepoint = codepoint
        self.ae = ae
    }

    /// The first flow number of the hosts' streams over the paced transport. Those of cross traffic
    /// begin at twice the number.
    package static let firstPacedFlow: UInt16 = 0x4000

    /// Whether it belongs to a stream of the hosts over the paced transport, whose numbers are not
    /// those of TCP.
    package var isPaced: Bool { flow >> 14 == Self.firstPacedFlow >> 14 }

    /// The flags AE, CWR and ECE as a number: packets with a mark, modulo 8 (RFC 9768 §3.2.2).
    package var ace: UInt8 { ae << 2 | flags.rawValue >> 6 }
}
