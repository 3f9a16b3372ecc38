/// Stops all transfers when the time in the background is up; the queue stays in running mode
/// (A11).
extension QueueMachine {
    mutating func timeIsUp(in turn: inout Turn) {
        countCells(of: .expiry)
        let because = "the time in the background is up"
        // A session that is ending already waits for the store anyway.
        if let active, !active.isSettling {
            endActivation(by: .expiry, because: because, .stopped(by: .expiry), in: &turn)
        }
        endPreemptions(by: .expiry, because: because, in: &turn)
    }
}
