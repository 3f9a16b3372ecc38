package import LinkModels
import Quantities

/// Traffic on the run's links that is not of its apps.
package struct CrossTraffic: Hashable, Sendable {
    package var streams: [Stream]
    package var flows: [FlowGroup]

    package enum Direction: Hashable, Sendable { case uplink, downlink }

    /// Packets without congestion control.
    package struct Stream: Hashable, Sendable {
        package var direction: Direction
        package var source: TrafficSource.Plan
        package var interface: Int

        package init(
            _ direction: Direction, _ source: TrafficSource.Plan, interface: Int = 0
        ) {
            self.direction = direction
            self.source = source
            self.interface = interface
        }
    }

    package init(streams: [Stream] = [], flows: [FlowGroup] = []) {
        self.streams = streams
        self.flows = flows
    }

    package var isEmpty: Bool { streams.isEmpty && flows.isEmpty }
}

extension CrossTraffic.Stream {
    package var sentence: String {
        var words = "\(source.rate) in packets of \(source.packetSize)"
        if let bursts = source.bursts {
            let about = bursts.lengths == .exponential ? "about " : ""
            words += ", \(about)\(bursts.on) on and \(about)\(bursts.off) off"
        }
        if source.from > .zero { words += ", from \(source.from)" }
        return words + (source.until.map { " to \($0)" } ?? "")
    }
}
