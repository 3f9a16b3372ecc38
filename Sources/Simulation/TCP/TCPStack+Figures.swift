import Quantities
import RunLog

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

    /// Returns the congestion window of one end, for the log's flow with this number.
    func window(_ handle: StreamHandle, of flow: UInt16, at now: Instant) -> CongestionWindow {
        let size = ByteCount(endpoints[handle.place].sender.window)
        var window = CongestionWindow(at: now, flow: flow, isOpeners: handle.isOpener, size: size)
        // There is no threshold before the first loss, and none for BBR.
        let threshold = endpoints[handle.place].sender.controller.threshold
        if threshold != 0, threshold != .max { window.threshold = ByteCount(threshold) }
        let bytes = endpoints[handle.place].sender.controller.pacingRate.bytes(in: 1_000_000_000)
        if bytes > 0 { window.pacingRate = Bitrate(bitsPerSecond: 8 * bytes) }
        let smoothed = endpoints[handle.place].sender.timer.smoothed
        if smoothed != 0 { window.smoothedRoundTrip = TimeSpan(nanoseconds: Int64(smoothed)) }
        return window
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
