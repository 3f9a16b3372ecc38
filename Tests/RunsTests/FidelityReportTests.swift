import Foundation
import Testing

@testable import Runs

@Suite struct FidelityReportTests {
    @Test func `the table shows both worlds, theory, lateness, and what is off`() {
        #expect(Self.report.table == Self.expectedTable, "\n\(Self.report.table)")
        #expect(
            Self.report.summary == [
                "reno and cubic: 1 of 4 cells within 10 % of the kernel (the bar: 90 %).",
                "bbr: 1 of 1 cells within 20 % of the kernel (the bar: 75 %).",
            ])
    }

    @Test func `a cell that is off without a reason, or a bar that is missed, does not hold`() {
        #expect(Self.report.unexplained.map(\.name) == ["reno-100ms-1%"])
        #expect(!Self.report.holds && Self.report.bars.map(\.holds) == [false, true])
        var data = Self.data
        let cells = FidelityCell.chosen(by: "reno-10ms-1%")
        #expect(FidelityReport(data, of: cells).holds)
        data[cell: cells[0]].simulatedBitsPerSecond = [20_000_000]
        #expect(!FidelityReport(data, of: cells).holds)
    }

    @Test func `one cell of sixteen may be off where the bar is held, but not without a reason`()
        throws
    {
        var data = FidelityData()
        let cells = FidelityCell.chosen(by: "reno")
        for cell in cells {
            for pattern in FidelityCell.patterns {
                data[cell: cell].note(.madeUp(pattern: pattern, goodput: 1_000_000))
            }
            data[cell: cell].simulatedBitsPerSecond = [1_000_000, 1_100_000, 900_000]
        }
        #expect(FidelityReport(data, of: cells).holds)
        data[cell: cells[3]].simulatedBitsPerSecond = [1_100_001, 1_100_001, 1_100_001]
        #expect(!FidelityReport(data, of: cells).holds)
        data[cell: cells[3]].reason = "the kernel waits longer"
        #expect(FidelityReport(data, of: cells).holds)

        data.dropIdleReasons()
        #expect(data[cell: cells[3]].reason == "the kernel waits longer")
        data[cell: cells[3]].simulatedBitsPerSecond = [1_090_000, 1_090_000, 1_090_000]
        data.dropIdleReasons()
        #expect(data[cell: cells[3]].reason.isEmpty)
    }

    @Test func `two of three runs are no median`() throws {
        var data = Self.data
        let cell = try #require(FidelityCell.chosen(by: "reno-10ms-1%").first)
        data[cell: cell].kernel.removeLast()
        #expect(FidelityReport(data, of: [cell]).rows[0].verdict == .unknown)
    }

    @Test func `the page gets the table between its two lines, and keeps all else`() {
        let page = "above\n\(FidelityPage.begin)\nold\n\(FidelityPage.end)\nbelow\n"
        let renewed = FidelityPage.renewed(page, Self.report)
        #expect(renewed?.hasPrefix("above\n\(FidelityPage.begin)\n\n<details>") == true)
        // GitHub reads Markdown within an element only after an empty line.
        #expect(renewed?.contains("<summary>All cells</summary>\n\n| Cell") == true)
        #expect(renewed?.contains("\n\n</details>\n\n") == true)
        #expect(renewed?.hasSuffix("75 %).\n\n\(FidelityPage.end)\nbelow\n") == true)
        #expect(renewed?.contains("old") == false)
        #expect(renewed.flatMap { FidelityPage.renewed($0, Self.report) } == renewed)
        #expect(FidelityPage.renewed("above\n\(FidelityPage.end)\n", Self.report) == nil)
    }

    @Test func `the page of the house shows what the data of the house say`() throws {
        let reports = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Reports").path
        let data = try FidelityFile(reports: reports).read()
        let page = try String(contentsOfFile: reports + "/README.md", encoding: .utf8)
        #expect(
            FidelityPage.renewed(page, FidelityReport(data)) == page,
            "the table is not that of the data; renew it: ./lab fidelity --renew")
    }

    private static let cells =
        ["reno-10ms-1%", "reno-40ms-1%", "reno-100ms-1%", "cubic-10ms-0%"]
        .flatMap(FidelityCell.chosen(by:)) + FidelityCell.chosen(by: "bbr-10ms-3%")

    private static let data: FidelityData = {
        var data = FidelityData()
        for (index, goodput) in [UInt64(12_300_000), 11_900_000, 12_000_000].enumerated() {
            data[cell: cells[0]].note(.madeUp(pattern: index + 1, goodput: goodput))
            data[cell: cells[1]].note(
                .madeUp(pattern: index + 1, goodput: goodput / 4, latePackets: 50))
            data[cell: cells[2]].note(.madeUp(pattern: index + 1, goodput: goodput / 10))
            data[cell: cells[4]].note(
                .madeUp(pattern: index + 1, goodput: goodput, longestMicroseconds: 8_123))
        }
        data[cell: cells[3]].note(.madeUp(pattern: 1, latePackets: 500))
        data[cell: cells[0]].simulatedBitsPerSecond = [13_000_000, 11_000_000, 11_500_000]
        data[cell: cells[1]].simulatedBitsPerSecond = [2_000_000, 2_000_000, 2_000_000]
        data[cell: cells[1]].reason = "the kernel grows sooner"
        data[cell: cells[2]].simulatedBitsPerSecond = [2_000_000, 2_000_000, 2_000_000]
        data[cell: cells[4]].simulatedBitsPerSecond = [14_300_000, 14_300_000, 14_300_000]
        return data
    }()

    private static var report: FidelityReport { FidelityReport(data, of: cells) }

    private static let expectedTable = """
        | Cell          | Kernel |      Span | Simulated | Ratio | Theory | Late > 1 ms | Latest | \
        Remark |
        |---------------|-------:|----------:|----------:|------:|-------:|------------:|-------:|\
        ---|
        | reno-10ms-1%  |   12.0 | 11.9–12.3 |      11.5 |  0.96 |   9.53 |      0.00 % | 0.9 ms |\
          |
        | reno-40ms-1%  |   3.00 | 2.98–3.08 |      2.00 |  0.67 |   3.09 |      0.50 % | 0.9 ms | \
        off: the kernel grows sooner |
        | reno-100ms-1% |   1.20 | 1.19–1.23 |      2.00 |  1.67 |   1.32 |      0.00 % | 0.9 ms | \
        off, without a reason |
        | cubic-10ms-0% |      – |         – |         – |     – |   96.5 |           – |      – | \
        0 of 3 runs measured; not simulated; 1 not counted, because the emulator was late |
        | bbr-10ms-3%   |   12.0 | 11.9–12.3 |      14.3 |  1.19 |   93.6 |      0.00 % | 8.1 ms |\
          |
        """
}
