import Quantities

/// A limit of a figure, from above or from below.
package enum Bound<Value: Comparable & Hashable & Sendable>: Hashable, Sendable {
    case atMost(Value)
    case atLeast(Value)

    /// Whether the figure is right at the end of the run.
    func isMet(by figure: Value) -> Bool {
        switch self {
        case .atMost(let most): figure <= most
        case .atLeast(let least): figure >= least
        }
    }

    /// Whether the figure, which only grows, is already too high.
    func isExceeded(by figure: Value) -> Bool {
        switch self {
        case .atMost(let most): figure > most
        case .atLeast: false
        }
    }
}

extension Bound<ByteCount> {
    /// Returns how far a figure exceeds the limit, as the end of a sentence; empty if it does not.
    func excess(of figure: ByteCount) -> String {
        switch self {
        case .atMost(let most) where figure > most: ", \(figure - most) too many"
        case .atMost, .atLeast: ""
        }
    }
}

extension Bound: CustomStringConvertible {
    package var description: String {
        switch self {
        case .atMost(let most): "at most \(most)"
        case .atLeast(let least): "at least \(least)"
        }
    }
}
