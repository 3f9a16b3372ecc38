import Quantities

/// What a queue may do to a packet instead of dropping it, and what its sender makes of that.
package enum Marking: Sendable {
    case none
    /// The sender takes a mark for a loss (RFC 3168).
    case classic
    /// The sender slows down little for each of many marks (RFC 9331).
    case scalable
}

/// A waiting packet.
struct WaitingPacket: Sendable {
    /// The place at which the caller keeps the packet.
    var place: Int32
    var size: Int
    var flow: FlowLabel
    var marks: PacketMarks = []
    var marking = Marking.none
    var enqueuedAt: UInt64
    /// The delay between departure and arrival.
    var way: TimeSpan
    var isHeldBack = false

    /// Whether the queue may mark the packet instead of dropping it.
    var isMarkable: Bool { marking != .none }

    /// The packet with a congestion mark.
    var marked: WaitingPacket {
        var packet = self
        packet.marks.insert(.congested)
        return packet
    }
}

/// Waiting packets in one or several lines: chains through one pool.
/// The storage is raw, because every packet of such a queue passes through it.
struct WaitingRoom: ~Copyable, Clonable {
    private(set) var bytes: UInt64 = 0
    private(set) var count = 0
    private let lineCount: Int
    private var lines: UnsafeMutablePointer<Line>
    private var chairs: UnsafeMutablePointer<Chair>
    private var capacity: Int32 = 64
    private var free: Int32 = 0

    private struct Line {
        var first: Int32 = -1
        var last: Int32 = -1
        var bytes: UInt64 = 0
    }

    private struct Chair {
        var packet: WaitingPacket?
        var next: Int32
    }

    init(lines lineCount: Int) {
        self.lineCount = lineCount
        lines = .allocate(capacity: lineCount)
        lines.initialize(repeating: Line(), count: lineCount)
        chairs = .allocate(capacity: Int(capacity))
        Self.chain(chairs, from: 0, to: capacity)
    }

    deinit {
        lines.deallocate()
        chairs.deallocate()
    }

    package mutating func unshare() {
        lines = lines.cloned(capacity: lineCount)
        chairs = chairs.cloned(capacity: Int(capacity))
    }

    mutating func append(_ packet: WaitingPacket, to line: Int) {
        if free < 0 { grow() }
        let chair = free
        free = chairs[Int(chair)].next
        chairs[Int(chair)] = Chair(packet: packet, next: -1)
        if lines[line].last < 0 {
            lines[line].first = chair
        } else {
            chairs[Int(lines[line].last)].next = chair
        }
        lines[line].last = chair
        lines[line].bytes += UInt64(packet.size)
        bytes += UInt64(packet.size)
        count += 1
    }

    mutating func removeFirst(of line: Int) -> WaitingPacket? {
        let chair = lines[line].first
        guard chair >= 0, let packet = chairs[Int(chair)].packet else { return nil }
        lines[line].first = chairs[Int(chair)].next
        if lines[line].first < 0 { lines[line].last = -1 }
        chairs[Int(chair)].next = free
        free = chair
        lines[line].bytes -= UInt64(packet.size)
        bytes -= UInt64(packet.size)
        count -= 1
        return packet
    }

    func bytes(in line: Int) -> UInt64 { lines[line].bytes }

    /// The line with the most bytes; of equal ones the first.
    var longestLine: Int {
        var longest = 0
        for line in 0..<lineCount where bytes(in: line) > bytes(in: longest) { longest = line }
        return longest
    }

    /// The packet that has waited longest in a line.
    func first(of line: Int) -> WaitingPacket? {
        let chair = lines[line].first
        return chair >= 0 ? chairs[Int(chair)].packet : nil
    }

    private mutating func grow() {
        let larger = UnsafeMutablePointer<Chair>.allocate(capacity: 2 * Int(capacity))
        larger.moveInitialize(from: chairs, count: Int(capacity))
        chairs.deallocate()
        Self.chain(larger, from: capacity, to: 2 * capacity)
        free = capacity
        chairs = larger
        capacity *= 2
    }

    /// Links free places into a chain.
    private static func chain(
        _ chairs: UnsafeMutablePointer<Chair>, from first: Int32, to end: Int32
    ) {
        for chair in first..<end {
            let next = chair + 1 < end ? chair + 1 : -1
            (chairs + Int(chair)).initialize(to: Chair(packet: nil, next: next))
        }
    }
}
