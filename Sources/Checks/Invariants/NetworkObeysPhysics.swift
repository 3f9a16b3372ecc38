import Quantities
package import RunLog

/// S16: "The network obeys physics: no packet from nowhere, none faster than its link's rate or
/// delay, none delivered over a dead link; sent + duplicated = delivered + dropped + in flight, in
/// packets and in bytes."
package struct NetworkObeysPhysics: Check {
    private var watch = Watch()
    /// The ledgers by number of the link; gaps stay empty.
    private var ledgers: [LinkLedger] = []
    private var traces: [IncludedTrace] = []
    private var countedLinks: Set<UInt16> = []
    private var radios: [RadioWatch] = []
    private var sizes: [PacketSizeWatch] = []
    /// Links with a radio whose partner has not been announced.
    private var halfRadios: [UInt16: LinkTerms] = [:]
    private var names: NameWatch?
    private var sawCapture = false
    private var evidence = Evidence<Clause>()

    package init() {}

    package var rule: String { "S16" }
    package var statement: String {
        "no packet comes from nowhere or faster than its link allows, and every link's packet "
            + "counts balance"
    }

    package mutating func read(_ event: RunEvent) {
        watch.step(to: event)
        if case .run(.began(let beginning)) = event.fact { traces = beginning.traces ?? [] }
        readNames(event)
        guard case .link(let fact) = event.fact else { return }
        switch fact {
        case .planned(let link, let terms):
            open(link)
            ledgers[Int(link)].plan(terms, traces: traces)
            if let size = PacketSizeWatch(link, terms) { sizes.append(size) }
            if let waits = terms.waits { pair(link, terms, with: waits.partner) }
        case .counted(let link, let count):
            countedLinks.insert(link)
            weigh(ledger(of: link), reporting: count)
            judge(count, of: link)
            for size in sizes {
                if let slip = size.judge(link, count) { watch.fall(slip) }
            }
        case .shared(let link, let terms):
            open(link)
            ledgers[Int(link)].share(terms.flow)
            for place in sizes.indices { sizes[place].share(link, terms.flow) }
        case .shareCounted(let link, let count):
            evidence.decides(.shared, if: count.delivered.packets > 0)
            judge(count, of: link)
        case .down(let link):
            evidence.decides(.dead, if: ledger(of: link).expectedCount.inFlight.packets > 0)
            if ledgers.indices.contains(Int(link)) { ledgers[Int(link)].goDown() }
            turn(link, down: true)
        case .up(let link):
            turn(link, down: false)
            guard ledgers.indices.contains(Int(link)) else { return }
            if let slip = ledgers[Int(link)].comeUp() { watch.fall(slip) }
        }
    }

    package mutating func read(packets batch: UnsafeBufferPointer<PacketRecord>) {
        // A world either simulates its packets or captures them.
        if batch.first?.kind == .captured { sawCapture = true }
        guard watch.breach == nil else { return }
        let end = ledgers.withUnsafeMutableBufferPointer { $0.take(batch) }
        guard end < batch.count else { return watchOthers(batch) }
        let record = batch[end]
        let slip = ledger(of: record.link).impossibility(of: record)
        watch.fall(
            byPacketAt: Instant(nanoseconds: record.atNanoseconds),
            expected: slip.expected, seen: slip.seen)
    }

    package func verdict() -> Verdict.Answer {
        watch.answer(notApplicableBecause: reasonNotToJudge)
    }

    package var clauses: [DecidedClause] {
        var all = evidence
        all.decides(.radio, times: radios.reduce(0) { $0 + $1.waitCount })
        for size in sizes {
            all.decides(.size, times: size.telling + Int(clamping: size.tooLarge))
        }
        return all.all
    }

    private mutating func readNames(_ event: RunEvent) {
        if case .network(.names(let terms)) = event.fact { names = NameWatch(terms) }
        names?.read(event, at: watch.mark)
        guard case .run(.ended) = event.fact, let breach = names?.breach(&evidence) else { return }
        watch.fall(at: breach.mark, expected: breach.slip.expected, seen: breach.slip.seen)
    }

    private mutating func pair(_ link: UInt16, _ terms: LinkTerms, with partner: UInt16) {
        guard let other = halfRadios.removeValue(forKey: partner) else {
            halfRadios[link] = terms
            return
        }
        if let radio = RadioWatch((partner, other), (link, terms)) { radios.append(radio) }
    }

    private mutating func turn(_ link: UInt16, down isDown: Bool) {
        for place in radios.indices { radios[place].turn(link, down: isDown) }
        for place in sizes.indices { sizes[place].turn(link, down: isDown) }
    }

    /// Shows packets to those who watch few links.
    private mutating func watchOthers(_ batch: UnsafeBufferPointer<PacketRecord>) {
        if names != nil { for record in batch { names?.read(record) } }
        for place in radios.indices {
            for record in batch { fall(by: record, radios[place].read(record)) }
        }
        for place in sizes.indices {
            for record in batch { fall(by: record, sizes[place].read(record)) }
        }
    }

    private mutating func fall(by record: PacketRecord, _ slip: Slip?) {
        guard let slip else { return }
        watch.fall(
            byPacketAt: Instant(nanoseconds: record.atNanoseconds),
            expected: slip.expected, seen: slip.seen)
    }

    /// Counts the packets that a link could have delivered too early, by the kind of the link, and
    /// the reports that could be wrong.
    private mutating func weigh(_ ledger: LinkLedger, reporting count: LinkCount) {
        let packets = Int(clamping: ledger.count.delivered.packets)
        if let clause = ledger.clause { evidence.decides(clause, times: packets) }
        evidence.decides(.delay, times: ledger.hasDelay ? packets : 0)
        evidence.decides(.cells, times: ledger.cellChanges)
        evidence.decides(.balanced, if: count.dropped.packets > 0)
        evidence.decides(.doubled, if: count.duplicated.packets > 0)
        evidence.decides(.inFlight, if: count.inFlight.packets > 0)
        evidence.decides(.policed, times: Int(clamping: ledger.exceeding))
        evidence.decides(.satellites, times: Int(clamping: ledger.lostBetweenSatellites))
        evidence.decides(.lostOnWay, times: Int(clamping: ledger.lostOnWay))
        evidence.decides(.marks, times: Int(clamping: count.marked?.packets ?? 0))
        evidence.decides(.late, times: Int(clamping: ledger.marking.late))
    }

    private var reasonNotToJudge: String? {
        let used = ledgers.indices.filter { ledgers[$0].count.sent.packets > 0 }
        if used.isEmpty {
            return sawCapture
                ? "captured packets crossed links with unknown terms"
                : "no packet crossed a simulated link"
        }
        if let link = used.first(where: { ledgers[$0].lacksTrace }) {
            return "the \(ledgers[link].name) follows a trace that the log does not have"
        }
        return used.first { !countedLinks.contains(UInt16($0)) }.map {
            "the \(ledgers[$0].name) never reported its counts"
        }
    }

    private mutating func open(_ link: UInt16) {
        while ledgers.count <= Int(link) { ledgers.append(LinkLedger()) }
    }

    /// Returns the ledger of a link, or an empty ledger if the link is not known.
    private func ledger(of link: UInt16) -> LinkLedger {
        ledgers.indices.contains(Int(link)) ? ledgers[Int(link)] : LinkLedger()
    }

    private mutating func judge(_ count: SharingCount, of link: UInt16) {
        let ledger = ledger(of: link)
        let delivered = ledger.delivered(of: count.flow)
        guard delivered != count.delivered else { return }
        watch.fall(
            expected: delivered.map {
                "flow \(count.flow) of the \(ledger.name) has received \($0.packets) packets, "
                    + "\($0.bytes) bytes, as its records say"
            } ?? "counts only for announced flows",
            seen: "flow \(count.flow) has received \(count.delivered.packets) packets, "
                + "\(count.delivered.bytes) bytes")
    }

    private mutating func judge(_ count: LinkCount, of link: UInt16) {
        let ledger = ledger(of: link)
        guard ledger.isPlanned else {
            return watch.fall(
                expected: "counts only for planned links", seen: "counts of link \(link)")
        }
        let lines: [(String, WritableKeyPath<LinkCount.Tally, UInt64>)] = [
            ("packets", \.packets), ("bytes", \.bytes),
        ]
        for (unit, line) in lines {
            let coming = count.sent[keyPath: line] + count.duplicated[keyPath: line]
            let gone = [count.delivered, count.dropped, count.inFlight]
                .reduce(0) { $0 + $1[keyPath: line] }
            guard coming != gone else { continue }
            watch.fall(
                expected:
                    "\(coming) \(unit) sent or duplicated on the \(ledger.name) are delivered, "
                    + "dropped or in flight",
                seen: "\(gone) are")
        }
        if ledger.exceeding != count.drops?.policed ?? 0 {
            watch.fall(
                expected: "the policer of the \(ledger.name) drops the \(ledger.exceeding) "
                    + "packets that exceed it",
                seen: "it drops \(count.drops?.policed ?? 0)")
        }
        let accounts: [(String, KeyPath<LinkCount, LinkCount.Tally>)] = [
            ("sent", \.sent), ("duplicated", \.duplicated), ("delivered", \.delivered),
            ("dropped", \.dropped), ("in flight", \.inFlight), ("marked", \.markedOrNone),
        ]
        for (account, tally) in accounts {
            let expected = ledger.expectedCount[keyPath: tally]
            let seen = count[keyPath: tally]
            guard expected != seen else { continue }
            watch.fall(
                expected:
                    "the \(ledger.name) reports \(expected.packets) packets, \(expected.bytes) "
                    + "bytes \(account), as its records say",
                seen: "it reports \(seen.packets) packets, \(seen.bytes) bytes")
        }
    }
}

extension LinkCount {
    fileprivate var markedOrNone: Tally { marked ?? Tally() }
}

extension NetworkObeysPhysics {
    /// A packet on a link decides what the link's terms say of it: it could come earlier, or not
    /// at all. The packets are counted at the end, link by link, because there are millions.
    enum Clause: String, ClauseName {
        case rate, delay
        case changingRate = "changing rate"
        case trace
        case changingDelay = "changing delay"
        case jitter
        case reordering
        case lines = "dual queue"
        /// Decided by each packet that finds a radio at rest, asleep or without a grant.
        case radio
        /// Decided by each packet that leaves after a change of the cell that loses what waits.
        case cells = "changes of the cell"
        case shaper
        case slots
        case air = "Wi-Fi"
        /// Decided by each packet that is sent between two satellites.
        case satellites
        /// Decided by each packet that is too large, or is as large as its sender may send it.
        case size = "largest packet"
        /// Decided by each packet that exceeds a policer.
        case policed = "policer"
        /// Decided by each packet that is lost behind a queue.
        case lostOnWay = "lost on the way"
        /// Decided by a link that goes down with packets on it.
        case dead = "dead link"
        /// Decided by each link that has dropped packets, doubled packets, or has some on it when
        /// the run ends.
        case balanced = "drops are counted"
        case doubled = "copies are counted"
        case inFlight = "packets on the way are counted"
        /// Decided by each marked packet.
        case marks
        /// Decided by each marked packet that has waited for longer than a threshold.
        case late = "mark threshold"
        /// Decided by each attempt to reach an address that was asked for.
        case names
        /// Decided by each second attempt of a connection.
        case attempts
        /// Decided by each attempt by IPv4 while nothing is known of IPv6.
        case preference = "preference of IPv6"
        /// Decided by each other flow that shares a link.
        case shared = "shared link"

        package var sentence: String {
            switch self {
            case .rate: "packets follow each other no faster than the link's rate"
            case .delay: "no packet is faster than the link's delay"
            case .changingRate: "no packet is faster than the rate of its moment"
            case .trace: "packets leave only at the chances of a trace"
            case .changingDelay: "no packet is faster than the delay of its moment"
            case .jitter: "jitter on a link of a changing rate keeps the order and the rate"
            case .reordering: "a reordering link keeps its delay"
            case .lines: "each of the two lines of a dual queue keeps its order"
            case .radio: "a radio that rests makes packets wait"
            case .cells: "what waits when the cell changes is lost, unless it is forwarded"
            case .shaper: "packets leave a shaper only with the tokens of its bucket"
            case .slots: "a link with slots delivers in bursts of their size and distance"
            case .air: "an aggregate of Wi-Fi carries no more than it may, and costs its access"
            case .satellites: "what is sent while satellites change is lost"
            case .size: "packets that are too large vanish, and hosts that know send none"
            case .policed: "what exceeds a policer is dropped, and nothing else by it"
            case .lostOnWay: "a packet lost behind the queue has taken its time on the link"
            case .dead: "a link that is down loses what is on it"
            case .balanced: "a link's report of its drops agrees with its packets"
            case .doubled: "a link's report of its copies agrees with its packets"
            case .inFlight: "a link's report of what is on the way agrees with its packets"
            case .marks: "only a queue that marks turns ECN-capable packets into marked ones"
            case .late: "what has waited beyond a queue's threshold is marked, if it can be"
            case .names: "no connection is tried before an answer names the address"
            case .attempts: "a second attempt waits until the first has failed or had its time"
            case .preference: "an attempt by IPv4 waits a moment for an answer about IPv6"
            case .shared: "a report of another flow's share agrees with its packets"
            }
        }
    }
}
