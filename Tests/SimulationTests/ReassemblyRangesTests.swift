import Quantities
import Testing

@testable import Simulation

@Suite struct ReassemblyRangesTests {
    @Test(arguments: Array(UInt64(1)...50)) func `what has arrived is known exactly, in any order`(
        seed: UInt64
    ) {
        var random = RandomStream(seed: seed, name: "reassembly")
        var ranges = ReassemblyRanges()
        var arrived = [Bool](repeating: false, count: 400)
        var next = 0
        while next < 400 {
            let start = next + Int(random.below(UInt64(400 - next)))
            let end = min(400, start + 1 + Int(random.below(30)))
            for place in start..<end { arrived[place] = true }
            if start == next {
                next = Int(ranges.absorb(from: UInt64(end)))
            } else {
                ranges.insert(UInt64(start)..<UInt64(end))
            }
            #expect(next == arrived.firstIndex(of: false) ?? 400, "seed \(seed)")
            #expect(ranges.ranges == stretches(of: arrived, after: next), "seed \(seed)")
        }
        #expect(ranges.isEmpty)
    }

    private func stretches(of arrived: [Bool], after next: Int) -> [Range<UInt64>] {
        var found: [Range<UInt64>] = []
        var place = next
        while let start = arrived[place...].firstIndex(of: true) {
            let end = arrived[start...].firstIndex(of: false) ?? arrived.count
            found.append(UInt64(start)..<UInt64(end))
            place = end
        }
        return found
    }
}
