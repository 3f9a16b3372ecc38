/// Watches whether a rate still grows. Three rounds in a row without a quarter more mean that the
/// pipe is full.
struct RateGrowth {
    private var rate: FlowRate
    private var roundsWithout = 0

    private static let roundsUntilFull = 3

    init(from rate: FlowRate = .zero) { self.rate = rate }

    /// Notes the rate of a round. Returns whether the growth is over.
    mutating func isOver(at rate: FlowRate) -> Bool {
        if rate >= self.rate.multiplied(by: 5, dividedBy: 4) {
            self.rate = rate
            roundsWithout = 0
            return false
        }
        roundsWithout += 1
        return roundsWithout >= Self.roundsUntilFull
    }
}
