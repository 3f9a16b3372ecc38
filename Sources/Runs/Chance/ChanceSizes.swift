/// The largest packets on a random scenario's links, and how its hosts find out about them.
struct ChanceSizes {
    private var dice: ChanceDice
    /// Whether there may be limits of which nobody hears. Then both hosts can find them out.
    private let mayHide: Bool

    private static let limits = ["1280 B", "{ size: 1400 B, told: by-router }"]
    private static let hidden = ["{ size: 1400 B, told: never }"]
    private static let detections = [
        ["black-holes: linux"], ["black-holes: apple"],
        ["client: { black-holes: apple }", "server: { black-holes: linux }"],
    ]

    init(seed: UInt64) {
        dice = ChanceDice(seed: seed, name: "packet sizes")
        mayHide = dice.oneIn(6)
    }

    /// Draws the largest packet of a link as one more key, unless the link has one.
    mutating func limit(beside keys: Set<Substring>) -> String {
        let isDrawn = dice.oneIn(8)
        let limit = dice.pick(mayHide ? Self.limits + Self.hidden : Self.limits)
        return isDrawn && !keys.contains("mtu") ? ", mtu: \(limit)" : ""
    }

    /// Draws the settings of TCP that find out hidden limits, beside others.
    mutating func settings(beside others: [String]) -> [String] {
        guard mayHide else { return [] }
        let isOfEach = others.contains { $0.hasPrefix("client:") || $0.hasPrefix("server:") }
        return dice.pick(isOfEach ? Self.detections.dropLast() : Self.detections)
    }
}
