import RunLog

/// What the log knows of the frames of a capture: each frame's record, and what it really was.
struct PacketTruth {
    var frames: [Frame] = []

    enum Fact: Hashable {
        /// Its sender had sent this content before.
        case repeated
        /// Its content had been acknowledged here before.
        case needless
        /// A packet that was sent later has come here before it.
        case overtaken
        /// It came twice, for the way has doubled it.
        case copy
        /// At least two acknowledgements in a row had asked its sender for it.
        case askedFor
        /// It says only what the packet before it from the same end has said already.
        case acknowledgesAgain
        /// Something before it has not come here.
        case followsGap
    }

    struct Frame {
        var record: PacketRecord
        var facts: Set<Fact> = []
        /// How long after the farthest content that has been seen here; 0 for that itself.
        var sinceNewest: UInt64 = 0
    }

    /// One direction of one flow, as far as it has been seen.
    private struct Direction {
        var sentEnd: UInt32?
        var repeated: Set<UInt32> = []
        var seenEnd: UInt32?
        var seenEndAt: UInt64 = 0
        var seenPackets: Set<UInt32> = []
        var latestPacket: UInt32?
        var acknowledgement: UInt32?
        var askedAgain = 0
    }

    /// All records of a run, of which those make frames that `isFrame` says.
    init(_ records: [PacketRecord], isFrame: (PacketRecord) -> Bool) {
        var directions: [[UInt16]: Direction] = [:]
        for record in records {
            let (own, other) = ([record.flow, record.link], [record.flow, 1 - record.link])
            var direction = directions[own] ?? Direction()
            let end = record.sequence &+ UInt32(record.payload) &+ record.numbersOfFlags
            let isEmpty = end == record.sequence
            if record.kind == .sent, !isEmpty {
                if let known = direction.sentEnd, record.sequence.precedes(known) {
                    direction.repeated.insert(record.packet)
                }
                direction.sentEnd = direction.sentEnd.map { $0.precedes(end) ? end : $0 } ?? end
            }
            if isFrame(record) {
                var frame = Frame(record: record)
                if direction.repeated.contains(record.packet) { frame.facts.insert(.repeated) }
                if !direction.seenPackets.insert(record.packet).inserted {
                    frame.facts.insert(.copy)
                }
                if !isEmpty {
                    if let latest = direction.latestPacket, record.packet < latest {
                        frame.facts.insert(.overtaken)
                    }
                    if let seen = direction.seenEnd, seen.precedes(record.sequence) {
                        frame.facts.insert(.followsGap)
                    }
                    if let asked = directions[other], asked.askedAgain >= 2,
                        asked.acknowledgement == record.sequence
                    {
                        frame.facts.insert(.askedFor)
                    }
                    if let known = directions[other]?.acknowledgement, !known.precedes(end) {
                        frame.facts.insert(.needless)
                    }
                    if let seen = direction.seenEnd, !seen.precedes(end) {
                        frame.sinceNewest = record.atNanoseconds - direction.seenEndAt
                    } else {
                        direction.seenEnd = end
                        direction.seenEndAt = record.atNanoseconds
                    }
                }
                direction.latestPacket = max(direction.latestPacket ?? 0, record.packet)
                if direction.acknowledgement != record.acknowledgement {
                    direction.acknowledgement = record.acknowledgement
                    direction.askedAgain = 0
                } else if isEmpty, record.flags == .ack {
                    frame.facts.insert(.acknowledgesAgain)
                    direction.askedAgain += 1
                }
                frames.append(frame)
            }
            directions[own] = direction
        }
    }

    /// From the first SYN to the packet that ends the handshake.
    var firstRoundTrip: UInt64 {
        guard let first = frames.first?.record,
            let last = frames.first(where: { $0.record.flags == .ack })?.record
        else { return 0 }
        return last.atNanoseconds - first.atNanoseconds
    }

    func count(_ fact: Fact) -> Int { frames.count { $0.facts.contains(fact) } }
}

extension PacketRecord {
    /// SYN and FIN have a number each.
    fileprivate var numbersOfFlags: UInt32 {
        UInt32((flags.rawValue & Flags.syn.rawValue) >> 1 + (flags.rawValue & Flags.fin.rawValue))
    }
}

extension UInt32 {
    /// Numbers go round: which of two that lie close comes first.
    fileprivate func precedes(_ other: UInt32) -> Bool { Int32(bitPattern: self &- other) < 0 }
}
