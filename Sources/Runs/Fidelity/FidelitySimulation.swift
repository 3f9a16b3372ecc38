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
            renewed[cell: cell].simulatedBitsPerSecond = figures
        }
        return renewed
    }

    /// Returns the goodput of each pattern; empty if the simulator has no such controller.
    private static func play(
        _ cell: FidelityCell, _ traces: FlowTraces?
    ) throws(RunFailure) -> [UInt64] {
        var figures: [UInt64] = []
        for pattern in FidelityCell.patterns {
            // Without losses, all patterns are the same.
            if cell.lossPerMille == 0, let figure = figures.first {
                figures.append(figure)
                continue
            }
            let task = FidelityTask(cell: cell, pattern: pattern)
            guard let book = SimulatedFlow.play(task) else { return [] }
            try traces?.write(simulated: book, of: task)
            figures.append(UInt64(book.goodput))
        }
        return figures
    }
}
