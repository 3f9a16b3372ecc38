import Quantities

/// Fair queueing with controlled delay (RFC 8290): each flow has a sub-queue with its own CoDel;
/// sub-queues take turns by bytes, and a new flow goes first.
package struct FairQueueCoDel: Sendable {
    private var flows: [Flow]
    private var newFlows: LineTurns
    private var oldFlows: LineTurns
    private let salt: UInt64
    private let quantum: Int

    package struct Options: Hashable, Sendable {
        package var control = CoDel.Options()
        /// The number of sub-queues; flows with the same hash share one.
        package var flows = 1_024
        /// The bytes that a flow may send in one turn: a full packet.
        package var quantum = 1_500

        package init() {}
    }

    private struct Flow: Sendable {
        var control: CoDel
        var credit = 0
        var hasTurn = false
    }

    init(_ options: Options, random: RandomStream) {
        var random = random
        salt = random.next()
        quantum = options.quantum
        flows = Array(repeating: Flow(control: CoDel(options.control)), count: options.flows)
        newFlows = LineTurns(capacity: options.flows)
        oldFlows = LineTurns(capacity: options.flows)
    }

    mutating func enqueue(_ packet: WaitingPacket, _ room: inout WaitingRoom) {
        let line = packet.flow.hashed(salt: salt, below: flows.count)
        room.append(packet, to: line)
        guard !flows[line].hasTurn else { return }
        flows[line].hasTurn = true
        flows[line].credit = quantum
        newFlows.append(line)
    }

    /// Drops at the head of the longest sub-queue (§4.1).
    func makeRoom(_ room: inout WaitingRoom, _ givenUp: inout [Int32]) {
        if let victim = room.removeFirst(of: room.longestLine) { givenUp.append(victim.place) }
    }

    /// Returns the next packet in turn (§4.2).
    mutating func dequeue(
        at now: UInt64, _ room: inout WaitingRoom, _ givenUp: inout [Int32]
    ) -> WaitingPacket? {
        while let (line, isNew) = nextTurn {
            guard flows[line].credit > 0 else {
                flows[line].credit += quantum
                endTurn(isNew)
                oldFlows.append(line)
                continue
            }
            if let packet = flows[line].control.dequeue(line, at: now, &room, &givenUp) {
                flows[line].credit -= packet.size
                return packet
            }
            endTurn(isNew)
            // An empty new flow waits one round. Otherwise it would be new again at once.
            if isNew, oldFlows.first != nil {
                oldFlows.append(line)
            } else {
                flows[line].hasTurn = false
            }
        }
        return nil
    }

    private var nextTurn: (line: Int, isNew: Bool)? {
        newFlows.first.map { ($0, true) } ?? oldFlows.first.map { ($0, false) }
    }

    private mutating func endTurn(_ isNew: Bool) {
        if isNew { newFlows.removeFirst() } else { oldFlows.removeFirst() }
    }
}
