import LinkModels
import Protocols
import Quantities
import RunLog
import RunPlan

/// A flow of the paced transport with its two ends.
///
/// A data packet carries the offset of its content as its sequence number, and its own number as
/// its acknowledgement number. A report packet carries its number; the report itself stays here.
struct PacedFlow: Sendable {
    private let route: CompetingFlow
    /// The link that the flow shares with others, and those by which its ends send.
    private let sharedLink: Int32
    private let senderLink: Int32
    private let receiverLink: Int32
    private let isFurtherAway: Bool
    private var sender: PacedSender
    private var receiver = PacedReceiver()
    private let number: Int
    /// The slot of the sender's timer; the receiver's comes next.
    private let slot: Int32
    /// Reports that may be on their way, by the last bits of their numbers.
    private var reports = [PacedReport?](repeating: nil, count: Self.reportsOnWay)
    /// When the sender stops, unless it has a length or has stopped.
    private var stopsAt: Instant?
    private var isOver = false
    private var delivered = LinkCount.Tally()

    /// A power of two. A report that so many have overtaken is lost.
    private static let reportsOnWay = 1 << 10

    init(_ route: CompetingFlow, packetSize: Int, number: Int, slot: Int32) {
        self.route = route
        sharedLink = route.link
        senderLink = route.senderLink
        receiverLink = route.receiverLink
        isFurtherAway = route.serverLink != nil
        self.number = number
        self.slot = slot
        sender = PacedSender(
            route.plan.paced ?? PacedSettings(), packetSize: packetSize, at: route.begin)
        sender.add(file: 0, to: (route.plan.length ?? CompetingFlow.endless).bytes)
        if route.plan.length == nil {
            stopsAt = route.plan.until.map { .start + $0 }
        } else {
            sender.finish()
        }
    }

    /// Whether the run lasts until the flow is over.
    var isAwaited: Bool { route.isAwaited }

    // MARK: Events

    mutating func begin(_ fabric: inout NetworkFabric) {
        fabric.log.record(route.announcement(number: number), at: .start)
        set(slot, at: route.begin, &fabric)
    }

    /// Lets the sender send what is due; returns whether that ends the flow.
    mutating func send(_ fabric: inout NetworkFabric) -> Bool {
        let now = fabric.kernel.now
        if let last = stopsAt, now >= last {
            stopsAt = nil
            sender.stop()
            sender.finish()
        }
        while let packet = sender.next(at: now) {
            let chunks = sender.chunkNumbers(of: packet.number)
            let offset = chunks.isEmpty ? 0 : sender.chunk(chunks.lowerBound).offset
            fabric.send(
                Packet(packet, offset: offset, to: ~Int32(2 * number + 1)), on: senderLink)
        }
        var next = sender.deadline
        next.advance(to: stopsAt)
        set(slot, at: next, &fabric)
        guard !isOver, sender.state.isOver else { return false }
        isOver = true
        return true
    }

    /// Lets the receiver send a report that is due.
    mutating func report(_ fabric: inout NetworkFabric) {
        let now = fabric.kernel.now
        while let report = receiver.report(at: now) {
            reports[Int(report.number) & (Self.reportsOnWay - 1)] = report
            fabric.send(
                Packet(
                    endpoint: ~Int32(2 * number), sequence: report.number, stamp: now.nanoseconds,
                    acknowledgement: 0, echo: 0, window: 0,
                    payload: UInt16(report.size) - Packet.Form.datagram.size, form: .datagram,
                    flags: []),
                on: receiverLink)
        }
        set(slot + 1, at: receiver.deadline, &fabric)
    }

    /// Takes a packet that a link has delivered; returns whether that ends the flow.
    mutating func arrived(
        _ packet: borrowing Packet, from link: Int32, _ fabric: inout NetworkFabric
    ) -> Bool {
        if link == sharedLink { delivered.add(bytes: Int(packet.size)) }
        if isFurtherAway, let next = route.next(after: link) {
            fabric.send(Packet(packet), on: next)
            return false
        }
        // A damaged packet does not authenticate.
        guard !packet.isCorrupted else { return false }
        guard packet.endpoint & 1 == 0 else { return heard(packet.sequence, &fabric) }
        let due = receiver.deadline
        _ = receiver.arrived(PacedPacket(packet), at: fabric.kernel.now)
        let next = receiver.deadline
        if next != due { set(slot + 1, at: next, &fabric) }
        return false
    }

    func account(_ fabric: inout NetworkFabric) {
        var route = route
        route.delivered = delivered
        fabric.log.record(route.account(number: number), at: fabric.kernel.now)
    }

    // MARK: Private parts

    private mutating func heard(_ number: UInt64, _ fabric: inout NetworkFabric) -> Bool {
        let place = Int(number) & (Self.reportsOnWay - 1)
        guard let report = reports[place], report.number == number,
            sender.heard(report, at: fabric.kernel.now)
        else { return false }
        return send(&fabric)
    }

    private func set(_ slot: Int32, at moment: Instant?, _ fabric: inout NetworkFabric) {
        let source = EventSource(.timerSlot, slot)
        guard let moment else { return fabric.kernel.cancel(source) }
        fabric.kernel.set(
            source, atNanoseconds: max(moment.nanoseconds, fabric.kernel.nowNanoseconds))
    }
}

extension Packet {
    /// Makes a packet of the paced transport with content from `offset` on.
    fileprivate init(_ packet: PacedPacket, offset: UInt64, to endpoint: Int32) {
        self.init(
            endpoint: endpoint, generation: packet.kind.rawValue, sequence: offset,
            stamp: packet.sentAt.nanoseconds, acknowledgement: packet.number, echo: packet.floor,
            window: UInt16(packet.reportEvery.nanoseconds / 10_000),
            payload: UInt16(packet.size) - Packet.Form.datagram.size, form: .datagram, flags: [])
    }
}

extension PacedPacket {
    fileprivate init(_ packet: borrowing Packet) {
        self.init(
            Kind(rawValue: packet.generation) ?? .data, number: packet.acknowledgement,
            floor: packet.echo, sentAt: Instant(nanoseconds: packet.stamp),
            reportEvery: TimeSpan(nanoseconds: Int64(packet.window) * 10_000),
            size: Int(packet.size))
    }
}
