package import Quantities
package import RunLog

extension RunSeries {
    /// The stream of a TCP connection over time: of its two streams, the one with more bytes.
    package struct Flow: Hashable, Sendable, Codable {
        package enum Sender: String, Hashable, Sendable, Codable, CaseIterable {
            case client, server
        }

        /// The flow number in packet records; later connections may have the same number.
        package var flow: UInt16
        /// The name of a flow that the scenario measures.
        package var label: String?
        /// The connection in the log, if it is certain which one it is.
        package var connection: ConnectionName?
        package var sender: Sender
        /// The link of its bytes, if it is known.
        package var link: UInt16?
        /// The bytes of the stream that were sent, without retransmissions.
        package var bytes: ByteCount
        package var from: Instant
        package var step: TimeSpan
        /// The most bytes in flight in each step: the highest byte sent less the highest one
        /// acknowledged.
        package var inFlight: [ByteCount]
        /// The largest congestion window seen in each step; `nil` if the world could not tell.
        package var window: [ByteCount?]?
        /// The lowest slow-start threshold seen in each step; `nil` if there never was one.
        package var threshold: [ByteCount?]?
        /// The highest rate in each step at which the controller paced; `nil` if it set none.
        package var pacingRate: [Bitrate?]?
        /// The mean and the largest round-trip time of the samples in each step.
        package var roundTrip: [TimeSpan?]
        package var longestRoundTrip: [TimeSpan?]
        /// The stream's bytes that were sent and acknowledged by the end of each step.
        package var sent: [ByteCount]
        package var acknowledged: [ByteCount]
        /// The lowest byte that was retransmitted in each step; `nil` if none ever was.
        package var retransmitted: [ByteCount?]?
    }
}
