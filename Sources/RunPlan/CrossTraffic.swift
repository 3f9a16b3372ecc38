package import LinkModels
package import Quantities

/// Traffic of others on the run's links.
package struct CrossTraffic: Hashable, Sendable {
    package var streams: [Stream]
    package var competitions: [Competition]

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

    /// TCP flows of others, which send as fast as they can.
    package struct Competition: Hashable, Sendable {
        package var direction: Direction
        package var flows: Int
        package var controller: TCPSettings.Controller
        package var from: TimeSpan
        /// The length of each flow; `nil`: flows last as long as the run.
        package var length: ByteCount?
        package var interface: Int

        package init(
            _ direction: Direction, flows: Int, controller: TCPSettings.Controller = .cubic,
            from: TimeSpan = .zero, length: ByteCount? = nil, interface: Int = 0
        ) {
            self.interface = interface
            self.direction = direction
            self.flows = flows
            self.controller = controller
            self.from = from
            self.length = length
        }
    }

    package init(streams: [Stream] = [], competitions: [Competition] = []) {
        self.streams = streams
        self.competitions = competitions
    }

    package var isEmpty: Bool { streams.isEmpty && competitions.isEmpty }
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

extension CrossTraffic.Competition {
    /// Describes one of the flows.
    package var sentence: String {
        let much = length.map { "\($0)" } ?? "as much as it gets through"
        return "TCP with \(controller.rawValue), \(much)"
            + (from > .zero ? ", from \(from)" : "")
    }
}
