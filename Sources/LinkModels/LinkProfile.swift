package import Quantities

/// Well-known links by name, each with the source of its figures.
/// For all profiles, rates count IP bytes, the MTU is 1500, and the queue holds one round trip of
/// the link but at least 16 packets. If a source gives a round trip, each direction has half of it.
/// A range of delays is uniform per packet, with order kept.
package struct LinkProfile: Hashable, Sendable {
    package let name: String
    package let source: String
    package let down: Direction
    package let up: Direction

    package struct Direction: Hashable, Sendable {
        package let rate: Bitrate
        package let delay: TimeSpan
        /// The largest extra delay.
        package let jitter: TimeSpan
        package let loss: Probability
    }

    private init(
        _ name: String, kilobits: (down: UInt64, up: UInt64),
        milliseconds: (down: Int64, up: Int64), jitterMilliseconds: Int64 = 0,
        loss: Probability = .never, source: String
    ) {
        self.name = name
        self.source = source
        func direction(_ kilobits: UInt64, _ milliseconds: Int64) -> Direction {
            Direction(
                rate: Bitrate(bitsPerSecond: kilobits * 1_000),
                delay: .milliseconds(milliseconds), jitter: .milliseconds(jitterMilliseconds),
                loss: loss)
        }
        down = direction(kilobits.down, milliseconds.down)
        up = direction(kilobits.up, milliseconds.up)
    }

    package static func named(_ name: String) -> LinkProfile? { all.first { $0.name == name } }

    private static let apple = "Apple Network Link Conditioner"
    /// This source gives round trips; each direction has half.
    private static let webPageTest = "WebPageTest connectivity.ini"
    private static let android = "Android emulator constants"

    package static let all: [LinkProfile] = [
        .init("apple-3g", kilobits: (780, 330), milliseconds: (100, 100), source: apple),
        .init("apple-dsl", kilobits: (2_000, 256), milliseconds: (5, 5), source: apple),
        .init("apple-lte", kilobits: (50_000, 10_000), milliseconds: (50, 65), source: apple),
        .init("apple-wifi", kilobits: (40_000, 33_000), milliseconds: (1, 1), source: apple),
        .init("apple-edge", kilobits: (240, 200), milliseconds: (400, 440), source: apple),
        .init(
            "apple-very-bad", kilobits: (1_000, 1_000), milliseconds: (500, 500),
            loss: tenPercent, source: apple),
        .init("wpt-cable", kilobits: (5_000, 1_000), milliseconds: (14, 14), source: webPageTest),
        .init("wpt-3g", kilobits: (1_600, 768), milliseconds: (150, 150), source: webPageTest),
        .init("wpt-3g-slow", kilobits: (400, 400), milliseconds: (200, 200), source: webPageTest),
        .init("wpt-4g", kilobits: (9_000, 9_000), milliseconds: (85, 85), source: webPageTest),
        .init("wpt-lte", kilobits: (12_000, 12_000), milliseconds: (35, 35), source: webPageTest),
        .init("wpt-2g", kilobits: (280, 256), milliseconds: (400, 400), source: webPageTest),
        .init(
            "android-umts", kilobits: (1_920, 128), milliseconds: (35, 35),
            jitterMilliseconds: 165, source: android),
        .init("android-hsdpa", kilobits: (14_400, 348), milliseconds: (0, 0), source: android),
        .init(
            "satellite-geo", kilobits: (50_000, 5_000), milliseconds: (300, 300),
            loss: tenthOfPercent, source: "our choice: a geostationary round trip"),
        .init(
            "intercontinental", kilobits: (100_000, 100_000), milliseconds: (100, 100),
            loss: halfPercent, source: "our choice"),
    ]

    private static let tenPercent = Probability(percent: 10) ?? .always
    private static let halfPercent = Probability(percent: 0.5) ?? .always
    private static let tenthOfPercent = Probability(percent: 0.1) ?? .always
}
