import Testing

@testable import Runs

@Suite struct FidelityDataTests {
    private static let cell = FidelityCell.grid[5]

    @Test(arguments: [
        (late: UInt64(100), longest: Int64(50_000), lost: UInt64(0), counts: true),
        (101, 900, 0, false), (0, 50_001, 0, false), (0, 900, 1, false),
    ])
    func `a run counts unless one percent was late, one packet very late, or one not even read`(
        late: UInt64, longest: Int64, lost: UInt64, counts: Bool
    ) {
        let run = KernelRun.madeUp(
            pattern: 1, latePackets: late, longestMicroseconds: longest, lostPackets: lost)
        #expect(run.emulator.wasInTime == counts)
        var entry = FidelityData()[cell: Self.cell]
        entry.note(run)
        #expect(entry.kernel == [run], "it is kept, whether it counts or not")
        #expect(entry.validRun(pattern: 1) == (counts ? run : nil))
    }

    @Test func `a run takes the place of an earlier one, unless it was late and that was not`() {
        var entry = FidelityData()[cell: Self.cell]
        let late = KernelRun.madeUp(pattern: 2, goodput: 1, latePackets: 500)
        let first = KernelRun.madeUp(pattern: 2, goodput: 2)
        let second = KernelRun.madeUp(pattern: 2, goodput: 3)
        entry.note(late)
        entry.note(first)
        #expect(entry.kernel == [first])
        entry.note(late)
        #expect(entry.kernel == [first])
        entry.note(second)
        entry.note(.madeUp(pattern: 1))
        #expect(entry.kernel.map(\.pattern) == [1, 2] && entry.kernel[1] == second)
    }

    @Test func `missing is what has no run that counts, one pattern of all cells before the next`()
    {
        let cells = FidelityCell.chosen(by: "bbr-3%")
        var data = FidelityData()
        data[cell: cells[1]].note(.madeUp(pattern: 1))
        data[cell: cells[2]].note(.madeUp(pattern: 1, latePackets: 500))
        let missing = FidelityTask.missing(in: data, of: cells)
        #expect(missing.count == 11)
        #expect(missing.prefix(3).map(\.cell) == [cells[0], cells[2], cells[3]])
        #expect(missing.map(\.pattern) == missing.map(\.pattern).sorted())
    }

    @Test func `cells stand in the order of the grid, in whatever order they were measured`() {
        var data = FidelityData()
        for cell in FidelityCell.grid.reversed() { data[cell: cell].note(.madeUp(pattern: 1)) }
        #expect(data.cells.map(\.cell) == FidelityCell.grid)
    }
}
