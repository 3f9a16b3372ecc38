/// The figures of a cell, and whether kernel and simulator agree.
package struct FidelityRow: Sendable {
    package let cell: FidelityCell
    /// Flows of the valid runs, and of the simulator.
    private let kernel: [FlowFigures]
    private let simulated: [FlowFigures]
    /// The number of runs in which the emulator was too late.
    let invalidCount: Int
    let reason: String
    /// The largest share of late packets, and the longest wait, of all valid runs.
    let lateShare: Double
    let longestMicroseconds: Int64

    package enum Verdict: Hashable, Sendable {
        case agrees
        /// These figures differ too much; a reason may explain it.
        case differs([FidelityFigure], isExplained: Bool)
        /// A figure is missing.
        case unknown
    }

    init(_ entry: FidelityData.Entry) {
        cell = entry.cell
        let valid = cell.patterns.compactMap { entry.validRun(pattern: $0) }
        kernel = valid.map(\.figures)
        simulated = entry.simulated
        invalidCount = entry.kernel.count { !$0.emulator.wasInTime }
        reason = entry.reason
        lateShare = valid.map(\.emulator.lateShare).max() ?? 0
        longestMicroseconds = valid.map(\.emulator.longestMicroseconds).max() ?? 0
    }

    var measuredCount: Int { kernel.count }
    var isSimulated: Bool { !simulated.isEmpty }

    func compared(_ figure: FidelityFigure) -> ComparedFigure {
        ComparedFigure(figure, kernel: kernel, simulated: simulated)
    }

    /// Simulated goodput over measured.
    package var ratio: Double? { compared(.goodput).ratio }

    package var verdict: Verdict {
        guard kernel.count == cell.patterns.count, isSimulated else { return .unknown }
        let differing = FidelityFigure.allCases.filter { figure in
            guard let tolerance = figure.tolerance(cell.controller) else { return false }
            let compared = compared(figure)
            // Older measurements lack some figures.
            return !compared.kernel.isEmpty && !compared.isNear(tolerance)
        }
        return differing.isEmpty
            ? .agrees : .differs(differing, isExplained: !reason.isEmpty)
    }
}
