/// Loss of every n-th packet: the pattern under which RFC 9438's average windows are worked out.
package struct PeriodicLoss: Sendable {
    private let period: UInt64
    private var passed: UInt64 = 0

    /// The packet with index period − 1 is the first that is lost.
    package init(period: UInt64) {
        precondition(period > 0, "a period of no packets")
        self.period = period
    }

    package mutating func accept() -> StageVerdict {
        passed += 1
        guard passed == period else { return .pass }
        passed = 0
        return .drop(.lost)
    }
}
