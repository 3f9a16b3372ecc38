package import Quantities

extension RunSeries {
    /// A link over time. Its packets include other traffic.
    package struct Link: Hashable, Sendable, Codable {
        package var link: UInt16
        package var name: String
        package var step: TimeSpan
        /// The packets that were dropped in each step.
        package var dropped: [UInt64]
        /// The largest queueing delay of a packet that was delivered in the step: its transit less
        /// the shortest transit so far. `nil` if none was delivered.
        package var queueingDelay: [TimeSpan?]
        /// The most bytes that were on the link at a moment of the step: sent, and neither
        /// delivered nor dropped.
        package var onLink: [ByteCount]
    }
}
