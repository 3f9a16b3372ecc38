import Quantities

/// The random stream of a part of a scenario, with words for the ways to draw.
struct ChanceDice {
    private var stream: RandomStream

    init(seed: UInt64, name: String) { stream = RandomStream(seed: seed, name: "chance/\(name)") }

    /// Returns true with a chance of one in `times`.
    mutating func oneIn(_ times: UInt64) -> Bool { stream.below(times) == 0 }

    mutating func between(_ range: ClosedRange<Int>) -> Int {
        range.lowerBound + Int(stream.below(UInt64(range.count)))
    }

    mutating func pick<Value>(_ values: [Value]) -> Value {
        precondition(!values.isEmpty, "there is nothing to pick from")
        return values[Int(stream.below(UInt64(values.count)))]
    }

    /// Returns a random part of the values. What is left out of a run cannot hide anything in it.
    mutating func swarm<Value>(_ values: [Value], oneIn times: UInt64 = 2) -> [Value] {
        values.filter { _ in oneIn(times) }
    }
}
