/// All that is known of the grid: what the kernel did, what the simulator does, and why they
/// differ where they do.
package struct FidelityData: Hashable, Sendable, Codable {
    package var cells: [Entry] = []

    /// A cell of the grid.
    package struct Entry: Hashable, Sendable, Codable {
        package var controller: FidelityCell.Controller
        package var roundTripMilliseconds: Int64
        package var lossPerMille: Int
        /// By pattern; runs in which the emulator was too late stand here too, and do not count.
        package var kernel: [KernelRun] = []
        /// Goodput for each pattern, in bits per second: exact, the same on every machine.
        package var simulatedBitsPerSecond: [UInt64] = []
        /// Why the two differ by more than they may; written by hand, and kept as long as they do.
        package var reason = ""
    }

    package init() {}

    package subscript(cell cell: FidelityCell) -> Entry {
        get {
            cells.first { $0.cell == cell } ?? Entry(cell)
        }
        set {
            if let index = cells.firstIndex(where: { $0.cell == cell }) {
                cells[index] = newValue
            } else {
                cells.append(newValue)
                let order = FidelityCell.grid
                cells.sort {
                    (order.firstIndex(of: $0.cell) ?? 0) < (order.firstIndex(of: $1.cell) ?? 0)
                }
            }
        }
    }
}

extension FidelityData {
    /// A reason has done its work when the cell that it excused agrees.
    package mutating func dropIdleReasons() {
        for index in cells.indices where FidelityRow(cells[index]).verdict == .agrees {
            cells[index].reason = ""
        }
    }
}

extension FidelityData.Entry {
    init(_ cell: FidelityCell) {
        self.init(
            controller: cell.controller, roundTripMilliseconds: cell.roundTripMilliseconds,
            lossPerMille: cell.lossPerMille)
    }

    package var cell: FidelityCell {
        FidelityCell(
            controller: controller, roundTripMilliseconds: roundTripMilliseconds,
            lossPerMille: lossPerMille)
    }

    /// The run that counts for a pattern, if there is one.
    package func validRun(pattern: Int) -> KernelRun? {
        kernel.first { $0.pattern == pattern && $0.emulator.wasInTime }
    }

    /// A run takes the place of an earlier one of its pattern, but never a valid one's if it came
    /// too late itself.
    package mutating func note(_ run: KernelRun) {
        guard run.emulator.wasInTime || validRun(pattern: run.pattern) == nil else { return }
        kernel.removeAll { $0.pattern == run.pattern }
        kernel.append(run)
        kernel.sort { $0.pattern < $1.pattern }
    }
}
