import Quantities

/// CAKE (Høiland-Jørgensen, Täht and Morton, “Piece of CAKE”, 2018), without its shaper and its
/// classes: hosts share the link, and the flows of a host share what it gets. Each flow has a
/// sub-queue with its own COBALT. Sub-queues take turns by bytes, and a sparse flow goes first.
///
/// The caller says which flows are those of one host.
package struct Cake: Sendable {
    private var flows: [Flow]
    private var sparse = LineTurns(capacity: lineCount)
    private var busy = LineTurns(capacity: lineCount)
    /// Empty sub-queues whose control has not come to rest.
    private var decaying: [Int] = []
    /// The number of busy flows, of each host and of all.
    private var load: [UInt16: Int] = [:]
    private var busyCount = 0
    private let sharesByHost: Bool
    private let quantum: Int
    private var random: RandomStream
    private let salt: UInt64

    package struct Options: Hashable, Sendable {
        package var control = Cobalt.Options()
        /// Whether hosts have equal shares, instead of flows.
        package var sharesByHost = true

        package init() {}
    }

    private struct Flow: Sendable {
        /// The flow that has the sub-queue to itself.
        var owner: FlowLabel?
        var rank = Rank.idle
        var credit = 0
        var control: Cobalt
    }

    private enum Rank: Sendable {
        case idle, sparse
        /// A sub-queue that was empty after its turn, and waits for another among the busy ones.
        case hasHadTurn
        case busy, decaying
    }

    static let lineCount = 1_024
    /// A hash chooses a set of sub-queues, and a flow takes a free one of the set.
    private static let linesInSet = 8
    private static let fullPacket: UInt64 = 1_500

    init(_ options: Options, rate: Bitrate, random: RandomStream) {
        self.random = random
        salt = self.random.next()
        sharesByHost = options.sharesByHost
        let packetTime = rate.timeToSend(ByteCount(Self.fullPacket)).nanoseconds.magnitude
        let idle = Flow(control: Cobalt(options.control, packetTime: packetTime))
        flows = Array(repeating: idle, count: Self.lineCount)
        // Turns are shorter on a slow link.
        quantum = Int(min(max(rate.bitsPerSecond / 8 / 4_096, 300), Self.fullPacket))
    }

    mutating func enqueue(_ packet: WaitingPacket, _ room: inout WaitingRoom) {
        let line = line(of: packet.flow)
        room.append(packet, to: line)
        switch flows[line].rank {
        case .idle, .decaying:
            if flows[line].rank == .decaying { decaying.removeAll { $0 == line } }
            flows[line].owner = packet.flow
            flows[line].rank = .sparse
            flows[line].credit = share(of: line)
            sparse.append(line)
        case .hasHadTurn:
            flows[line].rank = .busy
            count(line, 1)
        case .sparse, .busy: break
        }
    }

    /// Drops at the head of the longest sub-queue.
    mutating func makeRoom(at now: UInt64, _ room: inout WaitingRoom, _ givenUp: inout [Int32]) {
        let longest = room.longestLine
        guard let victim = room.removeFirst(of: longest) else { return }
        flows[longest].control.overflowed(at: now)
        givenUp.append(victim.place)
    }

    /// Returns the next packet in turn.
    mutating func dequeue(
        at now: UInt64, _ room: inout WaitingRoom, _ givenUp: inout [Int32]
    ) -> WaitingPacket? {
        decayOne(at: now)
        while let line = sparse.first ?? busy.first {
            guard flows[line].credit > 0 else {
                removeFromTurn()
                endTurn(of: line, isEmpty: room.bytes(in: line) == 0)
                continue
            }
            if let packet = next(of: line, at: now, &room, &givenUp) {
                flows[line].credit -= packet.size
                return packet
            }
            removeFromTurn()
            leave(line, at: now)
        }
        return nil
    }

    // MARK: Turns

    private mutating func removeFromTurn() {
        if sparse.first != nil { sparse.removeFirst() } else { busy.removeFirst() }
    }

    /// Gives new credit for a later turn. A sparse flow that has more to send becomes a busy one.
    private mutating func endTurn(of line: Int, isEmpty: Bool) {
        if flows[line].rank == .sparse {
            flows[line].rank = isEmpty ? .hasHadTurn : .busy
            if !isEmpty { count(line, 1) }
        }
        flows[line].credit += share(of: line)
        busy.append(line)
    }

    /// Takes an empty sub-queue out of the turns.
    private mutating func leave(_ line: Int, at now: UInt64) {
        if flows[line].rank == .busy { count(line, -1) }
        flows[line].rank = .decaying
        rest(line, at: now)
    }

    /// Looks at one sub-queue that has been empty, so that its control comes to rest in time.
    private mutating func decayOne(at now: UInt64) {
        guard !decaying.isEmpty else { return }
        rest(decaying.removeFirst(), at: now)
    }

    private mutating func rest(_ line: Int, at now: UInt64) {
        flows[line].control.stoodEmpty(at: now)
        if flows[line].control.isAtRest(at: now) {
            flows[line].rank = .idle
            flows[line].owner = nil
        } else {
            decaying.append(line)
        }
    }

    private mutating func count(_ line: Int, _ change: Int) {
        load[flows[line].owner?.host ?? 0, default: 0] += change
        busyCount += change
    }

    /// Returns the bytes that a sub-queue may send in one turn: its part of its host's, rounded up
    /// or down at random, so that the parts of many flows add up to the whole.
    private mutating func share(of line: Int) -> Int {
        guard sharesByHost, let host = flows[line].owner?.host, let sharers = load[host],
            sharers > 1
        else { return quantum }
        return (quantum + Int(random.below(UInt64(sharers)))) / sharers
    }

    // MARK: Sub-queues

    /// Returns the first packet of a sub-queue that its control lets pass. The last packet always
    /// passes.
    private mutating func next(
        of line: Int, at now: UInt64, _ room: inout WaitingRoom, _ givenUp: inout [Int32]
    ) -> WaitingPacket? {
        while let packet = room.removeFirst(of: line) {
            let verdict = flows[line].control.judge(
                packet, busyFlows: UInt64(busyCount), at: now, &random)
            switch verdict {
            case .mark: return packet.marked
            case .pass: return packet
            case .drop where room.bytes(in: line) == 0: return packet
            case .drop: givenUp.append(packet.place)
            }
        }
        return nil
    }

    /// Returns the sub-queue that a flow has to itself, or one of its set if all are taken.
    private func line(of flow: FlowLabel) -> Int {
        let hashed = flow.hashed(salt: salt, below: Self.lineCount)
        let first = hashed / Self.linesInSet * Self.linesInSet
        let set = first..<first + Self.linesInSet
        return set.first { flows[$0].owner == flow } ?? set.first { flows[$0].owner == nil }
            ?? hashed
    }
}
