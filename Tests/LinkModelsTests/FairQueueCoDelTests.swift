import LinkModels
import Quantities
import Testing

@Suite struct FairQueueCoDelTests {
    @Test func `a sparse flow never waits for more than what is being sent`() {
        let bench = QueueBench(.fairQueueCoDel(.init()), limit: 10_000_000)
        var sparse: [Int] = []
        for number in 0..<4_000 {
            let now = Instant.start + .microseconds(750 * Int64(number))
            let isSparse = number % 100 == 99
            if isSparse { sparse.append(number) }
            bench.offer(flow: isSparse ? 2 : 1, at: now)
        }
        bench.play(until: .start + .seconds(60))
        #expect(sparse.allSatisfy { (bench.waits[$0] ?? .seconds(1)) <= .microseconds(1_500) })
    }

    @Test func `three busy flows get the same, whatever each of them offers`() {
        let bench = QueueBench(.fairQueueCoDel(.init()), limit: 100_000_000)
        var flows: [UInt16] = []
        for number in 0..<6_000 {
            // Of six packets, three are of flow 1, two of flow 2, one of flow 3.
            let flow: UInt16 = [1, 1, 1, 2, 2, 3][number % 6]
            flows.append(flow)
            bench.offer(flow: flow, at: .start + .microseconds(250 * Int64(number)))
        }
        let shares = [1, 2, 3].map { flow in bench.order.count { flows[$0] == flow } }
        #expect(bench.order.count > 900)
        for share in shares { #expect(abs(share - bench.order.count / 3) < 10, "\(shares)") }
    }

    @Test func `a full queue drops of the longest line, at its head`() {
        let bench = QueueBench(.fairQueueCoDel(.init()), limit: 15_000)
        for _ in 0..<9 { bench.offer(flow: 1, at: .start) }
        for _ in 0..<4 { bench.offer(flow: 2, at: .start) }
        // Packet 0 is being sent; of the ten that fit, those of flow 2 are all there.
        #expect(bench.dropped.keys.sorted() == [1, 2])
    }
}
