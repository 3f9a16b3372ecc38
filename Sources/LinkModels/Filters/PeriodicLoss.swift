/// Loss of every n-th packet: the pattern behind RFC 9438's average windows.
struct PeriodicLoss: Sendable {
    private let period: UInt64
    private var passed: UInt64 = 0

    /// Makes the loss; the first lost packet has the index period − 1.
    init(period: UInt64) {
        precondition(period > 0, "a period of no packets")
        self.period = period
    }

    mutating func accept() -> StageVerdict {
        passed += 1
        guard passed == period else { return .pass }
        passed = 0
        return .drop(.lost)
    }
}
