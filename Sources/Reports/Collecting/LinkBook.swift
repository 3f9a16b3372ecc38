import Checks
import Quantities
import RunLog

/// The traffic of the links, counted packet by packet; the packets are not kept.
struct LinkBook: Sendable {
    private var carried: [DirectionBook] = []
    private var captured: [DirectionBook] = []
    private var interfaces: [UInt16: String] = [:]
    private var terms: [UInt16: LinkTerms] = [:]
    private var counts: [UInt16: LinkCount] = [:]
    /// What the planned links could carry, as far as their terms say.
    private var offers: [UInt16: LinkOffer] = [:]
    private var traces: [IncludedTrace] = []

    mutating func read(_ beginning: RunBeginning) { traces = beginning.traces ?? [] }

    mutating func read(_ fact: LinkFact) {
        switch fact {
        case .planned(let link, let terms):
            self.terms[link] = terms
            offers[link] = LinkOffer(terms, traces: traces)
            // An idle link has a row, too.
            Self.makeRoom(for: link, in: &carried)
        case .counted(let link, let count):
            counts[link] = count
            Self.makeRoom(for: link, in: &carried)
        case .shared(let link, let terms):
            Self.makeRoom(for: link, in: &carried)
            carried[Int(link)].share(terms)
        // The packets of these facts are counted one by one.
        case .shareCounted, .down, .up: break
        }
    }

    mutating func read(_ fact: NetworkFact) {
        guard case .interface(let number, let terms, _) = fact else { return }
        interfaces[number] = terms.name
    }

    mutating func read(packets batch: UnsafeBufferPointer<PacketRecord>) {
        guard let records = batch.baseAddress else { return }
        makeRoom(for: batch)
        carried.withUnsafeMutableBufferPointer { carried in
            captured.withUnsafeMutableBufferPointer { captured in
                for place in 0..<batch.count {
                    let record = records + place
                    if record.pointee.kind == .captured {
                        captured[Int(record.pointee.link)].read(record)
                    } else {
                        carried[Int(record.pointee.link)].read(record)
                    }
                }
            }
        }
    }

    private mutating func makeRoom(for batch: UnsafeBufferPointer<PacketRecord>) {
        for record in batch {
            if record.kind == .captured {
                Self.makeRoom(for: record.link, in: &captured)
            } else {
                Self.makeRoom(for: record.link, in: &carried)
            }
        }
    }

    /// Returns the time that this payload alone takes from a moment on, over the fastest link in
    /// its direction.
    func floor(
        for payload: ByteCount, from begin: Instant, isDownload: Bool
    ) -> TimeSpan? {
        guard payload > .zero else { return nil }
        let direction = isDownload ? "downlink" : "uplink"
        return carried.indices.map { UInt16($0) }
            .filter { terms[$0]?.name.hasSuffix(direction) == true }
            .compactMap { offers[$0]?.time(for: payload, from: begin) }.min()
    }

    func figures() -> [LinkFigures] {
        carried.indices.compactMap { place in
            let book = carried[place]
            let link = UInt16(place)
            guard terms[link] != nil || counts[link] != nil || book.count.sent.packets > 0
            else { return nil }
            return LinkFigures(
                link: link, terms: terms[link], count: counts[link] ?? book.count,
                retransmitted: book.retransmitted,
                duplicateAcknowledgements: book.duplicateAcknowledgements,
                use: book.use(of: offers[link]), transit: book.transit.figures)
        }
    }

    func shareFigures() -> [ShareFigures] {
        carried.indices.flatMap { place in
            let name = name(of: UInt16(place))
            return carried[place].shares.map { $0.figures(on: name) }
        }
    }

    func captureFigures() -> [CaptureFigures] {
        captured.indices.compactMap { place in
            let book = captured[place]
            guard book.captured.packets > 0 else { return nil }
            return CaptureFigures(
                link: UInt16(place), name: capturedName(of: UInt16(place)),
                captured: book.captured, retransmitted: book.retransmitted)
        }
    }

    func throughput(until end: Instant) -> [RunSeries.Throughput] {
        series(of: carried, .delivered, until: end) + series(of: carried, .ofOthers, until: end)
            + series(of: captured, .captured, until: end)
    }

    private func series(
        of books: [DirectionBook], _ source: RunSeries.Throughput.Source, until end: Instant
    ) -> [RunSeries.Throughput] {
        books.indices.compactMap { place in
            let book = books[place]
            let buckets = (source == .ofOthers ? book.bucketsOfOthers : book.buckets).reaching(end)
            guard !buckets.steps.isEmpty else { return nil }
            let link = UInt16(place)
            return RunSeries.Throughput(
                link: link, name: source == .captured ? capturedName(of: link) : name(of: link),
                source: source, rate: source == .delivered ? terms[link]?.rate : nil,
                bucket: buckets.width, bytes: buckets.steps)
        }
    }

    /// Names a link of a capture: for each interface, the direction from the clients comes first.
    private func capturedName(of link: UInt16) -> String {
        let direction = link % 2 == 0 ? "uplink" : "downlink"
        return interfaces[link / 2].map { "\($0) \(direction)" }
            ?? (link < 2 ? direction : "\(direction) \(link / 2 + 1)")
    }

    func name(of link: UInt16) -> String { terms[link]?.name ?? "link \(link)" }

    @inline(__always)
    private static func makeRoom(for link: UInt16, in books: inout [DirectionBook]) {
        while books.count <= Int(link) { books.append(DirectionBook()) }
    }
}

/// One direction of a link.
struct DirectionBook: Sendable {
    private static let stepLimit = 600

    private(set) var count = LinkCount()
    private(set) var captured = LinkCount.Tally()
    private(set) var retransmitted = LinkCount.Tally()
    private(set) var duplicateAcknowledgements: UInt64 = 0
    /// The delivered bytes of the run's own packets.
    private(set) var buckets = TimeSteps<UInt64>(limit: Self.stepLimit)
    private(set) var bucketsOfOthers = TimeSteps<UInt64>(limit: Self.stepLimit)
    private(set) var transit = TransitBook()
    private var flows: [FlowBook] = []
    private(set) var shares: [ShareBook] = []
    private var firstNanoseconds: UInt64 = .max
    private var lastNanoseconds: UInt64 = 0

    /// The highest position in a flow's stream; data below it is retransmitted.
    private struct FlowBook: Sendable {
        var nextSequence: UInt32 = 0
        var isKnown = false
        /// The acknowledgement in the flow's latest packet.
        var acknowledgement: UInt32?

        /// Returns how much of a packet's payload was sent before, and whether the packet is a
        /// duplicate acknowledgement.
        @inline(__always)
        mutating func note(_ record: UnsafePointer<PacketRecord>) -> (again: Int, isDuplicate: Bool)
        {
            if record.pointee.flags.contains(.syn) { isKnown = false }
            let isRepeated = acknowledgement == record.pointee.acknowledgement
            acknowledgement = record.pointee.acknowledgement
            guard record.pointee.payload > 0 else {
                return (0, isRepeated && record.pointee.flags.withoutCongestion == .ack)
            }
            let end = record.pointee.sequence &+ UInt32(record.pointee.payload)
            guard isKnown else {
                nextSequence = end
                isKnown = true
                return (0, false)
            }
            // Sequence numbers wrap after 4 GiB: only their distance has a sign.
            let ahead = Int32(bitPattern: record.pointee.sequence &- nextSequence)
            if Int32(bitPattern: end &- nextSequence) > 0 { nextSequence = end }
            return (ahead < 0 ? min(Int(-Int64(ahead)), Int(record.pointee.payload)) : 0, false)
        }
    }

    mutating func share(_ terms: SharingTerms) { shares.append(ShareBook(terms)) }

    @inline(__always)
    mutating func read(_ record: UnsafePointer<PacketRecord>) {
        let isOwn = record.pointee.flow < ShareBook.firstFlow
        let size = record.pointee.size
        let time = record.pointee.atNanoseconds
        if !isOwn { noteShare(of: record.pointee) }
        switch record.pointee.kind {
        case .sent:
            count.sent.add(bytes: Int(size))
            firstNanoseconds = min(firstNanoseconds, time)
            transit.leaves(packet: record.pointee.packet, at: time)
            if isOwn { noteSequence(of: record) }
        case .delivered:
            count.delivered.add(bytes: Int(size))
            lastNanoseconds = max(lastNanoseconds, time)
            transit.arrives(packet: record.pointee.packet, at: time)
            if isOwn {
                buckets[at: time] += UInt64(size)
            } else {
                bucketsOfOthers[at: time] += UInt64(size)
            }
        case .dropped: count.dropped.add(bytes: Int(size))
        case .duplicated: count.duplicated.add(bytes: Int(size))
        case .captured:
            captured.add(bytes: Int(size))
            buckets[at: time] += UInt64(size)
            if isOwn { noteSequence(of: record) }
        }
    }

    /// Returns the used share of what the link could carry from the first packet's start to the
    /// last packet's arrival.
    func use(of offer: LinkOffer?) -> Double? {
        guard let offer, lastNanoseconds > firstNanoseconds else { return nil }
        let offered = offer.bits(
            from: Instant(nanoseconds: firstNanoseconds), to: Instant(nanoseconds: lastNanoseconds))
        guard offered > 0 else { return nil }
        let share = Double(count.delivered.bytes) * 8 / offered
        return Double(Int(share * 10_000 + 0.5)) / 10_000
    }

    private mutating func noteShare(of record: PacketRecord) {
        guard let place = shares.firstIndex(where: { $0.flow == record.flow }) else { return }
        shares[place].read(record)
    }

    /// Counts a packet of the run's TCP if it is a retransmission or a duplicate acknowledgement.
    @inline(__always)
    private mutating func noteSequence(of record: UnsafePointer<PacketRecord>) {
        guard !record.pointee.isPaced else { return }
        let flow = Int(record.pointee.flow)
        while flows.count <= flow { flows.append(FlowBook()) }
        let note = flows[flow].note(record)
        if note.again > 0 { retransmitted.add(bytes: note.again) }
        if note.isDuplicate { duplicateAcknowledgements += 1 }
    }
}
