/// A fact about one packet, in 32 bytes: written by the hundred million, kept only when asked for.
///
/// A packet that crosses a link makes two records there, `sent` and then `delivered` or `dropped`;
/// a captured packet makes one, `captured`.
package struct PacketRecord: Hashable, Sendable {
    package enum Kind: UInt8, Sendable, CaseIterable {
        case sent, delivered, dropped, duplicated, captured
    }

    /// TCP's flags, with the bits they have in its header.
    package struct Flags: OptionSet, Hashable, Sendable {
        package let rawValue: UInt8
        package init(rawValue: UInt8) { self.rawValue = rawValue }
        package static let fin = Flags(rawValue: 0x01)
        package static let syn = Flags(rawValue: 0x02)
        package static let rst = Flags(rawValue: 0x04)
        package static let psh = Flags(rawValue: 0x08)
        package static let ack = Flags(rawValue: 0x10)
    }

    package var atNanoseconds: UInt64
    /// The packet's number on its link, from 0, in order of sending.
    package var packet: UInt32
    package var sequence: UInt32
    package var acknowledgement: UInt32
    package var link: UInt16
    package var flow: UInt16
    /// All bytes of the IP packet, and those of them that are payload.
    package var size: UInt16
    package var payload: UInt16
    package var kind: Kind
    package var flags: Flags

    package init(
        atNanoseconds: UInt64, kind: Kind, packet: UInt32, link: UInt16, flow: UInt16, size: UInt16,
        payload: UInt16, sequence: UInt32, acknowledgement: UInt32, flags: Flags
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
    }
}

/// How far the packets have come: written once a second of the run, so that two runs whose packets
/// differ can be told apart without keeping every packet.
package struct PacketMark: Hashable, Sendable, Codable {
    package var packets: UInt64
    package var digest: UInt64

    package init(packets: UInt64, digest: UInt64) {
        self.packets = packets
        self.digest = digest
    }

    package var sentence: String { "\(packets) packet records so far" }
}
