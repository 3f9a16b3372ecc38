import LinkModels
import RunLog

/// A TCP segment on its way: sizes and numbers only. The content stays in the sender's segment
/// table.
///
/// Sequence numbers have 64 bits and never wrap; the wire shows the low 32.
///
/// A packet fills one cache line of 64 bytes, because thousands travel at a time. SACK blocks are
/// stored elsewhere, because few packets have them, and the size follows from the form.
///
/// A packet is written once, in its place on the link, and passed on by address: copies would cost
/// more than the work, and a borrowed packet is copied at every call. Soon after a write, code
/// never reads two neighbouring fields as one, because the processor would wait for both stores.
struct Packet: ~Copyable {
    /// Arrival, order among equal arrivals, and number; the link sets them.
    var arrivalNanoseconds: UInt64 = 0
    var order: UInt64 = 0
    var number: UInt32 = 0

    /// Number of the receiving endpoint.
    let endpoint: Int32
    let sequence: UInt64
    /// Time of sending in nanoseconds: TSval of RFC 7323. `echo` is TSecr, the stamp that the
    /// packet answers.
    let stamp: UInt64
    /// Valid only with the flag `ack`.
    let acknowledgement: UInt64
    let echo: UInt64
    /// Window as on the wire: scaled, except in a SYN.
    let window: UInt16
    let payload: UInt16
    let flags: PacketRecord.Flags
    /// Generation of the connection in the endpoint's place.
    let generation: UInt8
    /// Congestion codepoint, set by the sender and by a queue that marks.
    var codepoint: PacketRecord.Codepoint
    private var shape: UInt8

    init(
        endpoint: Int32, generation: UInt8 = 0, sequence: UInt64, stamp: UInt64,
        acknowledgement: UInt64, echo: UInt64, window: UInt16, payload: UInt16, form: Form = .plain,
        flags: PacketRecord.Flags, ae: UInt8 = 0,
        codepoint: PacketRecord.Codepoint = .notCapable, isIPv6: Bool = false
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
        shape = form.rawValue | ae | (isIPv6 ? Self.ipv6Bit : 0)
    }

    /// Copies a packet.
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

    /// Headers of a packet over IPv4. The raw value is a shift that yields their size.
    enum Form: UInt8 {
        /// IP and TCP headers of 20 bytes each, with 12 bytes of timestamps.
        case plain = 0
        /// `plain` with SACK blocks.
        case oneBlock = 8
        case twoBlocks = 16
        case threeBlocks = 24
        /// `plain` with a SYN's options: maximum segment size, window scale, SACK permitted.
        case syn = 32
        /// IP and UDP headers, for streams without acknowledgements.
        case datagram = 40
        /// A router's message that a packet was too large: the headers of IP and ICMP, and the
        /// beginning of the packet (RFC 792, RFC 1191).
        case tooLarge = 48
        /// The same message over IPv6, where the quoted header is longer, too. It quotes no more,
        /// although a router should fill 1280 bytes (RFC 4443).
        case tooLargeOverIPv6 = 56

        /// Size of the headers.
        var size: UInt16 { Self.size(of: rawValue) }

        @inline(__always)
        fileprivate static func size(of shape: UInt8) -> UInt16 {
            // From the right: 52, 64, 72, 80, 60, 28, 56, 76.
            UInt16(truncatingIfNeeded: (0x4c38_1c3c_5048_4034 as UInt64) &>> UInt64(shape)) & 0xff
        }
    }

    /// The largest packet of the network.
    static let maximumSize = 1500
    /// The content of a full segment over IPv4, unless the path carries only smaller packets.
    static let usualSegment = UInt64(maximumSize) - AddressFamily.ipv4.headerSize

    /// Size of the IP packet.
    var size: UInt16 {
        @inline(__always) get {
            let beyondIPv4 = UInt16(shape & Self.ipv6Bit) &* 5
            return payload &+ Form.size(of: shape & Self.formBits) &+ beyondIPv4
        }
    }

    var family: AddressFamily { shape & Self.ipv6Bit == 0 ? .ipv4 : .ipv6 }

    var isDatagram: Bool { shape & Self.formBits == Form.datagram.rawValue }

    /// Whether the packet is a router's message, and not the peer's.
    var isRoutersMessage: Bool { shape & Self.formBits >= Form.tooLarge.rawValue }

    /// Content of the largest segment that passes, as a router's message says.
    var sayableSegment: UInt64 { UInt64(window) - family.headerSize }

    var hasBlocks: Bool {
        @inline(__always) get { (shape & Self.formBits) &- 1 < Form.threeBlocks.rawValue }
    }

    /// Whether the link has damaged the packet.
    var isCorrupted: Bool {
        @inline(__always) get { shape & Self.corruptedBit != 0 }
        set { shape = shape & ~Self.corruptedBit | (newValue ? Self.corruptedBit : 0) }
    }

    /// Whether the packet vanishes at the end of its way.
    var isLostOnWay: Bool {
        @inline(__always) get { shape & Self.lostBit != 0 }
        set { shape = shape & ~Self.lostBit | (newValue ? Self.lostBit : 0) }
    }

    /// Whether the packet is neither damaged nor lost on its way.
    var isWhole: Bool {
        @inline(__always) get { shape & (Self.corruptedBit | Self.lostBit) == 0 }
    }

    /// What a queue may do to the packet instead of dropping it. A marked packet may have been
    /// scalable, and waits with those (RFC 9331 §5.1).
    var marking: Marking {
        switch codepoint {
        case .notCapable: .none
        case .capable: .classic
        case .scalable, .experienced: .scalable
        }
    }

    /// The flag AE of RFC 9768, as 0 or 1.
    var ae: UInt8 {
        @inline(__always) get { shape & Self.aeBit }
    }

    /// The flags AE, CWR and ECE as a number (RFC 9768 §3.2.2).
    var ace: UInt8 { ae << 2 | flags.rawValue >> 6 }

    /// Whether the packet has content and no flags but `ack` and `psh`.
    var isPlainContent: Bool {
        @inline(__always) get {
            payload != 0 && flags.rawValue & ~0x08 == PacketRecord.Flags.ack.rawValue
        }
    }

    /// Returns how many bytes beyond the acknowledged ones may be sent.
    @inline(__always)
    func offeredWindow(shift: UInt8) -> UInt64 {
        flags.contains(.syn) ? UInt64(window) : UInt64(window) &<< UInt64(shift)
    }

    /// Sequence number after the packet's last byte; SYN and FIN take one number each.
    var endSequence: UInt64 {
        @inline(__always) get {
            var end = sequence &+ UInt64(payload)
            if flags.contains(.syn) { end &+= 1 }
            if flags.contains(.fin) { end &+= 1 }
            return end
        }
    }

    /// Whether the packet belongs to the paced transport of the hosts.
    var isPaced: Bool { PacedStack.endpoints.contains(endpoint) }

    /// Whether the packet is none of the hosts' TCP: the endpoints of cross traffic, of questions
    /// for names and of the paced transport have negative numbers.
    var isForeign: Bool {
        @inline(__always) get { endpoint < 0 }
    }

    /// Connection number for the log. Like a port, it is reused long after the connection has
    /// ended.
    var flow: UInt16 {
        @inline(__always) get { UInt16(truncatingIfNeeded: endpoint >> 1) }
    }

    /// The flow for queues that share. The packets of apps are those of one host, with their
    /// questions for names; each flow of others is a host of its own.
    var label: FlowLabel {
        let isOfOthers = isForeign && endpoint != NamePackets.endpoint && !isPaced
        return FlowLabel(flow, host: isOfOthers ? flow : 0)
    }

    private static let corruptedBit: UInt8 = 0x80
    private static let lostBit: UInt8 = 0x40
    /// A fifth of what the header of IPv6 has more than that of IPv4.
    private static let ipv6Bit: UInt8 = 0x04
    private static let aeBit: UInt8 = 0x01
    private static let formBits: UInt8 = 0x38
}

extension AddressFamily {
    /// Size of the headers of a plain packet, with timestamps.
    var headerSize: UInt64 {
        @inline(__always) get { self == .ipv6 ? 72 : 52 }
    }
}

/// A packet and its SACK blocks, outside a link's ring.
struct Parcel: ~Copyable {
    let packet: Packet
    let blocks: SelectiveAcknowledgement
}
