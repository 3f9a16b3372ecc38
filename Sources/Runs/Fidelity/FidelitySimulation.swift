import Foundation
import Recording
import Synchronization

/// The grid through the simulator: some seconds, and the same figures on every machine.
package enum FidelitySimulation {
    /// The data with the simulator's figures for these cells in the place of those before.
    package static func renewed(
        _ data: FidelityData, of cells: [FidelityCell], traces: FlowTraces? = nil
    ) throws(RunFailure) -> FidelityData {
        let results = Mutex<[FidelityCell: Result<[UInt64], RunFailure>]>([:])
        DispatchQueue.concurrentPerform(iterations: cells.count) { index in
            let cell = cells[index]
            let figures = Result { () throws(RunFailure) in try play(cell, traces) }
            results.withLock { $0[cell] = figures }
        }
        var renewed = data
        for cell in cells {
            guard let figures = results.withLock({ $0[cell] }) else { continue }
            renewed[cell: cell].simulatedBitsPerSecond = try figures.get()
        }
        return renewed
    }

    /// Goodput for each pattern; empty while the simulator has no such controller.
    private static func play(
        _ cell: FidelityCell, _ traces: FlowTraces?
    ) throws(RunFailure) -> [UInt64] {
        var figures: [UInt64] = []
        for pattern in FidelityCell.patterns {
            // Without losses all patterns are one.
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
