import Quantities
import RunLog

/// The traffic of a phone's interface and the energy of its radio. The radio's states follow from
/// the times of the packets.
struct RadioBook: Sendable {
    let interface: UInt16
    let terms: InterfaceTerms
    private let device: UInt16?
    private var up = LinkCount.Tally()
    private var down = LinkCount.Tally()
    private var isOn = true
    /// The end of the accounted time.
    private var mark: UInt64 = 0
    /// The latest packet; `nil` once the radio is idle again.
    private var lastPacket: UInt64?
    private var promotions = 0
    private var nanoseconds = Times()

    private struct Times: Sendable {
        var active: UInt64 = 0
        var tail: UInt64 = 0
        var idle: UInt64 = 0
    }

    init(_ interface: UInt16, _ terms: InterfaceTerms, device: UInt16?) {
        self.interface = interface
        self.device = device
        self.terms = terms
    }

    /// Reads a packet, if it is on one of the interface's links.
    mutating func read(_ record: PacketRecord) {
        switch record.kind {
        case .sent where record.link == terms.uplink, .captured where record.link == terms.uplink:
            up.add(bytes: Int(record.size))
        case .delivered where record.link == terms.downlink,
            .captured where record.link == terms.downlink:
            down.add(bytes: Int(record.size))
        default: return
        }
        account(until: record.atNanoseconds)
        if lastPacket == nil { promotions += 1 }
        lastPacket = record.atNanoseconds
    }

    mutating func turn(on: Bool, at now: Instant) {
        account(until: now.nanoseconds)
        isOn = on
        lastPacket = nil
    }

    func figures(until end: Instant) -> InterfaceFigures {
        var book = self
        book.account(until: end.nanoseconds)
        var figures = InterfaceFigures(
            interface: interface, name: terms.name, device: device, sent: up, received: down)
        guard let radio = terms.radio else { return figures }
        figures.radio = RadioFigures(
            source: radio.source, promotions: promotions,
            active: TimeSpan(nanoseconds: Int64(book.nanoseconds.active)),
            tail: TimeSpan(nanoseconds: Int64(book.nanoseconds.tail)),
            idle: TimeSpan(nanoseconds: Int64(book.nanoseconds.idle)),
            millijoules: book.millijoules(radio))
        return figures
    }

    private mutating func account(until now: UInt64) {
        guard now > mark else { return }
        defer { mark = now }
        guard isOn, let radio = terms.radio else { return }
        guard let last = lastPacket else { return nanoseconds.idle += now - mark }
        let pause = last + radio.pause.nanoseconds.magnitude
        let tail = last + radio.tail.nanoseconds.magnitude
        nanoseconds.active += Self.overlap(mark, now, from: last, to: pause)
        nanoseconds.tail += Self.overlap(mark, now, from: pause, to: tail)
        nanoseconds.idle += Self.overlap(mark, now, from: tail, to: .max)
        if now > tail { lastPacket = nil }
    }

    private static func overlap(
        _ begin: UInt64, _ end: UInt64, from start: UInt64, to stop: UInt64
    ) -> UInt64 {
        let (first, last) = (max(begin, start), min(end, stop))
        return last > first ? last - first : 0
    }

    /// Returns the energy: milliwatts times seconds are millijoules.
    private func millijoules(_ radio: RadioTerms) -> UInt64 {
        let promoting = Double(promotions) * radio.promotion.seconds * radio.promotionPower
        let lasting =
            Double(nanoseconds.active) / 1e9 * radio.activePower
            + Double(nanoseconds.tail) / 1e9 * radio.tailPower
            + Double(nanoseconds.idle) / 1e9 * radio.idlePower
        let moving =
            Double(up.bytes) * 8e-6 * radio.millijoulesPerMegabitUp
            + Double(down.bytes) * 8e-6 * radio.millijoulesPerMegabitDown
        return UInt64(promoting + lasting + moving + 0.5)
    }
}

/// The phones' interfaces that the log mentions.
struct RadioBooks: Sendable {
    private var books: [RadioBook] = []
    /// The lanes by phone; `nil` is the first one.
    private var lanes: [UInt16?: LaneBook] = [:]

    mutating func read(_ fact: NetworkFact, at now: Instant) {
        switch fact {
        case .interface(let number, let terms, let device):
            books.append(RadioBook(number, terms, device: device))
        case .path(let path, let device):
            var lane = lanes[device] ?? LaneBook()
            if let name = path.name {
                lane.begin(.connected, name, at: now)
            } else {
                lane.begin(.interrupted, "no network", at: now)
            }
            lanes[device] = lane
        case .happens, .portalAnswered, .mappingForgotten, .packetsResized, .names, .nameAsked,
            .nameAnswered:
            break
        }
    }

    mutating func read(_ fact: LinkFact, at now: Instant) {
        for place in books.indices {
            switch fact {
            case .down(books[place].terms.uplink): books[place].turn(on: false, at: now)
            case .up(books[place].terms.uplink): books[place].turn(on: true, at: now)
            default: break
            }
        }
    }

    mutating func read(packets: UnsafeBufferPointer<PacketRecord>) {
        guard !books.isEmpty else { return }
        for record in packets {
            for place in books.indices { books[place].read(record) }
        }
    }

    /// Returns the figures; `nil` if the log mentions no interfaces.
    func figures(until end: Instant) -> [InterfaceFigures]? {
        books.isEmpty ? nil : books.map { $0.figures(until: end) }
    }

    func timelineLanes(until end: Instant, _ names: RunNames) -> [Timeline.Lane] {
        lanes.sorted { ($0.key ?? 0) < ($1.key ?? 0) }.map { device, lane in
            lane.lane(.network, title: "network" + names.ofPhone(device), until: end)
        }
    }
}
