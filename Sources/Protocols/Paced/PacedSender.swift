package import Quantities

/// The sender of the paced transport: it sends at a rate, and again only what the receiver misses.
///
/// A host adds files, sends each packet that `next` returns, and calls `heard` for each report. It
/// calls `next` again after any of these, and when `deadline` has come.
///
///              first report             all has arrived, and          the receiver has
///                                       no file will follow           heard so
///     opening ──────────────▶ sending ───────────────────────▶ closing ───────────▶ complete
///        │                      │                                 │
///        └──────────────────────┴─────────────────────────────────┼──▶ aborted, by either side
///                                                                 └──▶ silent, after 30 s, or
///                                                                      10 s while opening
package struct PacedSender: Sendable {
    package private(set) var state = State.opening
    private var rate: PacedRate
    private var sent = SentPackets()
    private var files = PacedFiles()
    /// Chunks of packets that were reported missing.
    private var repairs = ChunkQueue()
    private var sizes: PacketSizeSearch
    /// When the next packet may leave.
    private var departure: Instant
    /// Packets that may leave before the rate is known.
    private var flight = Self.firstFlight
    private var watch = ReportWatch()
    private var way = PathDelay()
    /// How much content the receiver takes in all.
    private var limit = UInt64.max
    private var latest: PacedReport?
    private var received = ReceiveRate()
    /// The pace and the interval of reports, which change only with a report or with the settings.
    private var pace: PacketPace
    private var reportEvery = Self.reportIntervals.lowerBound
    /// The packet that was made last. It stays in its place, because a packet that is returned is
    /// copied several times.
    package private(set) var packet: PacedPacket
    /// The offset of its content, or of the first piece of it.
    package private(set) var offset: UInt64 = 0
    /// Content of file 0 that the receiver has from its beginning on, as far as it has said so.
    private(set) var inOrder: UInt64 = 0
    /// The probe that went to another address of the receiver alone.
    private var challenge: PacedChallenge?
    /// Whether a report has told of that probe, and of none behind it.
    package private(set) var hasAnswer = false
    /// Packets that still tell the receiver of an abort. Any of them may be lost.
    private var farewells = 0

    /// As in RFC 6928.
    private static let firstFlight = 10
    private static let reportIntervals = TimeSpan.milliseconds(5)...TimeSpan.milliseconds(50)
    /// How much earlier than its time a packet may leave, so that a host has fewer moments to wake
    /// at.
    private static let quantum = TimeSpan.microseconds(200)
    /// What a host that is late may make up for at once.
    private static let longestBurst = TimeSpan.milliseconds(2)

    package init(
        _ settings: PacedSettings, packetSize: Int = PacedFormat.usualPacket, at now: Instant
    ) {
        rate = PacedRate(settings)
        pace = PacketPace(bitsPerSecond: Double(settings.target.bitsPerSecond))
        sizes = PacketSizeSearch(from: packetSize)
        departure = now
        packet = PacedPacket(
            .probe, number: 0, floor: 0, sentAt: now, reportEvery: reportEvery, size: 0)
    }

    // MARK: Commands

    package var settings: PacedSettings {
        get { rate.settings }
        set {
            rate.settings = newValue
            settlePace()
        }
    }

    /// Adds a file, or the rest of one. It leaves after all that were added before.
    package mutating func add(file: UInt32, from offset: UInt64 = 0, to end: UInt64) {
        files.add(file: file, from: offset, to: end)
    }

    /// Content that was added, and has not left yet.
    package var waiting: UInt64 { files.waiting }

    /// Whether the receiver takes no more for now.
    private var isFull: Bool { files.taken >= limit }

    /// Asks for a first report at once, although there may be nothing to send.
    package mutating func greet(at now: Instant) { watch.expect(at: now) }

    /// Sends no more content, except what is missing of the content already sent.
    package mutating func stop() { files.stop() }

    /// Ends the session once everything has arrived.
    package mutating func finish() {
        files.isClosed = true
        closeIfDone()
    }

    package mutating func abort(at now: Instant) {
        guard !state.isOver else { return }
        state = .aborted
        farewells = 3
        departure = max(departure, now)
    }

    /// Ends the session without a word.
    package mutating func vanish() {
        guard !state.isOver || farewells > 0 else { return }
        state = .aborted
        farewells = 0
    }

    // MARK: Another address

    /// Returns a probe for another address of the receiver.
    package mutating func challenge(at now: Instant) -> PacedPacket {
        make(.probe, of: 0, at: now)
        challenge = PacedChallenge(number: packet.number, sentAt: now)
        hasAnswer = false
        return packet
    }

    /// Sends to another address from now on: nothing is known of the path there.
    package mutating func moves(at now: Instant) {
        challenge = nil
        hasAnswer = false
        way = PathDelay()
        beginAnew()
        departure = now
    }

    /// The number of the latest report.
    var newestReport: UInt64 { latest?.number ?? 0 }

    // MARK: Packets

    /// Returns a packet that may leave now, if there is one; `chunks` tells its content.
    package mutating func next(at now: Instant) -> PacedPacket? {
        makesNext(at: now) ? packet : nil
    }

    /// Makes a packet that may leave now; returns false if there is none.
    package mutating func makesNext(at now: Instant) -> Bool {
        guard !state.isOver else { return bidsFarewell(at: now) }
        if let end = watch.end(isOpening: state == .opening), now >= end {
            state = .silent
            return false
        }
        guard now + Self.quantum >= departure else { return false }
        if state != .closing, flight > 0, !watch.isQuiet(at: now) {
            if beginsBurst {
                probe(at: now)
                return true
            }
            let size = fill()
            if size > 0 {
                sendData(of: size, at: now)
                return true
            }
            received.limitedAt = sent.end
        }
        // Content waits for the next report.
        if watch.isQuiet(at: now) { departure = max(departure, nextProbe) }
        guard watch.expectedSince != nil || state == .closing, now >= nextProbe else {
            return false
        }
        probe(at: now)
        return true
    }

    /// When `next` is to be called; `nil` if only a report or a command leads on.
    package var deadline: Instant? {
        var sender = self
        return sender.currentDeadline()
    }

    /// Returns the deadline. Mutating, because a getter is given a copy of the sender.
    package mutating func currentDeadline() -> Instant? {
        if state.isOver { return farewells > 0 ? departure : nil }
        let mayAdd = !files.isEmpty && !isFull
        let hasContent = state != .closing && flight > 0 && (mayAdd || !repairs.isEmpty)
        if hasContent, departure < watch.quietFrom { return departure }
        guard watch.expectedSince != nil || state == .closing else { return nil }
        let giveUp = watch.end(isOpening: state == .opening) ?? .end
        return min(max(nextProbe, departure, hasContent ? watch.quietFrom : .start), giveUp)
    }

    /// Returns a packet's chunks; none if its content is no longer needed.
    package func chunks(of packet: UInt64) -> SentChunks { sent.chunks(of: packet) }

    // MARK: Reports

    /// Reads a report; returns false if it is not new, or cannot be true.
    @discardableResult
    package mutating func heard(_ report: PacedReport, at now: Instant) -> Bool {
        guard !state.isOver, report.number > latest?.number ?? 0, isPlausible(report, at: now)
        else { return false }
        if watch.isQuiet(at: now) {
            rate.resumed()
            departure = min(departure, now)
        }
        if challenge?.isAnswered(by: report) == true { hasAnswer = true }
        settle(report)
        // A receiver that takes nothing for now may have said so for the last time.
        limit = latest == nil ? report.intake.limit : max(limit, report.intake.limit)
        inOrder = report.intake.inOrder
        watch.heard(
            echo: report.echo, held: report.held,
            expectsMore: sent.floor < sent.end || state == .closing || isFull, at: now)
        adjust(report, at: now)
        settlePace()
        latest = report
        switch report.ending {
        case .none:
            if state == .opening { state = .sending }
            closeIfDone()
        case .complete: state = .complete
        case .aborted: state = .aborted
        }
        return true
    }

    private func isPlausible(_ report: PacedReport, at now: Instant) -> Bool {
        // A receiver has everything only after it was told that nothing follows.
        guard report.packets > 0, report.ending != .complete || state == .closing,
            report.end <= sent.end, report.echo + report.held <= now,
            report.intake.inOrder <= files.taken
        else { return false }
        return report.isConsistent && latest.map(report.isPossible(after:)) ?? true
    }

    /// Settles what has arrived, and queues what is missing.
    private mutating func settle(_ report: PacedReport) {
        let size = sizes.size
        arrived(sent.floor..<max(sent.floor, report.contiguous))
        var number = report.told.lowerBound
        for range in report.missing {
            arrived(number..<range.lowerBound)
            for missing in range where sent.settleMissing(missing) {
                if isLarge(missing) { sizes.missed(missing, before: sent.end) }
                for chunk in sent.chunks(of: missing) { repairs.append(chunk) }
            }
            number = range.upperBound
        }
        arrived(number..<report.told.upperBound)
        // Some of it was only late.
        repairs.drop(below: report.intake.inOrder)
        sent.forget(below: report.contiguous)
        if sizes.size < size { beginAnew() }
    }

    /// Forgets a rate that was measured with packets that do not pass.
    private mutating func beginAnew() {
        rate = PacedRate(settings)
        flight = Self.firstFlight
        received.limitedAt = sent.end
    }

    private mutating func arrived(_ numbers: Range<UInt64>) {
        if sizes.isWatching, numbers.contains(where: { isLarge($0) && !sent.isSettled($0) }) {
            sizes.arrived()
        }
        sent.settle(numbers)
    }

    /// Whether a packet is larger than the next smaller size of packets.
    private func isLarge(_ number: UInt64) -> Bool {
        sent.size(of: number) > sizes.smaller
    }

    /// Tells the rate what the report says of the path.
    private mutating func adjust(_ report: PacedReport, at now: Instant) {
        let roundTrip = watch.roundTrip ?? ReportWatch.assumedRoundTrip
        let packets = report.packets - (latest?.packets ?? 0)
        if rate.phase == .opening { flight += Int(min(packets, UInt64(Self.firstFlight))) }
        guard let shortest = report.shortestWay else { return }
        let wait = way.measured(shortest, roundTrip: roundTrip, at: now)
        rate.heard(
            PacedRate.Sample(
                now: now, roundTrip: roundTrip, wait: wait, isPausing: way.isPausing,
                received: received.measured(report), numbers: report.end - (latest?.end ?? 0),
                packets: packets, end: report.end, sentEnd: sent.end))
        if rate.phase != .opening { flight = .max }
        if let pause = way.takePause(), settings.policy != .fixed {
            departure = max(departure, now) + pause
            received.limitedAt = sent.end
        }
    }

    private mutating func settlePace() {
        let target = Double(settings.target.bitsPerSecond)
        pace = PacketPace(bitsPerSecond: rate.phase == .opening ? target : rate.bitsPerSecond)
        // The first rate is to be known soon.
        let half = rate.phase == .opening ? 0 : (watch.roundTrip?.nanoseconds ?? 0) / 2
        let interval = min(
            max(TimeSpan(nanoseconds: half), Self.reportIntervals.lowerBound),
            Self.reportIntervals.upperBound)
        // As exact as a packet can tell.
        reportEvery = .microseconds(interval.nanoseconds / 10_000 * 10)
    }

    private mutating func closeIfDone() {
        // Who has nothing to send opens by closing.
        let isOpen = state == .sending || state == .opening && sent.end == 0
        guard isOpen, files.isClosed, files.isEmpty, repairs.isEmpty, sent.floor == sent.end
        else { return }
        state = .closing
        watch.asksAnew()
    }
}

// MARK: Building packets

extension PacedSender {
    /// Puts as much content into the next packet as fits; returns its size.
    private mutating func fill() -> Int {
        let room = sizes.size - PacedFormat.outerHeaders - PacedFormat.emptyData
        var size = 0
        while room - size > PacedFormat.chunkHeader {
            let most = room - size - PacedFormat.chunkHeader
            if !repairs.isEmpty { repairs.drop(below: inOrder) }
            // A chunk that is sent again is split only if no packet has room for it.
            guard size == 0 || repairs.firstLength <= most else { break }
            let missing = repairs.isEmpty ? nil : repairs.take(atMost: most)
            guard let chunk = missing ?? take(atMost: most) else { break }
            if size == 0 { offset = chunk.offset }
            sent.add(chunk)
            size += PacedFormat.chunkHeader + Int(chunk.length)
        }
        return size
    }

    /// Takes new content, as much as the receiver takes.
    private mutating func take(atMost count: Int) -> PacedChunk? {
        isFull ? nil : files.take(atMost: Int(min(UInt64(count), limit - files.taken)))
    }

    private mutating func sendData(of size: Int, at now: Instant) {
        make(.data, of: size, at: now)
        if flight < .max { flight -= 1 }
        let late = min(now - departure, Self.longestBurst)
        departure = now + (pace.time(after: packet.size) - late)
    }

    /// Whether content follows a pause while the rate is not known. A report of the moment before
    /// then tells how long that content took.
    private var beginsBurst: Bool {
        rate.phase == .opening && received.limitedAt == sent.end && sent.end > 0
            && files.waiting > ReceiveRate.fewest * UInt64(sizes.size)
    }

    private mutating func probe(at now: Instant) {
        watch.sentProbe()
        make(state == .closing ? .close : .probe, of: 0, at: now)
    }

    private mutating func bidsFarewell(at now: Instant) -> Bool {
        guard farewells > 0, now >= departure else { return false }
        farewells -= 1
        departure = now + (watch.roundTrip ?? ReportWatch.assumedRoundTrip)
        make(.abort, of: 0, at: now)
        return true
    }

    /// Makes the next packet, with what `fill` has put into it.
    private mutating func make(_ kind: PacedPacket.Kind, of size: Int, at now: Instant) {
        let number = sent.close()
        // An empty packet has nothing that could be missing.
        if size == 0 {
            sent.settle(number..<number + 1)
            offset = 0
        }
        watch.sent(at: now)
        packet = PacedPacket(
            kind, number: number, floor: min(sent.floor, number), sentAt: now,
            reportEvery: reportEvery,
            size: PacedFormat.outerHeaders + PacedFormat.emptyData + size)
    }

    /// When the next probe may leave: at once if there is something to ask.
    private var nextProbe: Instant {
        let asksAtOnce = (state == .closing || sent.end == 0) && !watch.hasProbed
        return asksAtOnce ? .start : watch.nextProbe
    }
}
