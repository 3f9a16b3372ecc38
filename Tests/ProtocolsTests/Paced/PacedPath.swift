import Quantities
import Testing

@testable import Protocols

/// A sender and a receiver of the paced transport, with a way between them that does to packets
/// what a test asks for.
struct PacedPath {
    var sender: PacedSender
    var receiver = PacedReceiver()
    var now = Instant.start
    /// Way of a data packet, by its place in the order of sending: when it arrives after it was
    /// sent, once or several times, or never.
    var fate: (Int, PacedPacket) -> [TimeSpan]
    /// Whether the report with this number is lost.
    var losesReport: (UInt64) -> Bool = { _ in false }
    let delay: TimeSpan
    private(set) var packets: [PacedPacket] = []
    private(set) var reports: [PacedReport] = []
    /// Whether the path notes each byte that arrives, which takes its time.
    var countsBytes = true
    /// Bytes of each file that arrived, and how often.
    private(set) var arrived: [UInt32: [UInt64: Int]] = [:]
    private(set) var contentSent: UInt64 = 0
    /// The part of it that never arrives.
    private(set) var contentLost: UInt64 = 0
    private var onWay: [(at: Instant, event: Event)] = []

    private enum Event {
        case data(PacedPacket, [PacedChunk])
        case report(PacedReport)
    }

    init(
        _ settings: PacedSettings = PacedSettings(), delay: TimeSpan = .milliseconds(20),
        fate: ((Int, PacedPacket) -> [TimeSpan])? = nil
    ) {
        sender = PacedSender(settings, at: .start)
        self.delay = delay
        self.fate = fate ?? { _, _ in [delay] }
    }

    /// Loses one of so many packets, by chance.
    mutating func lose(oneIn count: UInt64, seed: UInt64) {
        var random = RandomStream(seed: seed, name: "losses")
        fate = { [delay] _, _ in random.below(count) == 0 ? [] : [delay] }
    }

    /// Carries packets one after the other, at this rate, and loses some before.
    mutating func carry(
        megabits: Int64, after delay: TimeSpan, losingOneIn count: UInt64 = .max, seed: UInt64 = 1
    ) {
        var free = Instant.start
        var random = RandomStream(seed: seed, name: "losses")
        fate = { _, packet in
            guard random.below(count) > 0 else { return [] }
            free = max(free, packet.sentAt) + .microseconds(Int64(packet.size) * 8 / megabits)
            return [free - packet.sentAt + delay]
        }
    }

    /// Plays until nothing happens by itself, or until a moment.
    mutating func play(until last: Instant = .start + .seconds(120)) {
        while let next = nextMoment, next <= last {
            now = max(now, next)
            if let place = onWay.indices.first(where: { onWay[$0].at <= now }) {
                take(onWay.remove(at: place).event)
            }
            while let packet = sender.next(at: now) { send(packet) }
            while let report = receiver.report(at: now) {
                reports.append(report)
                if !losesReport(report.number) { put(.report(report), at: now + delay) }
            }
        }
    }

    /// Whether each byte of a file arrived.
    func hasArrived(_ file: UInt32, _ length: UInt64) -> Bool {
        let bytes = arrived[file] ?? [:]
        return bytes.count == Int(length)
    }

    private var nextMoment: Instant? {
        var next = onWay.first?.at
        next.advance(to: sender.deadline.map { max($0, now) })
        next.advance(to: receiver.deadline.map { max($0, now) })
        return next
    }

    private mutating func send(_ packet: PacedPacket) {
        let chunks = Array(sender.chunks(of: packet.number))
        let content = chunks.reduce(0) { $0 + UInt64($1.length) }
        contentSent += content
        packets.append(packet)
        let ways = fate(packets.count - 1, packet)
        if ways.isEmpty { contentLost += content }
        for way in ways { put(.data(packet, chunks), at: now + way) }
    }

    private mutating func put(_ event: Event, at moment: Instant) {
        let place = onWay.firstIndex { $0.at > moment } ?? onWay.count
        onWay.insert((moment, event), at: place)
    }

    private mutating func take(_ event: Event) {
        switch event {
        case .data(let packet, let chunks):
            guard receiver.arrived(packet, at: now), countsBytes else { return }
            for chunk in chunks {
                for offset in chunk.offset..<chunk.offset + UInt64(chunk.length) {
                    arrived[chunk.file, default: [:]][offset, default: 0] += 1
                }
            }
        case .report(let report): sender.heard(report, at: now)
        }
    }
}

extension PacedPath: CustomTestStringConvertible {
    /// A failure need not show every byte.
    var testDescription: String { "the path at \(now)" }
}
