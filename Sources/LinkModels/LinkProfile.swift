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
        package let wifi: WiFi.Options?
        package let satellites: SatelliteHandOver.Options?
    }

    private init(
        _ name: String, kilobits: (down: UInt64, up: UInt64),
        milliseconds: (down: Int64, up: Int64), jitterMilliseconds: Int64 = 0,
        loss: Probability = .never, wifi: WiFi.Options? = nil,
        satellites: SatelliteHandOver.Options? = nil, source: String
    ) {
        self.name = name
        self.source = source
        func direction(_ kilobits: UInt64, _ milliseconds: Int64) -> Direction {
            Direction(
                rate: Bitrate(bitsPerSecond: kilobits * 1_000),
                delay: .milliseconds(milliseconds), jitter: .milliseconds(jitterMilliseconds),
                loss: loss, wifi: wifi, satellites: satellites)
        }
        down = direction(kilobits.down, milliseconds.down)
        up = direction(kilobits.up, milliseconds.up)
    }

    package static func named(_ name: String) -> LinkProfile? { all.first { $0.name == name } }

    private static let apple = "Apple Network Link Conditioner"
    /// This source gives round trips; each direction has half.
    private static let webPageTest = "WebPageTest connectivity.ini"
    private static let android = "Android emulator constants"

    package static let all = classics + sinceFourG

    private static let classics: [LinkProfile] = [
        .init("apple-3g", kilobits: (780, 330), milliseconds: (100, 100), source: apple),
        .init("apple-dsl", kilobits: (2_000, 256), milliseconds: (5, 5), source: apple),
        .init("apple-lte", kilobits: (50_000, 10_000), milliseconds: (50, 65), source: apple),
        .init("apple-wifi", kilobits: (40_000, 33_000), milliseconds: (1, 1), source: apple),
        .init("apple-edge", kilobits: (240, 200), milliseconds: (400, 440), source: apple),
        .init(
            "apple-very-bad", kilobits: (1_000, 1_000), milliseconds: (500, 500),
            loss: tenPercent, source: apple),
        .init(
            "apple-100-loss", kilobits: (1_000_000, 1_000_000), milliseconds: (0, 0),
            loss: .always, source: apple),
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

    /// Networks that the older sources lack, by these measurements:
    /// - Narayanan et al., “A First Look at Commercial 5G Performance on Smartphones”, WWW 2020;
    /// - Michel et al., “A First Look at Starlink Performance”, IMC 2022;
    /// - Mohan et al., “A Multifaceted Look at Starlink Performance”, WWW 2024.
    private static let sinceFourG: [LinkProfile] = [
        .init(
            "5g-mid-band", kilobits: (150_000, 30_000), milliseconds: (15, 15),
            jitterMilliseconds: 5,
            source: "Narayanan et al. 2020 (100 to 200 Mbit/s down); the rest is our choice"),
        .init(
            "5g-mmwave", kilobits: (1_000_000, 100_000), milliseconds: (10, 10),
            jitterMilliseconds: 5,
            source: "Narayanan et al. 2020 (above 1 Gbit/s down, in sight of the antenna); the "
                + "rest is our choice"),
        // The round trip's quartiles are 40 and 60 ms. Satellites change every 15 s, at the same
        // moments everywhere. The losses of a change are our choice: 0.4 % of the time.
        .init(
            "starlink", kilobits: (178_000, 17_000), milliseconds: (20, 20),
            satellites: .init(
                every: .seconds(15), outage: .milliseconds(60), longestDetour: .milliseconds(10)),
            source: "Michel et al. 2022, Mohan et al. 2024"),
        // MCS 5 to 9 of VHT at 80 MHz with one stream and a guard of 400 ns, as phones have it; one
        // other station sends. Stations and moves are our choice.
        .init(
            "wifi-ac", kilobits: (433_300, 433_300), milliseconds: (1, 1),
            wifi: .init(
                rates: [260_000, 292_500, 325_000, 390_000, 433_300].map {
                    Bitrate(bitsPerSecond: $0 * 1_000)
                },
                stations: 2, bytes: ByteCount(1_048_575),
                adaptation: .init(every: .milliseconds(100), chance: fifth)),
            source: "IEEE 802.11-2020 §21.5"),
    ]

    private static let fifth = Probability(percent: 20) ?? .always

    private static let tenPercent = Probability(percent: 10) ?? .always
    private static let halfPercent = Probability(percent: 0.5) ?? .always
    private static let tenthOfPercent = Probability(percent: 0.1) ?? .always
}
