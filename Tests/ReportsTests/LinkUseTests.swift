import Quantities
import RunLog
import Testing

@testable import Reports

/// The used share of a link whose rate changes: of what it could carry while it was used.
@Suite struct LinkUseTests {
    /// Three packets of 1500 bytes, sent at once, and delivered at these milliseconds.
    private func use(
        delivered: [UInt64], _ change: (inout LinkTerms) -> Void
    ) throws -> Double? {
        var terms = LinkTerms(
            name: "uplink", rate: Bitrate(bitsPerSecond: 1_200_000), delay: .zero,
            queueLimit: ByteCount(64_000), loss: .never)
        change(&terms)
        var packets = HandmadePackets()
        let sent = delivered.map { _ in packets.send(1_448, at: 0) }
        for (packet, moment) in zip(sent, delivered) { packets.deliver(packet, at: moment) }
        var collector = FigureCollector()
        collector.read(RunEvent(at: .start, .run(.began(SampleRun().beginning))))
        collector.read(RunEvent(at: .start, .link(.planned(link: 0, terms))))
        packets.records.withUnsafeBufferPointer { collector.read(packets: $0) }
        return try #require(collector.figures().links.first).use
    }

    @Test func `a fast beginning of a trace is not used beyond what it offers`() throws {
        // Three chances at first, then one in a second: 33 kbit/s on average.
        let chances: [UInt64] = [1, 2, 3, 1_000]
        #expect(try use(delivered: [1, 2, 3]) { $0.chances = chances } == 1)
        #expect(try use(delivered: [1, 2, 1_000]) { $0.chances = chances } == 0.75)
    }

    @Test func `a pause offers nothing`() throws {
        let steps: [LinkTerms.RateStep] = [
            .init(from: .zero, rate: Bitrate(bitsPerSecond: 12_000_000)),
            .init(from: .milliseconds(2), rate: nil),
            .init(from: .milliseconds(1_000), rate: Bitrate(bitsPerSecond: 12_000_000)),
        ]
        #expect(try use(delivered: [1, 2, 1_001]) { $0.rateSteps = steps } == 1)
    }

    @Test func `a constant rate is used as far as it goes`() throws {
        #expect(try use(delivered: [10, 20, 40]) { _ in } == 0.75)
    }

    @Test func `no session is faster than a floor over its own part of the trace`() throws {
        let floor = try #require(Self.floor { $0.chances = [100, 100, 200] })
        // 8 MB are 5 334 chances, three in 200 ms; the session begins after 5 ms.
        #expect(floor == .milliseconds(355_595))
    }

    private static func floor(_ change: (inout LinkTerms) -> Void) -> TimeSpan? {
        var collector = FigureCollector()
        for event in SampleRun().events {
            guard case .link(.planned(let link, var terms)) = event.fact else {
                collector.read(event)
                continue
            }
            change(&terms)
            collector.read(RunEvent(at: event.at, .link(.planned(link: link, terms))))
        }
        return collector.figures().sessions.first?.floor
    }
}
