package import Quantities

/// A TCP flow that the scenario measures by a name; several flows may have the same name.
package struct NamedFlow: Hashable, Sendable, Codable {
    package var name: String
    /// When the flow begins, and when it stops writing; `nil`: it has a length, or lasts as long as
    /// the run.
    package var from: TimeSpan
    package var until: TimeSpan?
    package var length: ByteCount?
    /// Set only for the paced transport: the bytes of a datagram that are not content.
    package var overhead: ByteCount?

    package init(
        name: String, from: TimeSpan, until: TimeSpan? = nil, length: ByteCount? = nil,
        overhead: ByteCount? = nil
    ) {
        self.name = name
        self.from = from
        self.until = until
        self.length = length
        self.overhead = overhead
    }
}
