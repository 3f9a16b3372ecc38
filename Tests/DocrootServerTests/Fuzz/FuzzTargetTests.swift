import Quantities
import Testing

/// The short form of the fuzzers: all seeds, and what chance makes of them.
@Suite struct FuzzTargetTests {
    @Test(arguments: FuzzTarget.allCases)
    func `seeds, cut, joined and spoiled, are answered as they should be`(target: FuzzTarget) {
        var random = RandomStream(seed: 1, name: "fuzz \(target)")
        let seeds = target.seeds
        for seed in seeds { target.run(seed) }
        for _ in 0..<400 {
            var bytes = seeds[Int(random.below(UInt64(seeds.count)))]
            if random.below(4) == 0 { bytes += seeds[Int(random.below(UInt64(seeds.count)))] }
            MutatedRequestTests.mutate(&bytes, &random)
            target.run(bytes)
        }
    }
}
