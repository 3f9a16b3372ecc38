import Foundation
import Testing

@testable import Runs

@Suite struct FidelityReportTests {
    @Test func `the table shows both worlds, theory, lateness, and what is off`() {
        #expect(Self.report.table == Self.expectedTable, "\n\(Self.report.table)")
        #expect(
            Self.report.summary == [
                "reno and cubic: 1 of 4 cells agree with the kernel, goodput within 10 %, drops "
                    + "within 25 %, peak flight within 25 %, or inside its span (the bar: 95 %).",
                "bbr: 1 of 1 cells agree with the kernel, goodput within 20 %, or inside its span "
                    + "(the bar: 90 %).",
            ])
    }

    @Test func `a cell that is off without a reason, or a bar that is missed, does not hold`() {
        #expect(Self.report.unexplained.map(\.name) == ["reno-100ms-1%"])
        #expect(!Self.report.holds && Self.report.bars.map(\.holds) == [false, true])
        var data = Self.data
        let cells = FidelityCell.chosen(by: "reno-10ms-1%")
        #expect(FidelityReport(data, of: cells).holds)
        data[cell: cells[0]].simulated = [20_000_000].map { .madeUp($0) }
        #expect(!FidelityReport(data, of: cells).holds)
    }

    @Test func `one cell of twenty may be off where the bar is held, but not without a reason`()
        throws
    {
        var data = FidelityData()
        let cells = Array(FidelityCell.chosen(by: "reno").prefix(20))
        for cell in cells {
            for pattern in cell.patterns {
                data[cell: cell].note(.madeUp(pattern: pattern, goodput: 1_000_000))
            }
            data[cell: cell].simulated = [1_000_000, 1_100_000, 900_000].map { .madeUp($0) }
        }
        #expect(FidelityReport(data, of: cells).holds)
        data[cell: cells[3]].simulated = [1_100_001, 1_100_001, 1_100_001].map { .madeUp($0) }
        #expect(!FidelityReport(data, of: cells).holds)
        data[cell: cells[3]].reason = "the kernel waits longer"
        #expect(FidelityReport(data, of: cells).holds)

        data.dropIdleReasons()
        #expect(data[cell: cells[3]].reason == "the kernel waits longer")
        data[cell: cells[3]].simulated = [1_090_000, 1_090_000, 1_090_000].map { .madeUp($0) }
        data.dropIdleReasons()
        #expect(data[cell: cells[3]].reason.isEmpty)
    }

    /// Five flows of the kernel had 100 to 120 drops, with peaks of 800 to 840 kB.
    @Test(arguments: [
        (drops: UInt64(110), peak: UInt64(810_000), remark: ""),
        (131, 1_000_000, ""), (79, 616_000, ""),
        (132, 810_000, "off (drops), without a reason"),
        (110, 1_030_000, "off (peak flight), without a reason"),
        (78, 610_000, "off (drops, peak flight), without a reason"),
    ])
    func `drops and peak flight inside the kernel's span, or within a quarter, agree`(
        drops: UInt64, peak: UInt64, remark: String
    ) throws {
        let cell = try #require(FidelityCell.chosen(by: "cubic-jitter10ms").first)
        var data = FidelityData()
        for pattern in cell.patterns {
            var run = KernelRun.madeUp(pattern: pattern)
            run.figures.queueDrops = [100, 105, 120, 101, 119][pattern - 1]
            run.figures.peakFlightBytes = [840, 820, 800, 810, 830][pattern - 1] * 1_000
            data[cell: cell].note(run)
        }
        data[cell: cell].simulated = [.madeUp(10_000_000, drops: drops, peakFlight: peak)]
        let report = FidelityReport(data, of: [cell])
        #expect(report.table.contains("| \(remark) |"), "\n\(report.table)")
        #expect(report.holds == remark.isEmpty)
        let further = report.furtherTable
        #expect(further.contains("105 (100–120)"), "\n\(further)")
        #expect(further.contains("820 (800–840)"), "\n\(further)")
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
        #expect(renewed?.hasPrefix("above\n\(FidelityPage.begin)\n\nreno and cubic: 1 of") == true)
        // GitHub reads Markdown within an element only after an empty line.
        #expect(renewed?.contains("<summary>All cells</summary>\n\n| Cell") == true)
        #expect(renewed?.hasSuffix("\n\n</details>\n\n\(FidelityPage.end)\nbelow\n") == true)
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
        ["reno-10ms-1%", "reno-40ms-1%", "reno-100ms-1%", "cubic-10ms-0%", "bbr-10ms-3%"]
        .flatMap(FidelityCell.chosen(by:)).filter { $0.seconds == nil }

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
        data[cell: cells[0]].simulated = [13_000_000, 11_000_000, 11_500_000].map { .madeUp($0) }
        data[cell: cells[1]].simulated = [2_000_000, 2_000_000, 2_000_000].map { .madeUp($0) }
        data[cell: cells[1]].reason = "the kernel grows sooner"
        data[cell: cells[2]].simulated = [2_000_000, 2_000_000, 2_000_000].map { .madeUp($0) }
        data[cell: cells[4]].simulated = [14_300_000, 14_300_000, 14_300_000].map { .madeUp($0) }
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
