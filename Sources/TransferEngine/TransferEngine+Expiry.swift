/// All transfers stop when the time in the background is up; the queue stays in running mode (A11).
extension TransferEngine {
    mutating func timeIsUp(for task: BackgroundTaskID, into outputs: inout [EngineOutput]) {
        guard background.expire(task), let current = active else { return }
        switch current.phase {
        // Its end is on its way to the store, and takes no more time than this one would.
        case .settling: return
        case .pausing, .waitingForNetwork: break
        case .connecting, .inspecting, .saving, .asking, .sending:
            stopRunning(
                wasEstablished: current.connection?.isEstablished ?? false, into: &outputs)
        }
        move(
            current.index, .expiry, because: "the time in the background is up", into: &outputs)
        let ticket = persist(current.index, into: &outputs)
        active?.phase = .settling(ticket, .stopped(.expiry))
    }
}
