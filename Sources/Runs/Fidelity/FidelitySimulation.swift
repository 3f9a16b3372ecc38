import Foundation
import Recording

/// The simulation of the grid: some seconds, and the same figures on every machine.
package enum FidelitySimulation {
    /// Returns the data with new simulated figures for these cells.
    package static func renewed(
        _ data: FidelityData, of cells: [FidelityCell], traces: FlowTraces? = nil
    ) throws(RunFailure) -> FidelityData {
        let figures = try RunWorkers.products(
            count: cells.count, jobs: ProcessInfo.processInfo.activeProcessorCount,
            label: { "cell \($0 + 1) of the grid" },
            play: { index throws(RunFailure) in try play(cells[index], traces) })
        var renewed = data
        for (cell, figures) in zip(cells, figures) {
            renewed[cell: cell].simulated = figures
        }
        return renewed
    }

    /// Returns the figures of each pattern; empty if the simulator has no such controller.
    private static func play(
        _ cell: FidelityCell, _ traces: FlowTraces?
    ) throws(RunFailure) -> [FlowFigures] {
        var figures: [FlowFigures] = []
        for pattern in cell.patterns {
            let task = FidelityTask(cell: cell, pattern: pattern)
            guard let flow = SimulatedFlow(task) else { return [] }
            try traces?.write(simulated: flow.book, of: task)
            figures.append(flow.figures)
        }
        return figures
    }
}
