/// All figures of the grid: the kernel's, the simulator's, and the reasons for their differences.
package struct FidelityData: Hashable, Sendable, Codable {
    package var cells: [Entry] = []

    /// A cell of the grid.
    package struct Entry: Hashable, Sendable, Codable {
        package var controller: FidelityCell.Controller
        package var roundTripMilliseconds: Int64
        package var lossPerMille: Int
        /// The kernel's runs by pattern. Runs in which the emulator was too late are not valid.
        package var kernel: [KernelRun] = []
        /// Goodput for each pattern, in bits per second: exact, the same on every machine.
        package var simulatedBitsPerSecond: [UInt64] = []
        /// The reason why the two differ too much, written by hand.
        package var reason = ""
    }

    package init() {}

    package subscript(cell cell: FidelityCell) -> Entry {
        get { cells.first { $0.cell == cell } ?? Entry(cell) }
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
    /// Drops the reasons of cells that agree by now.
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

    /// Returns the valid run of a pattern, if there is one.
    package func validRun(pattern: Int) -> KernelRun? {
        kernel.first { $0.pattern == pattern && $0.emulator.wasInTime }
    }

    /// Replaces an earlier run of the same pattern, except a valid run by an invalid one.
    package mutating func note(_ run: KernelRun) {
        guard run.emulator.wasInTime || validRun(pattern: run.pattern) == nil else { return }
        kernel.removeAll { $0.pattern == run.pattern }
        kernel.append(run)
        kernel.sort { $0.pattern < $1.pattern }
    }
}
