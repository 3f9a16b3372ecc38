import RunLog

/// A TCP segment on its way: sizes and numbers only, the body stays in the sender's segment table.
///
/// Sequence numbers are kept unwrapped in 64 bits; the wire shows their low 32. A stream of
/// terabytes needs no arithmetic modulo 2³².
///
/// It fills a line of the processor's memory, 64 bytes, for thousands of them travel at a time;
/// the blocks of selective acknowledgements, which few have, lie beside it, and its size follows
/// from its form.
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

    /// The endpoint that it is for.
    let endpoint: Int32
    let sequence: UInt64
    /// TSval and TSecr of RFC 7323, in nanoseconds: when it was sent, and the stamp that it
    /// answers.
    let stamp: UInt64
    /// Good only with the flag `ack`.
    let acknowledgement: UInt64
    let echo: UInt64
    /// As on the wire: in units, but for a SYN's.
    let window: UInt16
    let payload: UInt16
    let flags: PacketRecord.Flags
    /// Of the connections that had the endpoint's place, the one that this is of.
    let generation: UInt8
    /// Set by the sender, and by a queue that marks it.
    var codepoint: PacketRecord.Codepoint
    private var shape: UInt8

    init(
        endpoint: Int32, generation: UInt8 = 0, sequence: UInt64, stamp: UInt64,
        acknowledgement: UInt64, echo: UInt64, window: UInt16, payload: UInt16, form: Form = .plain,
        flags: PacketRecord.Flags, codepoint: PacketRecord.Codepoint = .notCapable
    ) {
        self.endpoint = endpoint
        self.generation = generation
        self.sequence = sequence
        self.stamp = stamp
        self.acknowledgement = acknowledgement
        self.echo = echo
        self.window = window
        self.payload = payload
        self.flags = flags
        self.codepoint = codepoint
        shape = form.rawValue
    }

    /// Another one just like it, in its place on the way.
    init(_ other: borrowing Packet) {
        arrivalNanoseconds = other.arrivalNanoseconds
        order = other.order
        number = other.number
        endpoint = other.endpoint
        generation = other.generation
        sequence = other.sequence
        stamp = other.stamp
        acknowledgement = other.acknowledgement
        echo = other.echo
        window = other.window
        payload = other.payload
        flags = other.flags
        codepoint = other.codepoint
        shape = other.shape
    }

    /// What headers it has. The values are such that a size is found by a shift.
    enum Form: UInt8 {
        /// IP and TCP headers of 20 bytes each, and 12 bytes of timestamp option.
        case plain = 0
        /// The same with so many SACK blocks.
        case oneBlock = 8
        case twoBlocks = 16
        case threeBlocks = 24
        /// With a SYN's options: maximum segment size, window scale, SACK permitted.
        case syn = 32
        /// IP and UDP headers: of those who ask for no answer.
        case datagram = 40

        /// How many bytes the headers are.
        var size: UInt16 { Self.size(of: rawValue) }

        @inline(__always)
        fileprivate static func size(of shape: UInt8) -> UInt16 {
            // From the right: 52, 64, 72, 80, 60, 28.
            UInt16(truncatingIfNeeded: (0x1c3c_5048_4034 as UInt64) &>> UInt64(shape)) & 0xff
        }
    }

    /// What a packet of the network may weigh.
    static let maximumSize = 1500
    static let headerSize = 52
    static let maximumPayload = maximumSize - headerSize

    /// All bytes of the IP packet.
    var size: UInt16 {
        @inline(__always) get { payload &+ Form.size(of: shape & Self.formBits) }
    }

    /// Whether SACK blocks lie beside it.
    var hasBlocks: Bool {
        @inline(__always) get { (shape & Self.formBits) &- 1 < Form.threeBlocks.rawValue }
    }

    /// Set by the link: damaged on the way.
    var isCorrupted: Bool {
        @inline(__always) get { shape & Self.corruptedBit != 0 }
        set { shape = shape & Self.formBits | (newValue ? Self.corruptedBit : 0) }
    }

    /// Whether it has content, and no flag but that of an acknowledgement or of a push.
    var isPlainContent: Bool {
        @inline(__always) get {
            payload != 0 && flags.rawValue & ~0x08 == PacketRecord.Flags.ack.rawValue
        }
    }

    /// How much more than is acknowledged may be sent.
    @inline(__always)
    func offeredWindow(shift: UInt8) -> UInt64 {
        flags.contains(.syn) ? UInt64(window) : UInt64(window) &<< UInt64(shift)
    }

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

    /// Which connection it belongs to, for the log: like a port, it comes to another connection
    /// when this one is long over.
    var flow: UInt16 {
        @inline(__always) get { UInt16(truncatingIfNeeded: endpoint >> 1) }
    }

    private static let corruptedBit: UInt8 = 0x80
    private static let formBits: UInt8 = 0x7f
}

/// A packet and its SACK blocks, while it does not stand in a link's row.
struct Parcel: ~Copyable {
    let packet: Packet
    let blocks: SelectiveAcknowledgement
}
