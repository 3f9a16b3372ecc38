package import Quantities
package import RunLog

/// The figures of a run over time.
package struct RunSeries: Hashable, Sendable, Codable {
    package var throughput: [Throughput] = []
    package var progress: [Progress] = []
    /// The progress of all sessions together; `nil` if there is only one.
    package var totalProgress: [Progress.Point]?
    /// The links with the most bytes; `nil` if no simulated packets were followed.
    package var links: [Link]?
    /// The number of links that carried packets and are not among `links`.
    package var linksLeftOut: Int?
    /// The connections with the most bytes; `nil` if none were followed.
    package var flows: [Flow]?
    /// The number of connections that are not among `flows`.
    package var flowsLeftOut: Int?

    /// Bytes delivered by a link in each bucket of time, headers included.
    package struct Throughput: Hashable, Sendable, Codable {
        package enum Source: String, Hashable, Sendable, Codable, CaseIterable {
            case delivered, captured
            /// Delivered bytes of other traffic on the link.
            case ofOthers = "of others"
        }

        package var link: UInt16
        package var name: String
        package var source: Source
        /// The link's rate; `nil` for a captured link.
        package var rate: Bitrate?
        package var bucket: TimeSpan
        package var bytes: [UInt64]
    }

    /// The progress of a session, as the app was told.
    package struct Progress: Hashable, Sendable, Codable {
        package var session: ItemName
        package var points: [Point]

        package struct Point: Hashable, Sendable, Codable {
            package var at: Instant
            package var done: ByteCount
        }
    }
}
