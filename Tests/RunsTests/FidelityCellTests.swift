import LinkModels
import Quantities
import RunPlan
import Testing

@testable import Runs

@Suite struct FidelityCellTests {
    @Test func `the grid has a cell for each loss, round trip and controller, each by its name`() {
        let names = FidelityCell.grid.map(\.name)
        #expect(names.count == 93 && Set(names).count == 93)
        #expect(
            names.first == "reno-10ms-0%" && names.last == "bbr-100ms-0%-20M-conversing-rival-20s")
        #expect(names.contains("cubic-40ms-0.1%"))
    }

    @Test(arguments: [
        ("reno-40ms-1%", 1), ("bbr", 31), ("rival", 6), ("conversing", 6), ("40ms", 12),
        ("0.1%-cubic", 4), ("1%", 15), ("1", 0),
        ("reno-40ms-1%-x", 0), ("", 0), ("-", 0),
    ])
    func `a word chooses the cells of which it names parts`(word: String, count: Int) {
        #expect(FidelityCell.chosen(by: word).count == count)
    }

    @Test func `a pattern is a hundred independent losses, the same for all cells of a loss`()
        throws
    {
        let cells = FidelityCell.chosen(by: "1%").filter { $0.seconds == nil }
        let patterns = cells[0].patterns.map { cells[0].plan(pattern: $0).losses }
        for pattern in cells[0].patterns {
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

    @Test func `a flow of a fixed time has more losses than it can meet`() throws {
        let cell = try #require(FidelityCell.chosen(by: "reno-1%-30s").first)
        let plan = cell.plan(pattern: 2)
        // 20 Mbit/s for 30 s are 50,000 packets of 1500 bytes.
        #expect(plan.limit == .seconds(30) && plan.losses.last ?? 0 > 50_000)
        #expect(abs(plan.losses.count { $0 < 50_000 } - 500) < 70)
    }

    @Test func `jitter, queue and buffers of a cell are those of its plan`() throws {
        let jittery = try #require(FidelityCell.chosen(by: "cubic-jitter20ms").first)
        #expect(jittery.plan(pattern: 3).uplink.filters == [.jitter(.uniform(.milliseconds(20)))])
        #expect(jittery.plan(pattern: 3).seed == 3)
        #expect(jittery.plan(pattern: 3).limit == .seconds(20))
        let deep = try #require(FidelityCell.chosen(by: "cubic-queue400%").first)
        #expect(
            [1, 3, 5].map { deep.plan(pattern: $0).uplink.bottleneck.queue }
                == [995_000, 1_000_000, 1_005_000].map { .dropTail(limit: ByteCount($0)) })
        let waiting = try #require(FidelityCell.chosen(by: "bbr-blocking").first)
        #expect(waiting.plan(pattern: 1).buffers == .usual)
        #expect(waiting.plan(pattern: 1).writes == .blocking)
        let beside = try #require(FidelityCell.chosen(by: "reno-conversing-rival").first)
        #expect(beside.plan(pattern: 3).conversation == .inPieces)
        #expect(beside.plan(pattern: 3).rivalBegin == .milliseconds(300))
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
