/// Losses while a segment was on the way, beside what was in flight when it left.
struct FlightLoss {
    /// Bytes in flight when the segment left, with the segment.
    var inFlight: UInt64
    /// Bytes lost since then, with the segment if it is lost.
    var lost: UInt64

    /// A fiftieth: the threshold of BBR version 3.
    private static let tolerated: UInt64 = 50

    /// Whether more than a fiftieth is lost.
    var isExcessive: Bool { lost * Self.tolerated > inFlight }

    /// Returns how much was in flight when the losses came to a fiftieth, while this lost segment
    /// was counted (§5.5.10.2). The part x of it that passes the threshold solves
    /// (lost + x) / (inFlight + x) = 1 / 50, where both are without the segment.
    func flightAtThreshold(length: UInt64) -> UInt64 {
        let before = inFlight - min(length, inFlight)
        let lostBefore = lost - min(length, lost)
        let budget = before / Self.tolerated
        guard lostBefore < budget else { return before }
        return before + (budget - lostBefore) * Self.tolerated / (Self.tolerated - 1)
    }
}
