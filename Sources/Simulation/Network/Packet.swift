import RunLog

/// A TCP segment on its way: sizes and numbers only, the body stays in the sender's segment table.
///
/// Sequence numbers are kept unwrapped in 64 bits; the wire shows their low 32. A stream of
/// terabytes needs no arithmetic modulo 2³².
///
/// It is written once, where it will travel, and read there: a copy for every hand that it passes
/// through would cost more than what the hands do. So it is handed on by its address, for one that
/// is borrowed is copied at every call. And neighbours are never read together by what follows the
/// writing: a processor waits for two stores that are read back as one.
struct Packet: ~Copyable {
    /// Set by the link: when it arrives, its place among equal times, and its number there.
    var arrivalNanoseconds: UInt64 = 0
    var order: UInt64 = 0
    var number: UInt32 = 0

    /// The endpoint that it is for, and the connection that this must be an end of.
    var endpoint: Int32
    var connection: UInt32 = 0
    var sequence: UInt64
    /// TSval and TSecr of RFC 7323, in nanoseconds: when it was sent, and the stamp that it
    /// answers.
    var stamp: UInt64
    /// Good only with the flag `ack`.
    var acknowledgement: UInt64
    var echo: UInt64
    /// What the sender of this packet has beyond a hole.
    var sacks = SelectiveAcknowledgement()
    var window: UInt32
    var payload: UInt16
    var size: UInt16
    var flags: PacketRecord.Flags
    /// Set by the link: damaged on the way.
    var isCorrupted = false
    /// Set by the sender, and by a queue that marks it.
    var codepoint = PacketRecord.Codepoint.notCapable

    /// What a packet of the network may weigh.
    static let maximumSize = 1500
    /// IP and TCP headers of 20 bytes each, and 12 bytes of timestamp option; SACK blocks come on
    /// top.
    static let headerSize = 52
    /// The same with a SYN's options: maximum segment size, window scale, SACK permitted.
    static let synSize = 60
    static let maximumPayload = maximumSize - headerSize

    /// The sequence number after this packet's last byte; SYN and FIN take one each.
    var endSequence: UInt64 {
        @inline(__always) get {
            var end = sequence &+ UInt64(payload)
            if flags.contains(.syn) { end &+= 1 }
            if flags.contains(.fin) { end &+= 1 }
            return end
        }
    }

    /// Whether it is of the cross traffic, whose endpoints have negative numbers.
    var isForeign: Bool {
        @inline(__always) get { endpoint < 0 }
    }

    /// Another one just like it, in its place on the way.
    func copy() -> Packet {
        Packet(
            arrivalNanoseconds: arrivalNanoseconds, order: order, number: number,
            endpoint: endpoint, connection: connection, sequence: sequence,
            stamp: stamp, acknowledgement: acknowledgement, echo: echo, sacks: sacks,
            window: window,
            payload: payload, size: size, flags: flags,
            isCorrupted: isCorrupted, codepoint: codepoint)
    }

    /// Which connection it belongs to, for the log: like a port, it comes to another connection
    /// when this one is long over.
    var flow: UInt16 {
        @inline(__always) get { UInt16(truncatingIfNeeded: endpoint >> 1) }
    }
}
