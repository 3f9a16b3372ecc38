package import Quantities
package import RunLog

/// What changed over a run's time.
package struct RunSeries: Hashable, Sendable, Codable {
    package var throughput: [Throughput] = []
    package var progress: [Progress] = []

    package init() {}

    /// Bytes that came through a link in each bucket of time, headers included.
    package struct Throughput: Hashable, Sendable, Codable {
        package enum Source: String, Hashable, Sendable, Codable {
            case delivered, captured
            /// Delivered, too, but sent by others, who share the link with the run.
            case ofOthers = "of others"
        }

        package var link: UInt16
        package var name: String
        package var source: Source
        /// What the link promised; a captured one promised nothing.
        package var rate: Bitrate?
        package var bucket: TimeSpan
        package var bytes: [UInt64]

        package init(
            link: UInt16, name: String, source: Source, rate: Bitrate?, bucket: TimeSpan,
            bytes: [UInt64]
        ) {
            self.link = link
            self.name = name
            self.source = source
            self.rate = rate
            self.bucket = bucket
            self.bytes = bytes
        }
    }

    /// How far a session had come, as the app was told.
    package struct Progress: Hashable, Sendable, Codable {
        package var session: ItemName
        package var points: [Point]

        package struct Point: Hashable, Sendable, Codable {
            package var at: Instant
            package var done: ByteCount

            package init(at: Instant, done: ByteCount) {
                self.at = at
                self.done = done
            }
        }

        package init(session: ItemName, points: [Point]) {
            self.session = session
            self.points = points
        }
    }
}
