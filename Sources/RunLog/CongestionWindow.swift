package import Quantities

/// How much a sender may have in flight, as its congestion controller sees it at a moment. It is
/// not part of the log: only the charts of a run show it.
package struct CongestionWindow: Hashable, Sendable {
    package var at: Instant
    /// The connection's flow number in packet records.
    package var flow: UInt16
    /// Whether the sender is the end that opened the connection.
    package var isOpeners: Bool
    package var size: ByteCount
    /// Below it, the window grows by slow start; `nil` before the first loss.
    package var threshold: ByteCount?
    /// The smoothed round-trip time of RFC 6298; `nil` before the first measurement.
    package var smoothedRoundTrip: TimeSpan?
    /// The rate at which a controller paces segments; `nil` if it sets none.
    package var pacingRate: Bitrate?

    package init(
        at: Instant, flow: UInt16, isOpeners: Bool, size: ByteCount, threshold: ByteCount? = nil,
        smoothedRoundTrip: TimeSpan? = nil, pacingRate: Bitrate? = nil
    ) {
        self.at = at
        self.flow = flow
        self.isOpeners = isOpeners
        self.size = size
        self.threshold = threshold
        self.smoothedRoundTrip = smoothedRoundTrip
        self.pacingRate = pacingRate
    }
}
