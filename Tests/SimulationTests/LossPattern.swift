import LinkModels
import Quantities

/// A loss of exactly these packets of a link, or another mishap: not written into the link, but
/// found among the seeds, so that the ordinary stage does it.
struct LossPattern {
    let seed: UInt64
    let percent: Double

    /// `nil` if no seed within reach does it.
    init?(
        on link: String, stage: String = "loss", dropping lost: Set<Int>, ofFirst count: Int
    ) {
        // The likeliest chance for such a pattern.
        percent = 100 * Double(max(lost.count, 1)) / Double(count)
        guard let chance = Probability(percent: percent) else { return nil }
        let found = (UInt64(0)..<1_000_000).first { seed in
            var random = RandomStream(seed: seed, name: "\(link)/\(stage)")
            return (0..<count).allSatisfy { chance.draw(from: &random) == lost.contains($0) }
        }
        guard let found else { return nil }
        seed = found
    }
}
