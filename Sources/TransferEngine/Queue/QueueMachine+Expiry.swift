/// Stops all transfers when the time in the background is up; the queue stays in running mode
/// (A11).
extension QueueMachine {
    mutating func timeIsUp(in turn: inout Turn) {
        countCells(of: .expiry)
        // A session that is ending already waits for the store anyway.
        guard let active, !active.isSettling else { return }
        endActivation(
            by: .expiry, because: "the time in the background is up", .stopped(by: .expiry),
            in: &turn)
    }
}
