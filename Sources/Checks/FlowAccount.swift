package import Quantities
package import RunLog

/// The flows with one name: what they have sent, what came through, and what they shared.
package struct FlowAccount: Sendable {
    package let name: String
    package let link: UInt16
    package let linkName: String
    package private(set) var flows: [Flow] = []
    /// Bytes that came through: TCP acknowledged them, or they arrived, for the first time.
    package private(set) var acknowledged = ByteCount.zero
    /// Stream bytes that were sent, and those of them that had been sent before.
    package private(set) var sent = ByteCount.zero
    package private(set) var sentAgain = ByteCount.zero
    /// Stream bytes that the shared link delivered although it had delivered them before.
    package private(set) var inVain = ByteCount.zero
    /// Packets on the shared link, with headers.
    package private(set) var delivered = LinkCount.Tally()
    package private(set) var dropped = LinkCount.Tally()
    /// Bytes that the shared link delivered of all traffic while the flows lasted.
    package private(set) var linkBytes = ByteCount.zero
    package private(set) var roundTrips = Samples()
    /// How much longer than necessary the packets took on the shared link.
    package private(set) var queueing = Samples()
    private let terms: LinkTerms?
    private var unfinished = 0

    /// A single flow.
    package struct Flow: Sendable {
        package let terms: NamedFlow
        package fileprivate(set) var acknowledged = ByteCount.zero
        /// All bytes that came through, also late ones.
        fileprivate var throughput: UInt64 = 0
        /// When TCP's sender knew that all bytes had arrived, or when they did.
        package fileprivate(set) var finishedAt: Instant?
        fileprivate var content: FlowContent
        /// The link by which the sender sends: the shared one, unless it comes from further away.
        fileprivate var senderLink: UInt16?

        fileprivate init(_ terms: NamedFlow) {
            self.terms = terms
            content = FlowContent(terms)
        }

        /// The time from the beginning to the end of the last byte; `nil` if it is not over.
        package var duration: TimeSpan? { finishedAt.map { $0 - (.start + terms.from) } }
    }

    /// Times that were measured.
    package struct Samples: Sendable {
        package private(set) var count: UInt64 = 0
        package private(set) var longest = TimeSpan.zero
        private var sum: UInt128 = 0

        fileprivate mutating func add(_ nanoseconds: UInt64) {
            count += 1
            longest = max(longest, TimeSpan(nanoseconds: Int64(nanoseconds)))
            sum += UInt128(nanoseconds)
        }

        package var mean: TimeSpan? {
            count == 0 ? nil : TimeSpan(nanoseconds: Int64(sum / UInt128(count)))
        }
    }

    init(_ name: String, on link: UInt16, _ terms: LinkTerms?) {
        self.name = name
        self.link = link
        self.terms = terms
        linkName = terms?.name ?? "link \(link)"
    }

    mutating func add(_ flow: NamedFlow) {
        flows.append(Flow(flow))
        unfinished += 1
    }

    /// The moment at which the first flow begins.
    var begin: Instant { flows.map { .start + $0.terms.from }.min() ?? .start }

    /// Returns the moment at which the last flow stops to write or has sent all.
    func end(ofRun last: Instant) -> Instant {
        let ends = flows.map { flow in
            flow.finishedAt ?? flow.terms.until.map { min(.start + $0, last) } ?? last
        }
        return ends.max() ?? last
    }

    /// Whether any of the flows has sent a byte.
    var hasSent: Bool { sent > .zero }

    /// The part of the link's bytes that belonged to the flows, in thousandths.
    package var share: UInt64? {
        linkBytes > .zero ? thousandths(delivered.bytes, of: linkBytes.bytes) : nil
    }

    // MARK: Packets

    /// Reads a packet of a flow; `counts` tells whether it belongs to the time that is looked at.
    mutating func note(
        _ record: PacketRecord, of place: Int, sentAt: UInt64? = nil, counts: Bool
    ) {
        if record.kind == .sent, flows[place].senderLink == nil {
            flows[place].senderLink = record.link
        }
        let own = flows[place].senderLink
        switch record.kind {
        case .sent where record.link == own:
            guard let content = flows[place].content.sends(record), counts else { break }
            sent += ByteCount(content.bytes)
            if content.isRepeated { sentAgain += ByteCount(content.bytes) }
        case .delivered where record.link == own.map { $0 ^ 1 }:
            hears(record, of: place, counts: counts)
        case .delivered where record.link == link:
            let content = flows[place].content.delivers(record)
            if flows[place].content.countsArrivals {
                comeThrough(content.new, of: place, at: record.atNanoseconds, counts: counts)
            }
            guard counts else { break }
            inVain += ByteCount(content.known)
            delivered.add(bytes: Int(record.size))
            noteQueueing(record, sentAt: sentAt)
        case .dropped where record.link == link && counts:
            dropped.add(bytes: Int(record.size))
        case .sent, .delivered, .dropped, .duplicated, .captured: break
        }
    }

    /// Reads that the shared link has delivered a packet of any traffic.
    mutating func noteOfLink(bytes: UInt64, at now: Instant) {
        guard unfinished > 0, now >= begin else { return }
        if let until = flows[0].terms.until, now > .start + until { return }
        linkBytes += ByteCount(bytes)
    }

    private mutating func hears(_ record: PacketRecord, of place: Int, counts: Bool) {
        let before = flows[place].content.stream.arrived
        guard !flows[place].content.countsArrivals,
            let heard = flows[place].content.stream.hears(record)
        else { return }
        let fresh = flows[place].content.stream.arrived - before
        let isInTime = comeThrough(fresh, of: place, at: record.atNanoseconds, counts: counts)
        if counts, isInTime, let time = heard.roundTrip { roundTrips.add(time) }
    }

    /// Notes bytes that came through; returns whether the flow still sends.
    @discardableResult
    private mutating func comeThrough(
        _ bytes: UInt64, of place: Int, at nanoseconds: UInt64, counts: Bool
    ) -> Bool {
        let now = Instant(nanoseconds: nanoseconds)
        let isInTime = flows[place].terms.until.map { now <= .start + $0 } ?? true
        flows[place].throughput += bytes
        if counts, isInTime {
            flows[place].acknowledged += ByteCount(bytes)
            acknowledged += ByteCount(bytes)
        }
        if let length = flows[place].terms.length, flows[place].finishedAt == nil,
            flows[place].throughput >= length.bytes
        {
            flows[place].finishedAt = now
            unfinished -= 1
        }
        return isInTime
    }

    private mutating func noteQueueing(_ record: PacketRecord, sentAt: UInt64?) {
        guard let terms, let sentAt else { return }
        queueing.add(terms.wait(of: record, sentAt: sentAt))
    }
}

extension LinkTerms {
    /// Returns how much longer a delivered packet took than on an idle link of the highest rate, in
    /// nanoseconds.
    func wait(of record: PacketRecord, sentAt: UInt64) -> UInt64 {
        let least = leastTime(of: record.size)
        let transit = record.atNanoseconds - sentAt
        return transit > least ? transit - least : 0
    }
}

/// Returns a part in thousandths of the whole, rounded.
func thousandths(_ part: UInt64, of whole: UInt64) -> UInt64 {
    UInt64((UInt128(part) * 1_000 + UInt128(whole) / 2) / UInt128(max(whole, 1)))
}
