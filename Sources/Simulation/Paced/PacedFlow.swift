import LinkModels
import Protocols
import Quantities
import RunLog
import RunPlan

/// A flow of the paced transport with its two ends.
struct PacedFlow: Sendable {
    private let route: CompetingFlow
    /// The link that the flow shares with others.
    private let sharedLink: Int32
    private let isFurtherAway: Bool
    private var sender: PacedSender
    private var receiver = PacedReceiver()
    private var way: PacedWay
    private let number: Int
    /// The slot of the sender's timer; the receiver's comes next.
    private let slot: Int32
    /// When the sender stops, unless it has a length or has stopped.
    private var stopsAt: Instant?
    private var isOver = false
    private var delivered = LinkCount.Tally()

    init(_ route: CompetingFlow, packetSize: Int, number: Int, slot: Int32) {
        self.route = route
        sharedLink = route.link
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
        way = PacedWay(to: ~Int32(2 * number + 1), over: route.senderLink, route.receiverLink)
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
        while sender.makesNext(at: now) {
            way.send(sender.packet, offset: sender.offset, &fabric)
        }
        var next = sender.currentDeadline()
        next.advance(to: stopsAt)
        set(slot, at: next, &fabric)
        guard !isOver, sender.state.isOver else { return false }
        isOver = true
        return true
    }

    /// Lets the receiver send a report that is due.
    mutating func report(_ fabric: inout NetworkFabric) {
        while let report = receiver.report(at: fabric.kernel.now) { way.send(report, &fabric) }
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
        guard packet.endpoint & 1 == 0 else {
            guard let report = way.takeReport(packet) else { return false }
            return sender.heard(report, at: fabric.kernel.now) && send(&fabric)
        }
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

    private func set(_ slot: Int32, at moment: Instant?, _ fabric: inout NetworkFabric) {
        let source = EventSource(.timerSlot, slot)
        guard let moment else { return fabric.kernel.cancel(source) }
        fabric.kernel.set(
            source, atNanoseconds: max(moment.nanoseconds, fabric.kernel.nowNanoseconds))
    }
}
