import Quantities

/// What a cell of the grid says: kernel, simulator, theory, and whether they agree.
package struct FidelityRow: Hashable, Sendable {
    package let cell: FidelityCell
    /// Goodput of the runs that count, rising, in bits per second.
    let kernel: [UInt64]
    /// Runs in which the emulator was too late; they do not count.
    let invalidCount: Int
    let simulated: UInt64?
    let reason: String
    /// The worst of the runs that count: how many packets were late, and the longest wait.
    let lateShare: Double
    let longestMicroseconds: Int64

    package enum Verdict: Hashable, Sendable {
        case agrees
        /// They differ by more than they may; somebody has said why, or nobody.
        case differs(isExplained: Bool)
        /// One of the two figures is missing.
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

    /// Simulated by measured.
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
    /// By so much may a cell differ from the kernel.
    var tolerance: Double {
        switch self {
        case .reno, .cubic: 0.10
        case .bbr: 0.20
        }
    }
}
