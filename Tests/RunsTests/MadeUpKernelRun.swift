@testable import Runs

extension KernelRun {
    /// A run as a kernel might have done it; one percent of its packets late is as much as counts.
    static func madeUp(
        pattern: Int, goodput: UInt64 = 10_000_000, latePackets: UInt64 = 0,
        longestMicroseconds: Int64 = 900, lostPackets: UInt64 = 0
    ) -> KernelRun {
        KernelRun(
            pattern: pattern, figures: .madeUp(goodput), seconds: 12.5, losses: 100,
            dataPackets: 10_000, probes: 1,
            emulator: Emulator(
                packets: 10_000, medianMicroseconds: 20, percentile99Microseconds: 90,
                percentile999Microseconds: 400, longestMicroseconds: longestMicroseconds,
                latePackets: latePackets, lostPackets: lostPackets))
    }
}

extension FlowFigures {
    static func madeUp(
        _ goodput: UInt64, drops: UInt64 = 0, peakFlight: UInt64? = nil
    ) -> FlowFigures {
        FlowFigures(
            goodputBitsPerSecond: goodput, queueDrops: drops, retransmissions: 100, timeouts: 0,
            peakFlightBytes: peakFlight)
    }
}
