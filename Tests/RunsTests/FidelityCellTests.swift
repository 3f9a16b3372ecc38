import LinkModels
import Quantities
import RunPlan
import Testing

@testable import Runs

@Suite struct FidelityCellTests {
    @Test func `the grid has a cell for each loss, round trip and controller, each by its name`() {
        let names = FidelityCell.grid.map(\.name)
        #expect(names.count == 48 && Set(names).count == 48)
        #expect(names.first == "reno-10ms-0%" && names.last == "bbr-200ms-3%")
        #expect(names.contains("cubic-40ms-0.1%"))
    }

    @Test(arguments: [
        ("reno-40ms-1%", 1), ("bbr", 16), ("40ms", 12), ("0.1%-cubic", 4), ("1%", 12), ("1", 0),
        ("reno-40ms-1%-x", 0), ("", 0), ("-", 0),
    ])
    func `a word chooses the cells of which it names parts`(word: String, count: Int) {
        #expect(FidelityCell.chosen(by: word).count == count)
    }

    @Test func `a pattern is a hundred independent losses, the same for all cells of a loss`()
        throws
    {
        let cells = FidelityCell.chosen(by: "1%")
        let patterns = FidelityCell.patterns.map { cells[0].plan(pattern: $0).losses }
        for pattern in FidelityCell.patterns {
            #expect(cells.allSatisfy { $0.plan(pattern: pattern).losses == patterns[pattern - 1] })
        }
        #expect(Set(patterns).count == 3)
        for losses in patterns {
            #expect(losses.count == 100 && zip(losses, losses.dropFirst()).allSatisfy { $0 < $1 })
            // Ten thousand packets for a hundred losses, give or take three deviations.
            #expect((7_000...13_000).contains(try #require(losses.last)), "\(losses)")
        }
        #expect(FidelityCell.chosen(by: "0%").allSatisfy { $0.plan(pattern: 1).losses.isEmpty })
    }

    @Test func `a link's queue takes one bandwidth-delay product`() throws {
        let cell = try #require(FidelityCell.chosen(by: "reno-40ms-0%").first)
        let plan = cell.plan(pattern: 1)
        for link in [plan.uplink, plan.downlink] {
            #expect(link.bottleneck.queue == .dropTail(limit: ByteCount(500_000)))
            #expect(link.delay == .milliseconds(20) && link.filters.isEmpty)
        }
    }
}
