import Quantities

/// What a random scenario is drawn with: a named stream, and words for the ways to draw.
struct ChanceDice {
    private var stream: RandomStream

    init(seed: UInt64, name: String) { stream = RandomStream(seed: seed, name: "chance/\(name)") }

    /// One time in so many.
    mutating func oneIn(_ times: UInt64) -> Bool { stream.below(times) == 0 }

    mutating func between(_ range: ClosedRange<Int>) -> Int {
        range.lowerBound + Int(stream.below(UInt64(range.count)))
    }

    mutating func pick<Value>(_ values: [Value]) -> Value {
        precondition(!values.isEmpty, "there is nothing to pick from")
        return values[Int(stream.below(UInt64(values.count)))]
    }

    /// Each of them or not, as likely as the other: what is left out of a run cannot stand in the
    /// way of what it would have hidden.
    mutating func swarm<Value>(_ values: [Value], oneIn times: UInt64 = 2) -> [Value] {
        values.filter { _ in oneIn(times) }
    }
}
