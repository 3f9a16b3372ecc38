package import Quantities

/// Loss like `tc netem loss P CORRELATION`, for commands quoted from the field.
/// netem mixes each random number with the previous one, and compares the mixture with P. A mixture
/// is rarely small, so the true mean is far below P: 10 % with 25 % correlation drops about 1.75 %.
package struct CorrelatedLoss: Sendable {
    private var draw: CorrelatedDraw

    package struct Options: Hashable, Sendable {
        package var chance: Probability
        package var correlation: Probability

        package init(chance: Probability, correlation: Probability) {
            self.chance = chance
            self.correlation = correlation
        }

        /// The share of packets lost in the long run: the stationary distribution F of the mixture
        /// x = (1 − ρ) u + ρ x′ at the chance, found by iterating F(x) = ∫ F((x − (1 − ρ) u) / ρ)
        /// du. It is for figures, never for a decision.
        var meanLoss: Double {
            let weight = correlation.fraction
            guard weight > 0 else { return chance.fraction }
            guard weight < 1 else { return chance.fraction }
            let cells = 1_000
            var distribution = (0...cells).map { Double($0) / Double(cells) }
            for _ in 0..<24 {
                // The integral of F up to a place; beyond 1, F is 1.
                var integral = [0.0]
                for cell in 1...cells {
                    let mean = (distribution[cell - 1] + distribution[cell]) / 2
                    integral.append(integral[cell - 1] + mean / Double(cells))
                }
                func area(to place: Double) -> Double {
                    if place <= 0 { return 0 }
                    if place >= 1 { return integral[cells] + place - 1 }
                    let cell = Int(place * Double(cells))
                    let rest = place - Double(cell) / Double(cells)
                    return integral[cell] + rest * distribution[cell]
                }
                distribution = (0...cells).map { place in
                    let x = Double(place) / Double(cells)
                    let upper = area(to: x / weight)
                    let lower = area(to: (x - (1 - weight)) / weight)
                    return (upper - lower) * weight / (1 - weight)
                }
            }
            return distribution[Int(chance.fraction * Double(cells) + 0.5)]
        }
    }

    init(_ options: Options, random: RandomStream) {
        draw = CorrelatedDraw(
            chance: options.chance, correlation: options.correlation, random: random)
    }

    mutating func accept() -> StageVerdict { draw.next() ? .drop(.lost) : .pass }
}
