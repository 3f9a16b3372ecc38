import LinkModels
import Protocols
import Quantities
import RunPlan

/// The flows of the paced transport among the cross traffic.
struct PacedFlows: Sendable {
    private var flows: [PacedFlow]
    /// The number of the first flow; flows of TCP come before.
    private let firstNumber: Int
    /// The first of two timer slots for each flow: the sender's, then the receiver's.
    private let firstSlot: Int32
    /// Named flows with a length that are not over.
    private var awaitedCount: Int

    /// `links` are the links of the interfaces. Hosts know what their interfaces carry.
    init(_ routes: [CompetingFlow], over links: [LinkPlan], firstNumber: Int, firstSlot: Int32) {
        self.firstNumber = firstNumber
        self.firstSlot = firstSlot
        flows = routes.enumerated().map { place, route in
            let limit = links[Int(route.link)].largestPacket(told: .byInterface)?.bytes
            return PacedFlow(
                route, packetSize: Int(min(limit ?? .max, UInt64(PacedFormat.usualPacket))),
                number: firstNumber + place, slot: firstSlot + Int32(2 * place))
        }
        awaitedCount = routes.count(where: \.isAwaited)
    }

    var isEmpty: Bool { flows.isEmpty }
    var slotCount: Int32 { Int32(2 * flows.count) }
    /// Whether a named flow has not sent all of its bytes.
    var isAwaited: Bool { awaitedCount > 0 }

    mutating func begin(_ fabric: inout NetworkFabric) {
        for place in flows.indices { flows[place].begin(&fabric) }
    }

    mutating func wake(slot: Int32, _ fabric: inout NetworkFabric) {
        let timer = Int(slot - firstSlot)
        guard timer.isMultiple(of: 2) else { return flows[timer / 2].report(&fabric) }
        if flows[timer / 2].send(&fabric) { noteEnd(of: timer / 2) }
    }

    mutating func arrived(
        _ packet: UnsafePointer<Packet>, from link: Int32, _ fabric: inout NetworkFabric
    ) {
        let place = CompetingFlow.number(of: packet.pointee) - firstNumber
        if flows[place].arrived(packet.pointee, from: link, &fabric) { noteEnd(of: place) }
    }

    private mutating func noteEnd(of place: Int) {
        if flows[place].isAwaited { awaitedCount -= 1 }
    }

    func closeBooks(_ fabric: inout NetworkFabric) {
        for flow in flows { flow.account(&fabric) }
    }
}
