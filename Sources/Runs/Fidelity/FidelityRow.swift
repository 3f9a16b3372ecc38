import Facts
import Quantities

/// The figures of a cell, and whether kernel and simulator agree.
package struct FidelityRow: Hashable, Sendable {
    package let cell: FidelityCell
    /// Goodput of the valid runs, rising, in bits per second.
    let kernel: [UInt64]
    /// The number of runs in which the emulator was too late.
    let invalidCount: Int
    let simulated: UInt64?
    let reason: String
    /// The largest share of late packets, and the longest wait, of all valid runs.
    let lateShare: Double
    let longestMicroseconds: Int64

    package enum Verdict: Hashable, Sendable {
        case agrees
        /// The figures differ too much; a reason may explain it.
        case differs(isExplained: Bool)
        /// A figure is missing.
        case unknown
    }

    init(_ entry: FidelityData.Entry) {
        cell = entry.cell
        let valid = FidelityCell.patterns.compactMap { entry.validRun(pattern: $0) }
        kernel = valid.map(\.goodputBitsPerSecond).sorted()
        invalidCount = entry.kernel.count { !$0.emulator.wasInTime }
        simulated = Self.median(entry.simulatedBitsPerSecond.sorted())
        reason = entry.reason
        lateShare = valid.map(\.emulator.lateShare).max() ?? 0
        longestMicroseconds = valid.map(\.emulator.longestMicroseconds).max() ?? 0
    }

    /// Simulated over measured.
    package var ratio: Double? {
        guard let kernel = Self.median(kernel), let simulated, kernel > 0 else { return nil }
        return Double(simulated) / Double(kernel)
    }

    package var verdict: Verdict {
        guard let ratio, kernel.count == FidelityCell.patterns.count else { return .unknown }
        return abs(ratio - 1) <= cell.controller.tolerance
            ? .agrees : .differs(isExplained: !reason.isEmpty)
    }

    static func median(_ sorted: [UInt64]) -> UInt64? {
        sorted.isEmpty ? nil : sorted[(sorted.count - 1) / 2]
    }
}

extension FidelityCell.Controller {
    /// The share by which a cell may differ from the kernel.
    var tolerance: Double {
        switch self {
        case .reno, .cubic: 0.10
        case .bbr: 0.20
        }
    }
}
