import Glibc
import LinkModels
import Quantities
import Recording
import RunPlan

/// A source and destination of packets: a TUN device, or a test's double.
protocol PacketPort {
    /// Reads the next packet that waits; `nil` if there is none.
    func take(into bytes: UnsafeMutableRawBufferPointer) -> Int?
    func give(_ packet: UnsafeRawBufferPointer)
}

/// Both directions of a link between two ports, and the book of its flow.
struct LinkPair<Port: PacketPort>: ~Copyable {
    private let client: Port
    private let server: Port
    private var up: EmulatedDirection
    private var down: EmulatedDirection
    private(set) var book: BulkFlowBook
    private var others: OtherPackets?

    /// The most packets read from one side before the other has its turn.
    private static var batch: Int { 32 }

    init(_ plan: BulkFlowPlan, client: Port, server: Port) {
        self.client = client
        self.server = server
        up = EmulatedDirection(plan.uplink, seed: plan.seed)
        down = EmulatedDirection(plan.downlink, seed: plan.seed)
        book = BulkFlowBook(pattern: plan.losses, limit: plan.limit)
        others = plan.others.map { OtherPackets($0, seed: plan.seed) }
    }

    /// Hands on arrived packets and takes new ones. Returns when to come again.
    mutating func turn(by now: () -> Instant) -> Instant? {
        sendOthers(at: now())
        while let packet = up.takeArrived(at: now()) {
            if !OtherPackets.contain(packet) { server.give(packet) }
        }
        while let packet = down.takeArrived(at: now()) { client.give(packet) }
        for _ in 0..<Self.batch {
            guard let length = client.take(into: up.incoming) else { break }
            carryUp(length, at: now())
        }
        for _ in 0..<Self.batch {
            guard let length = server.take(into: down.incoming) else { break }
            carryDown(length, at: now())
        }
        book.advance(to: now())
        return [up.nextDeadline, down.nextDeadline, nextOfOthers].compactMap(\.self).min()
    }

    var lateness: Lateness {
        var both = up.lateness
        both.add(down.lateness)
        return both
    }

    /// Puts the packets of others on the uplink that are due.
    private mutating func sendOthers(at now: Instant) {
        while let due = nextOfOthers, due <= now, let length = others?.write(to: up.incoming) {
            _ = up.accept(length, at: now)
        }
    }

    /// When others send next; they begin with the flow.
    private var nextOfOthers: Instant? {
        guard let start = book.start, let span = others?.next else { return nil }
        return start + span
    }

    private mutating func carryUp(_ length: Int, at now: Instant) {
        guard let head = head(up.incoming, length) else { return carryDatagram(length, at: now) }
        let isOfFlow = head.destinationPort == BulkSockets.port
        if isOfFlow {
            if head.opens { book.opened(with: head.sequence) }
            book.sent(head.sequence, payload: head.payload, at: now)
        }
        let passage = up.accept(length, at: now)
        if isOfFlow, passage == .dropped(.queueFull) { book.foundNoRoom() }
    }

    private mutating func carryDown(_ length: Int, at now: Instant) {
        guard let head = head(down.incoming, length) else {
            if Self.isDatagram(down.incoming, length) { _ = down.accept(length, at: now) }
            return
        }
        if head.sourcePort == BulkSockets.port, head.acknowledges {
            book.acknowledged(to: head.acknowledgement, at: now)
        }
        _ = down.accept(length, at: now)
    }

    /// Takes a packet of UDP to the uplink, and nothing else: the book knows only TCP.
    private mutating func carryDatagram(_ length: Int, at now: Instant) {
        guard Self.isDatagram(up.incoming, length) else { return }
        book.begin(at: now)
        _ = up.accept(length, at: now)
    }

    private static func isDatagram(_ bytes: UnsafeMutableRawBufferPointer, _ length: Int) -> Bool {
        length >= 28 && bytes[0] >> 4 == 4 && bytes[9] == UInt8(IPPROTO_UDP)
    }

    private func head(_ bytes: UnsafeMutableRawBufferPointer, _ length: Int) -> SegmentHead? {
        SegmentHead(UnsafeRawBufferPointer(rebasing: bytes[..<length]))
    }
}
