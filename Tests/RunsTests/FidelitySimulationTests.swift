import Foundation
import Testing

@testable import Runs

/// The simulator's figures are exact, so those that are committed have to be those of today. Here
/// the cells of few packets are held; `./lab fidelity` holds all of them.
@Suite struct FidelitySimulationTests {
    private static let held = ["3%", "200ms-1%", "reno-queue25%", "reno-conversing-rival"]

    @Test(arguments: held.flatMap(FidelityCell.chosen(by:)))
    func `the simulator's committed figures are those of today`(cell: FidelityCell) throws {
        let data = try FidelityFile(reports: Self.reports).read()
        let renewed = try FidelitySimulation.renewed(data, of: [cell])
        let (committed, today) = (data[cell: cell], renewed[cell: cell])
        #expect(
            committed.simulated == today.simulated,
            "\(cell.name): if TCP was changed on purpose, run ./lab fidelity --renew and commit")
    }

    @Test func `each pattern of loss has its own figure, and other cells are left alone`() throws {
        let cell = try #require(FidelityCell.chosen(by: "reno-200ms-3%").first)
        let data = try FidelitySimulation.renewed(FidelityData(), of: [cell])
        let figures = data[cell: cell].simulated
        #expect(figures.count == 3 && Set(figures).count == 3)
        #expect(data.cells.count == 1)
    }

    private static let reports = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Reports").path
}
