import Content
import LinkModels
import Quantities
import RunLog
import RunPlan
import Testing

@testable import Simulation

/// Scalable flows beside classic ones through a coupled dual queue (RFC 9332), and DCTCP alone.
@Suite struct LowLatencyTests {
    /// Prague grows by a segment in a round trip r of at least 25 ms, and shrinks by α/2 with the
    /// first mark after the round trip of the last reduction. With n marks in a round trip, that
    /// comes every 1 + 1/n of them, so n/2 = 1 + 1/n, and its rate is (1 + √3) / (p r). CUBIC's is
    /// 1.22 / (√p r) while it keeps up with Reno (RFC 9438 §4.3), and a little more beyond.
    ///
    /// The coupling of 2 holds at every moment. The base chance swings with CUBIC's window, so that
    /// the mean of its square is more than the square of its mean: Prague sees fewer marks for each
    /// of CUBIC's, and gets more. CUBIC has the longer round trip besides.
    @Test(arguments: [(UInt64(40), Int64(5)), (40, 10), (40, 20)], [TCPSettings.ECN.off, .on])
    func `Prague and CUBIC get what their marks say, and Prague waits for about a millisecond`(
        line: (megabits: UInt64, delay: Int64), ecn: TCPSettings.ECN
    ) {
        let hosts = Self.play(
            [.prague, .cubic], .dualPI2(.init()), line.megabits, delay: line.delay, ecn: ecn,
            seconds: 120)
        let rates = (0..<2).map { Self.rate(of: $0, hosts) }
        #expect(rates[0] / rates[1] > 1 && rates[0] / rates[1] < 2.5, "\(rates)")
        #expect(rates[0] + rates[1] > 0.85 * Double(line.megabits), "\(rates)")
        let (quick, classic) = (Self.waits(of: 0, hosts), Self.waits(of: 1, hosts))
        #expect(quick.high < 2.5 && quick.median < 1.2, "\(quick)")
        #expect(classic.median > 5 && classic.median < 25, "\(classic)")
        let chances = (0..<2).map { Self.chance(of: $0, hosts) }
        // Full packets of 1500 bytes in a millisecond, and milliseconds.
        let windows = zip(rates, [quick.median, classic.median]).map { rate, wait in
            rate / 12 * max(2 * Double(line.delay) + wait, 25)
        }
        let marks = chances[0] * windows[0]
        #expect(abs(marks / (1 + 3.squareRoot()) - 1) < 0.15, "\(marks)")
        let response = chances[1].squareRoot() * windows[1]
        #expect(response > 1.1 && response < 1.5, "\(response)")
        let coupling = chances[0] / chances[1].squareRoot()
        #expect(coupling > 1.2 && coupling < 2.1, "\(coupling)")
    }

    @Test func `Prague alone fills the line with a queue of a millisecond`() {
        let hosts = Self.play([.prague], .dualPI2(.init()), 40)
        #expect(Self.rate(of: 0, hosts) > 0.9 * 40)
        #expect(Self.waits(of: 0, hosts).high < 2)
        #expect(hosts.packets.allSatisfy { $0.kind != .dropped })
    }

    @Test func `where a queue only drops, Prague gets through like NewReno`() {
        let hosts = Self.play([.prague, .newReno], .dropHead, 40)
        let rates = (0..<2).map { Self.rate(of: $0, hosts) }
        #expect(rates[0] + rates[1] > 0.9 * 40, "\(rates)")
        #expect(rates[0] / rates[1] > 0.33 && rates[0] / rates[1] < 3, "\(rates)")
    }

    /// 100 Mbit/s and 20 ms are 167 packets; 4 ms of queue are 33 more. The window swings by
    /// (W* + 1) α / 2 = 10 packets, and the queue between 24 and 34 of them.
    @Test func `the queue behind DCTCP swings as the analysis says`() {
        var options = CoDel.Options()
        options.target = .milliseconds(100)
        options.threshold = .milliseconds(4)
        let hosts = Self.play([.dctcp], .coDel(options), 100)
        #expect(Self.rate(of: 0, hosts) > 99)
        let waits = Self.waits(of: 0, hosts)
        #expect(waits.low > 2.2 && waits.low < 3.4, "\(waits)")
        #expect(waits.high > 3.9 && waits.high < 4.6, "\(waits)")
        #expect(hosts.packets.allSatisfy { $0.kind != .dropped })
    }

    // MARK: Playing

    private static func play(
        _ controllers: [TCPSettings.Controller], _ discipline: DisciplinePlan,
        _ megabits: UInt64, delay: Int64 = 10, ecn: TCPSettings.ECN = .on,
        seconds: Int64 = 40
    ) -> TwoHosts {
        var uplink = LinkPlan.plain(
            "uplink", megabits: megabits, delay: .milliseconds(delay))
        uplink.bottleneck.queue = .disciplined(discipline, limit: ByteCount(2_000_000))
        let hosts = TwoHosts(
            uplink, .plain("downlink", megabits: megabits, delay: .milliseconds(delay)),
            tcp: TCPSettings(ecn: ecn),
            crossTraffic: .init(
                flows: controllers.map { FlowGroup(.uplink, count: 1, controller: $0) }))
        let end = Instant.start + .seconds(seconds)
        hosts.network.setTimer(slot: 0, at: end)
        hosts.play(until: end)
        return hosts
    }

    private static func half(_ hosts: TwoHosts) -> UInt64 { hosts.network.now.nanoseconds / 2 }

    /// Megabits a second in the second half.
    private static func rate(of number: Int, _ hosts: TwoHosts) -> Double {
        let half = half(hosts)
        var bytes: UInt64 = 0
        for record in hosts.packets
        where record.kind == .delivered && isData(record, of: number, after: half) {
            bytes += UInt64(record.size)
        }
        return Double(bytes) * 8e3 / Double(half)
    }

    /// The share of packets that are marked or dropped in the second half.
    private static func chance(of number: Int, _ hosts: TwoHosts) -> Double {
        let half = half(hosts)
        var (count, hit) = (0, 0)
        for record in hosts.packets
        where record.kind == .delivered || record.kind == .dropped {
            guard record.payload > 0, isData(record, of: number, after: half) else { continue }
            count += 1
            if record.kind == .dropped || record.codepoint == .experienced { hit += 1 }
        }
        return Double(hit) / Double(count)
    }

    /// How long packets wait in the second half, in milliseconds: all but a hundredth less or more.
    private static func waits(
        of number: Int, _ hosts: TwoHosts
    ) -> (low: Double, median: Double, high: Double) {
        let half = half(hosts)
        var sentAt: [UInt32: UInt64] = [:]
        var (times, least): ([UInt64], UInt64) = ([], .max)
        for record in hosts.packets where record.link == 0 {
            if record.kind == .sent { sentAt[record.packet] = record.atNanoseconds }
            guard record.kind == .delivered, record.size == 1_500 else { continue }
            let time = record.atNanoseconds - (sentAt.removeValue(forKey: record.packet) ?? 0)
            least = min(least, time)
            if isData(record, of: number, after: half) { times.append(time) }
        }
        times.sort()
        func wait(_ hundredths: Int) -> Double {
            Double(times[times.count * hundredths / 100] - least) / 1e6
        }
        return (wait(1), wait(50), wait(99))
    }

    /// Whether a record tells of a flow's data after a moment.
    private static func isData(
        _ record: PacketRecord, of number: Int, after moment: UInt64
    ) -> Bool {
        record.flow == .max - UInt16(number) && record.link == 0 && record.atNanoseconds > moment
    }
}
