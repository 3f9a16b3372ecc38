import Checks
import LinkModels
import Quantities
import RunLog
import RunPlan
import Testing

@testable import Reports
@testable import Runs

/// Bulk TCP over ten traces of the kinds that are published: what a controller gets of what the
/// trace offers, and whether physics allows it.
@Suite struct TenTracesTests {
    @Test(arguments: MadeUpTrace.allCases, [TCPSettings.Controller.cubic, .bbr])
    func `a bulk flow gets nearly all that a trace offers`(
        trace: MadeUpTrace, controller: TCPSettings.Controller
    ) throws {
        var tcp = TCPSettings()
        tcp.controller = controller
        // So large that only the trace limits the flow.
        tcp.receiveWindow = ByteCount(64 << 20)
        tcp.sendBuffer = ByteCount(64 << 20)
        let chances = try #require(trace.chances())
        var uplink = BulkFlowPlan(
            rate: chances.meanRate, roundTrip: .milliseconds(40), losses: [], limit: .seconds(60)
        ).downlink
        var downlink = uplink
        downlink.name = "downlink"
        downlink.bottleneck = BottleneckPlan(
            rate: Bitrate(bitsPerSecond: 1_000_000_000), queue: .dropTailPackets(10_000))
        uplink.name = "uplink"
        uplink.bottleneck = BottleneckPlan(
            schedule: .trace(chances), queue: .dropTail(limit: trace.queue(of: chances)))
        var transfer = BulkTransfer(uplink: uplink, downlink: downlink, tcp: tcp, seed: 1)
        transfer.open()
        var watcher = Watcher()
        _ = transfer.play(until: .start + trace.duration, into: &watcher)
        transfer.close(into: &watcher)
        #expect(watcher.physics.verdict() == .held)
        let use = try #require(watcher.figures.figures().links.first?.use)
        #expect(use <= 1, "more than the trace offers")
        let least = controller == .bbr ? trace.leastOfBBR : trace.leastOfCubic
        #expect(use >= least, "\(trace) with \(controller.rawValue): \(use)")
    }

    private struct Watcher: RunLogReader {
        var physics = NetworkObeysPhysics()
        var figures = FigureCollector(drawsSeries: false)

        mutating func read(_ event: RunEvent) {
            physics.read(event)
            figures.read(event)
        }

        mutating func read(packets batch: UnsafeBufferPointer<PacketRecord>) {
            physics.read(packets: batch)
            figures.read(packets: batch)
        }
    }
}

/// Traces after the kinds of the published ones, made without copying any.
enum MadeUpTrace: CaseIterable, CustomTestStringConvertible {
    /// 12 Mbit/s without a change, and 50 Mbit/s.
    case even, fast
    /// A line of 1 Gbit/s.
    case gigabit
    /// A tenth of a second between two chances.
    case trickle
    /// Grants of several milliseconds' chances at once.
    case bursts
    /// A rate that changes by a third from one tenth of a second to the next.
    case fading
    /// A drive: the same from 0 to 20 Mbit/s, with seconds without a cell.
    case drive
    /// Two seconds of silence in every ten.
    case outages
    /// Two seconds with eight times the rate of the next two.
    case square
    /// Twenty minutes of fading.
    case long

    var testDescription: String { "\(self)" }

    /// The time that is played.
    var duration: TimeSpan { self == .gigabit ? .seconds(10) : .seconds(60) }

    /// What CUBIC must get. After seconds without a cell, its timer has backed off, and the chances
    /// until it fires are lost.
    var leastOfCubic: Double { self == .drive ? 0.9 : 0.94 }

    /// What BBR must get. It finds a rate that has risen from little only after seconds, and its
    /// looks at the round trip cost more where only seconds are played.
    var leastOfBBR: Double {
        switch self {
        case .drive: 0.85
        case .gigabit: 0.92
        case .fading: 0.93
        default: 0.94
        }
    }

    /// Room for a fifth of a second, as base stations have, and for 16 packets.
    func queue(of trace: DeliveryTrace) -> ByteCount {
        ByteCount(max(24_000, trace.meanRate.bitsPerSecond / 8 / 5))
    }

    func chances() -> DeliveryTrace? {
        switch self {
        case .even: DeliveryTrace([1])
        case .fast: DeliveryTrace((1...6).flatMap { Array(repeating: $0, count: $0 == 6 ? 5 : 4) })
        case .gigabit:
            DeliveryTrace((1...3).flatMap { Array(repeating: $0, count: $0 == 3 ? 84 : 83) })
        case .trickle: DeliveryTrace([100])
        case .bursts: Self.trace(milliseconds: 10_000, grantedEvery: 8) { _, _ in 1_500 }
        case .fading: Self.fading(milliseconds: 60_000, from: 200, to: 2_500)
        case .drive: Self.fading(milliseconds: 60_000, from: 0, to: 1_700)
        case .outages:
            Self.trace(milliseconds: 10_000, grantedEvery: 1) { ms, _ in ms < 8_000 ? 800 : 0 }
        case .square:
            Self.trace(milliseconds: 4_000, grantedEvery: 1) { ms, _ in ms < 2_000 ? 2_000 : 250 }
        case .long: Self.fading(milliseconds: 1_200_000, from: 100, to: 900)
        }
    }

    /// A rate in thousandths of a chance per millisecond that walks at random.
    private static func fading(milliseconds: UInt64, from least: Int, to most: Int)
        -> DeliveryTrace?
    {
        var rate = (least + most) / 2
        return trace(milliseconds: milliseconds, grantedEvery: 5) { ms, random in
            if ms % 100 == 0 {
                let step = max(rate, 100) / 3
                rate += Int(random.next() % UInt64(2 * step + 1)) - step
                rate = min(max(rate, least), most)
            }
            return rate
        }
    }

    private static func trace(
        milliseconds: UInt64, grantedEvery interval: UInt64,
        _ thousandths: (UInt64, inout RandomStream) -> Int
    ) -> DeliveryTrace? {
        var random = RandomStream(seed: 11, name: "trace")
        var chances: [UInt64] = []
        var granted = 0
        for millisecond in 1...milliseconds {
            granted += thousandths(millisecond, &random)
            guard millisecond % interval == 0 || millisecond == milliseconds else { continue }
            chances += Array(repeating: millisecond, count: granted / 1_000)
            granted %= 1_000
        }
        // The trace must be as long as it says, even if its end is silent.
        if chances.last != milliseconds { chances.append(milliseconds) }
        return DeliveryTrace(chances)
    }
}
