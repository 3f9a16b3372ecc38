import Quantities
import Testing

@testable import DocrootServer

/// Clients upload in parallel, and the power goes between any two steps of the disk: every object
/// is a whole old or a whole new one afterwards, and all that was promised is there.
@Suite struct PowerCutTests {
    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func `a thousand losses of power take nothing that was promised`(seed: UInt64) {
        #expect(Self.losses(.durable, cuts: 50, seed: seed) == [])
    }

    /// Each wait for the disk is needed, and the bench would notice if one were forgotten.
    @Test(arguments: DiskOrder.Precaution.allCases)
    func `without one of its precautions something is lost`(precaution: DiskOrder.Precaution) {
        let others = Set(DiskOrder.Precaution.allCases).subtracting([precaution])
        let losses = (1...20 as ClosedRange<UInt64>).lazy
            .map { Self.losses(DiskOrder(taking: others), cuts: 50, seed: $0) }
        #expect(losses.contains { !$0.isEmpty }, "\(precaution)")
    }

    @Test func `who wants speed instead loses what was acknowledged`() {
        let losses = (1...10 as ClosedRange<UInt64>)
            .flatMap { Self.losses(.fast, cuts: 50, seed: $0) }
        #expect(losses.contains { $0.contains("had ") }, "\(losses)")
        #expect(losses.contains { $0.contains("is gone") }, "\(losses)")
    }

    /// What was lost until the first loss of power that took something.
    static func losses(_ order: DiskOrder, cuts: Int, seed: UInt64) -> [String] {
        var random = RandomStream(seed: seed, name: "power cuts")
        let bench = DocrootBench(order: order)
        let supply = PowerCutSupply()
        var clients: [any PowerCutClient] = []
        // Who waits for the disk brings to it what others have left undone: some do without them.
        if seed % 4 != 3 {
            clients.append(PuttingClient("a", isKeyed: false, supply))
            clients.append(PuttingClient("b", isKeyed: true, supply))
        }
        if seed % 2 == 0 { clients += [TusClient("c", supply), TusClient("d/e", supply)] }
        if seed % 4 == 0 { clients.append(TusClient("f", tellsChecksums: true, supply)) }
        if seed % 4 > 1 {
            let newest = NewestFolder()
            clients.append(FolderMakingClient(newest, supply))
            clients.append(FolderFillingClient(newest, supply))
            clients.append(FolderFillingClient(newest, supply))
        }
        for cut in 1...cuts {
            bench.storeStages = false
            bench.disksTakeTurns = true
            bench.dimPower(after: 1 + random.below(150))
            // Clients that are told of a loss, and have nothing left to do, need no power.
            for _ in 0..<600 where !bench.isDark {
                clients[Int(random.below(UInt64(clients.count)))].act(on: bench, &random)
                if random.below(3) == 0 { bench.endTurn() }
                for _ in 0..<random.below(4) { bench.takeTurn(&random) }
            }
            bench.losePower(random: &random)
            bench.storeStages = true
            bench.disksTakeTurns = false
            let losses = clients.flatMap { $0.look(at: bench) }
            guard losses.isEmpty else { return losses.map { "cut \(cut): \($0)" } }
        }
        return []
    }
}
