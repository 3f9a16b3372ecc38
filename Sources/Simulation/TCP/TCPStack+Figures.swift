import Quantities

/// What the ends of a connection have sent and received.
extension TCPStack {
    func room(_ handle: StreamHandle) -> ByteCount {
        ByteCount(endpoints[handle.place].sender.room)
    }

    func transmitted(_ handle: StreamHandle) -> ByteCount {
        ByteCount(endpoints[handle.place].sender.transmitted)
    }

    func received(_ handle: StreamHandle) -> ByteCount {
        let next = endpoints[handle.place].receiver.next
        return ByteCount(endpoints[handle.otherEnd.place].sender.streamBytes(before: next))
    }

    func window(_ handle: StreamHandle) -> ByteCount {
        ByteCount(endpoints[handle.place].sender.window)
    }

    /// Returns the slow-start threshold; `nil` if none is set, as before the first loss.
    func threshold(_ handle: StreamHandle) -> ByteCount? {
        let threshold = endpoints[handle.place].sender.controller.threshold
        return threshold == 0 || threshold == .max ? nil : ByteCount(threshold)
    }

    func smoothedRoundTrip(_ handle: StreamHandle) -> TimeSpan? {
        let smoothed = endpoints[handle.place].sender.timer.smoothed
        return smoothed == 0 ? nil : TimeSpan(nanoseconds: Int64(smoothed))
    }

    func acknowledged(_ handle: StreamHandle) -> ByteCount {
        ByteCount(endpoints[handle.place].sender.acknowledged)
    }

    func hasLeftSlowStart(_ handle: StreamHandle) -> Bool {
        endpoints[handle.place].sender.controller.hasLeftSlowStart
    }

    func timeouts(_ handle: StreamHandle) -> Int {
        endpoints[handle.place].sender.recovery.timeouts
    }
}
