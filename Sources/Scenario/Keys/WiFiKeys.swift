import LinkModels
import Quantities

/// The rate of a link as `{ wifi: … }`: the time that a Wi-Fi station takes on the air.
enum WiFiKeys {
    static var shape: Shape { rates.shape }

    static func read(_ node: YAMLNode) -> WiFi.Options? {
        var options: WiFi.Options?
        rates.read(node, into: &options)
        return options
    }

    private static let rates = KeyTable<WiFi.Options?>(
        name: "a rate by Wi-Fi",
        keys: [
            .required(
                "wifi", stations.shape, "the air time of a Wi-Fi station",
                example: "{ phy: 390 Mbit/s, stations: 3 }"
            ) { node, draft in
                var options = WiFi.Options(rates: [])
                stations.read(node, into: &options)
                draft = options.rates.isEmpty ? nil : options
            }
        ])

    private static let mostStations: UInt64 = 100
    private static let mostPackets: UInt64 = 256

    private static let stations = KeyTable<WiFi.Options>(
        name: "“wifi”",
        keys: [
            .required(
                "phy", .oneOrSeveral(.rate),
                "the rate of the physical layer, or rising rates among which “adapts” chooses",
                example: "[65 Mbit/s, 195 Mbit/s, 390 Mbit/s]", read: readRates),
            .optional(
                "stations", .number,
                "how many contend for the air, this one included; the others always send; the "
                    + "default is 1", \.stations
            ) {
                let expectation = "a number of stations from 1 to \(mostStations)"
                return $0.count(in: 1...mostStations, expectation) { "\($0) stations" }
                    .map { Int($0) }
            },
            .optional(
                "packets", .number, "the most packets of an aggregate; the default is 64",
                \.packets
            ) {
                let expectation = "a number of packets from 1 to \(mostPackets)"
                return $0.count(in: 1...mostPackets, expectation) { "\($0) packets" }
                    .map { Int($0) }
            },
            .optional(
                "bytes", .size, "the most bytes of an aggregate; the default is 65535 B", \.bytes
            ) {
                let expectation = "a size from 2 kB to 1048575 B (802.11ac)"
                return $0.text(expected: expectation)?.size(expected: expectation) {
                    (ByteCount(2_000)...ByteCount(1_048_575)).contains($0)
                        ? nil : "an aggregate of \($0)"
                }
            },
            .optional(
                "adapts", moves.shape, "how the rate moves among those of “phy”",
                example: "{ every: 100 ms, chance: 20 % }", \.adaptation, read: readMoves),
        ])

    private static func readRates(_ node: YAMLNode, options: inout WiFi.Options) {
        let rates = node.oneOrSeveral.compactMap { $0.rate() }
        guard zip(rates, rates.dropFirst()).allSatisfy({ $0 < $1 }), rates.count < 64 else {
            return node.refuse(
                "these rates do not rise", expected: "rising rates, such as [65 Mbit/s, 195 Mbit/s]"
            )
        }
        options.rates = rates
    }

    private struct Draft {
        var every: TimeSpan?
        var chance: Probability?
    }

    private static let moves = KeyTable<Draft>(
        name: "“adapts”",
        keys: [
            .required(
                "every", .time, "the time from one possible move to the next", example: "100 ms",
                \.every
            ) { node in
                node.checked(DelayKeys.delay(node), expected: "at least 1 ms") {
                    $0 < .milliseconds(1) ? "a move every \($0)" : nil
                }
            },
            .required(
                "chance", .percentage, "the chance of a move, up or down alike", example: "20 %",
                \.chance
            ) { $0.chance() },
        ])

    private static func readMoves(_ node: YAMLNode) -> RateAdaptation.Options? {
        var draft = Draft()
        moves.read(node, into: &draft)
        return both(draft.every, draft.chance).map { .init(every: $0, chance: $1) }
    }
}
