/// All transfers stop when the time in the background is up; the queue stays in running mode (A11).
extension QueueMachine {
    mutating func timeIsUp(in turn: inout Turn) {
        countCells(of: .expiry)
        // One whose end is on its way to the store takes no more time than this would.
        guard let active, !active.isSettling else { return }
        endActivation(
            by: .expiry, because: "the time in the background is up", .stopped(by: .expiry),
            in: &turn)
    }
}
