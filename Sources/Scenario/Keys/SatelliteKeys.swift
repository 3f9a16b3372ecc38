import LinkModels
import Quantities

/// The key `satellites` of a link's direction.
enum SatelliteKeys {
    static var shape: Shape { keys.shape }

    static func read(_ node: YAMLNode) -> SatelliteHandOver.Options? {
        var spans: [String: TimeSpan] = [:]
        keys.read(node, into: &spans)
        guard let every = spans["every"], let outage = spans["outage"],
            let detour = spans["detour"]
        else { return nil }
        guard every >= .seconds(1), outage < every else {
            return node.refuse(
                "satellites that take over every \(every), each after \(outage)",
                expected: "turns of 1 s or more, longer than the outage")
        }
        return .init(every: every, outage: outage, longestDetour: detour)
    }

    private static let keys = DelayKeys.spans(
        of: "“satellites”",
        [
            ("every", "how long a turn lasts", "15 s"),
            ("outage", "for how long everything is lost when a turn begins", "60 ms"),
            ("detour", "how much longer the way is at most, another time in each turn", "20 ms"),
        ])
}
