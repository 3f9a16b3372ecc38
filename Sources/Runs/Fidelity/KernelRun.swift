import Foundation
import Live
import Quantities
import Recording

/// The result of one flow of the kernel's TCP, as in `fidelity.json`.
package struct KernelRun: Hashable, Sendable, Codable {
    package var pattern: Int
    package var figures: FlowFigures
    package var seconds: Double
    package var losses: Int
    package var dataPackets: UInt64
    package var probes: UInt64
    package var emulator: Emulator

    /// The lateness of the emulator; percentiles are at most ten microseconds too high.
    package struct Emulator: Hashable, Sendable, Codable {
        package var packets: UInt64
        package var medianMicroseconds: Int64
        package var percentile99Microseconds: Int64
        package var percentile999Microseconds: Int64
        package var longestMicroseconds: Int64
        /// Packets that were more than a millisecond late.
        package var latePackets: UInt64
        /// Packets that the emulator could not read in time.
        package var lostPackets: UInt64

        /// The largest allowed share of late packets.
        package static let lateShareLimit = 0.01
        /// A quarter of the shortest retransmission timeout, so that no stall causes a timeout.
        package static let longestLimitMicroseconds: Int64 = 50_000

        package var lateShare: Double { packets > 0 ? Double(latePackets) / Double(packets) : 0 }

        /// Whether the run is valid.
        package var wasInTime: Bool {
            lateShare <= Self.lateShareLimit && lostPackets == 0
                && longestMicroseconds <= Self.longestLimitMicroseconds
        }
    }
}

extension KernelRun {
    init(_ flow: KernelFlow, pattern: Int) {
        let book = flow.book
        func counter(_ name: String) -> UInt64 {
            flow.counters.first { $0.name == name }?.value ?? 0
        }
        self.pattern = pattern
        figures = FlowFigures(
            book, timeouts: counter("TCPTimeouts"),
            slowStartSeconds: flow.leftSlowStartAt.map(\.inTenths))
        let span = book.start.flatMap { start in book.end.map { $0 - start } } ?? .zero
        seconds = Double(span.nanoseconds / 1_000_000) / 1_000
        losses = book.losses.count
        dataPackets = book.dataPackets
        probes = counter("TCPLossProbes")
        let lateness = flow.lateness
        func microseconds(_ span: TimeSpan) -> Int64 { span.nanoseconds / 1_000 }
        emulator = Emulator(
            packets: lateness.packets,
            medianMicroseconds: microseconds(lateness.quantile(thousandths: 500)),
            percentile99Microseconds: microseconds(lateness.quantile(thousandths: 990)),
            percentile999Microseconds: microseconds(lateness.quantile(thousandths: 999)),
            longestMicroseconds: microseconds(lateness.longest),
            latePackets: lateness.latePackets, lostPackets: flow.overflows)
    }

    /// Describes the run for the user who watches the measurement.
    package func sentence(of task: FidelityTask) -> String {
        let figures = String(
            format: "%.2f Mbit/s in %.1f s, %.2f %% of the packets late, the latest by %.1f ms",
            Double(figures.goodputBitsPerSecond) / 1e6, seconds, 100 * emulator.lateShare,
            Double(emulator.longestMicroseconds) / 1_000)
        let verdict = emulator.wasInTime ? "" : "; too late, does not count"
        return "\(task.cell.name), pattern \(pattern): \(figures)\(verdict)"
    }
}

extension TimeSpan {
    /// Seconds, to a tenth.
    var inTenths: Double { Double(nanoseconds / 100_000_000) / 10 }
}
