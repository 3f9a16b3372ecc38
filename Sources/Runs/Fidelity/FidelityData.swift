/// All figures of the grid: the kernel's, the simulator's, and the reasons for their differences.
package struct FidelityData: Hashable, Sendable, Codable {
    package var cells: [Entry] = []

    /// A cell of the grid.
    package struct Entry: Hashable, Sendable, Codable {
        package let cell: FidelityCell
        /// The kernel's runs by pattern. Runs in which the emulator was too late are not valid.
        package var kernel: [KernelRun] = []
        /// The simulator's figures for each pattern: exact, the same on every machine.
        package var simulated: [FlowFigures] = []
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
    init(_ cell: FidelityCell) { self.cell = cell }

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

extension FidelityCell: Codable {
    /// Reads the name of a cell of the grid.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let name = try container.decode(String.self)
        guard let cell = Self.grid.first(where: { $0.name == name }) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "the grid has no cell \(name); delete it")
        }
        self = cell
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(name)
    }
}
