import Recording

/// What is compared of a flow, in either world; counted from its packets alone, except for
/// timeouts and the slow start, which only its sender knows.
package struct FlowFigures: Hashable, Sendable, Codable {
    package var goodputBitsPerSecond: UInt64
    package var queueDrops: UInt64
    package var retransmissions: UInt64
    package var timeouts: UInt64
    /// `nil` in older measurements.
    package var peakFlightBytes: UInt64?
    /// When slow start ended, to a tenth of a second; `nil` if it has not, or if that is not known.
    package var slowStartSeconds: Double?
}

extension FlowFigures {
    init(_ book: BulkFlowBook, timeouts: UInt64, slowStartSeconds: Double?) {
        self.init(
            goodputBitsPerSecond: UInt64(book.goodput), queueDrops: book.queueDrops,
            retransmissions: book.retransmissions, timeouts: timeouts,
            peakFlightBytes: book.peakFlight, slowStartSeconds: slowStartSeconds)
    }
}
