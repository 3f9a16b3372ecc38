import Device
import Quantities
import Testing

/// A phone with Wi-Fi (0) and cellular (1) at work: what it does is a line each.
struct NetworkBench {
    private var network: DeviceNetwork
    var lines: [String] = []
    private var now = Instant.start
    private var deadline: Instant?

    init(
        _ kinds: [InterfaceKind] = [.wifi, .cellular], gap: TimeSpan = .seconds(1),
        linger: TimeSpan = .seconds(30), endsConnections: Bool = true
    ) {
        network = DeviceNetwork(
            kinds, .init(gap: gap, linger: linger, endsConnections: endsConnections))
        happens(.begins, at: 0)
        lines = []
    }

    /// With every deadline before it.
    mutating func happens(_ input: DeviceNetwork.Input, at seconds: Int64) {
        let moment = Instant.start + .seconds(seconds)
        while let due = deadline, due <= moment { take(.wake, at: due) }
        take(input, at: moment)
    }

    /// At a moment at which something may be due, too, and nobody has said so yet.
    mutating func happensFirst(_ input: DeviceNetwork.Input, at seconds: Int64) {
        take(input, at: .start + .seconds(seconds))
    }

    private mutating func take(_ input: DeviceNetwork.Input, at moment: Instant) {
        now = moment
        var outputs: [DeviceNetwork.Output] = []
        deadline = network.handle(input, at: now, into: &outputs)
        if let deadline { #expect(deadline > now, "what is due is done at once") }
        lines += outputs.map { "\(now.sinceStart): \(Self.words($0))" }
    }

    private static func words(_ output: DeviceNetwork.Output) -> String {
        switch output {
        case .take(let place, let down, let moved):
            "\(place) \(down ? "down" : "up")\(moved ? ", moved" : "")"
        case .endConnections(let place): "ends on \(place)"
        case .cutWays(let place, let resets): "cuts \(place)\(resets ? ", resets" : "")"
        case .portal(let place, let isThere, let drops, _):
            "portal \(place) \(isThere)\(drops ? ", drops" : "")"
        case .tell(let path):
            "tells \(path.kind?.rawValue ?? "none"), alive \(path.alive)"
                + (path.isMetered ? ", metered" : "") + (path.isLowData ? ", low data" : "")
        }
    }
}
