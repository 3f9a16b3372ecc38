package import RunLog

/// The frames of a capture with the facts that only the log knows.
package struct PacketTruth {
    package private(set) var frames: [Frame] = []
    private var flows: [UInt16: Flow] = [:]
    private let isFrame: (PacketRecord) -> Bool

    package enum Fact: Hashable, Sendable {
        /// The sender has sent this content before.
        case repeated
        /// The content was already acknowledged.
        case needless
        /// A packet that was sent later has arrived earlier.
        case overtaken
        /// The packet is a copy made on the way.
        case copy
        /// At least two duplicate acknowledgements have asked for the packet.
        case askedFor
        /// The packet is a duplicate acknowledgement.
        case acknowledgesAgain
        /// An earlier packet is missing here.
        case followsGap
    }

    package struct Frame: Sendable {
        package var record: PacketRecord
        package var facts: Set<Fact> = []
        /// The time since the newest content was seen here; 0 for the newest content itself.
        package var sinceNewest: UInt64 = 0
        /// The time since the latest acknowledgement that asked for the packet.
        package var sinceAsked: UInt64 = 0
        /// The time from the first SYN to the end of the handshake, if both have been seen here.
        package var firstRoundTrip: UInt64 = 0
    }

    /// The state of a connection, in both directions.
    fileprivate struct Flow {
        var firstSequence: UInt32?
        var begunAt: UInt64?
        var firstRoundTrip: UInt64 = 0
        var directions = [Direction(), Direction()]
    }

    fileprivate struct Direction {
        var sentEnd: UInt32?
        var repeated: Set<UInt32> = []
        var seenEnd: UInt32?
        var seenEndAt: UInt64 = 0
        var seenPackets: Set<UInt32> = []
        var latestPacket: UInt32?
        var acknowledgement: UInt32?
        var acknowledgedAt: UInt64 = 0
        var askedAgain = 0
    }

    /// Begins to read a run's records; `isFrame` says which records are frames of the capture.
    package init(isFrame: @escaping (PacketRecord) -> Bool) { self.isFrame = isFrame }

    package mutating func read(_ record: PacketRecord) {
        var flow = flows[record.flow] ?? Flow()
        // A different SYN: this connection has taken the place of an ended one.
        if record.flags.asksToOpen, record.kind == .sent, flow.firstSequence != record.sequence {
            flow = Flow(firstSequence: record.sequence)
        }
        let end = record.sequence &+ UInt32(record.payload) &+ record.numbersOfFlags
        let own = Int(record.link & 1)
        if record.kind == .sent, end != record.sequence {
            flow.directions[own].noteSent(record, end: end)
        }
        if isFrame(record) {
            frames.append(flow.frame(record, end: end))
            flow.directions[own].noteAcknowledgement(record, isEmpty: end == record.sequence)
        }
        flows[record.flow] = flow
    }

    package func count(_ fact: Fact) -> Int { frames.count { $0.facts.contains(fact) } }
}

extension PacketTruth.Flow {
    fileprivate mutating func frame(_ record: PacketRecord, end: UInt32) -> PacketTruth.Frame {
        let now = record.atNanoseconds
        if begunAt == nil { begunAt = now }
        if let begunAt, firstRoundTrip == 0, record.flags.withoutCongestion == .ack {
            firstRoundTrip = now - begunAt
        }
        let own = Int(record.link & 1)
        let other = directions[1 - own]
        var frame = PacketTruth.Frame(record: record, firstRoundTrip: firstRoundTrip)
        if directions[own].repeated.contains(record.packet) { frame.facts.insert(.repeated) }
        if !directions[own].seenPackets.insert(record.packet).inserted {
            frame.facts.insert(.copy)
        }
        if end != record.sequence {
            directions[own].judge(&frame, end: end)
            if other.askedAgain >= 2, other.acknowledgement == record.sequence {
                frame.facts.insert(.askedFor)
                frame.sinceAsked = now - other.acknowledgedAt
            }
            if let known = other.acknowledgement, !known.precedes(end) {
                frame.facts.insert(.needless)
            }
        }
        directions[own].latestPacket = max(directions[own].latestPacket ?? 0, record.packet)
        if record.flags.withoutCongestion == .ack, end == record.sequence,
            directions[own].acknowledgement == record.acknowledgement
        {
            frame.facts.insert(.acknowledgesAgain)
        }
        return frame
    }
}

extension PacketTruth.Direction {
    fileprivate mutating func noteSent(_ record: PacketRecord, end: UInt32) {
        if let known = sentEnd, record.sequence.precedes(known) { repeated.insert(record.packet) }
        sentEnd = sentEnd.map { $0.precedes(end) ? end : $0 } ?? end
    }

    /// Judges a frame by what was seen before it in its direction.
    fileprivate mutating func judge(_ frame: inout PacketTruth.Frame, end: UInt32) {
        let record = frame.record
        if let latestPacket, record.packet < latestPacket { frame.facts.insert(.overtaken) }
        if let seenEnd, seenEnd.precedes(record.sequence) { frame.facts.insert(.followsGap) }
        if let seenEnd, !seenEnd.precedes(end) {
            frame.sinceNewest = record.atNanoseconds - seenEndAt
        } else {
            seenEnd = end
            seenEndAt = record.atNanoseconds
        }
    }

    fileprivate mutating func noteAcknowledgement(_ record: PacketRecord, isEmpty: Bool) {
        acknowledgedAt = record.atNanoseconds
        if acknowledgement != record.acknowledgement {
            acknowledgement = record.acknowledgement
            askedAgain = 0
        } else if isEmpty, record.flags.withoutCongestion == .ack {
            askedAgain += 1
        }
    }
}

extension PacketRecord {
    /// The sequence numbers that SYN and FIN take.
    fileprivate var numbersOfFlags: UInt32 {
        UInt32((flags.rawValue & Flags.syn.rawValue) >> 1 + (flags.rawValue & Flags.fin.rawValue))
    }
}

extension UInt32 {
    /// Whether a sequence number precedes another, with wrap-around.
    fileprivate func precedes(_ other: UInt32) -> Bool { Int32(bitPattern: self &- other) < 0 }
}
