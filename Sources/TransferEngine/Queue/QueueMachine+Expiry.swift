/// All transfers stop when the time in the background is up; the queue stays in running mode (A11).
extension QueueMachine {
    mutating func timeIsUp(in process: inout ProcessState, into outputs: inout [EngineOutput]) {
        guard let current = active else { return }
        switch current.phase {
        // Its end is on its way to the store, and takes no more time than this one would.
        case .settling: return
        case .pausing, .waitingForNetwork: break
        case .running: stopRunning(into: &outputs)
        }
        move(
            current.index, .expiry, because: "the time in the background is up", into: &outputs)
        settle(.stopped(.expiry), in: &process, into: &outputs)
    }
}
