package import LinkModels
package import Protocols
package import Quantities

/// Flows of one kind that send as fast as they can: flows of others, or flows with a name, which a
/// scenario measures.
package struct FlowGroup: Hashable, Sendable {
    package var direction: CrossTraffic.Direction
    /// The number of flows, all of which begin together; with arrivals, the number of each arrival.
    package var count: Int
    package var controller: TCPSettings.Controller
    /// The rates of flows of the paced transport; `nil` for TCP.
    package var paced: PacedSettings?
    package var from: TimeSpan
    /// The length of each flow; `nil`: flows last until `until`, or as long as the run.
    package var length: ByteCount?
    package var interface: Int
    /// The name by which the flows are measured; `nil` for flows of others.
    package var name: String?
    /// When the flows stop writing, or with arrivals, when the last of them arrive.
    package var until: TimeSpan?
    /// How much further away their server is, each way.
    package var delay = TimeSpan.zero
    /// How flows go on to arrive; `nil`: all arrive at `from`.
    package var arrivals: Arrivals?

    /// The time from one arrival to the next.
    package struct Arrivals: Hashable, Sendable {
        package var gap: TimeSpan
        /// Exponential gaps, with `gap` on average, make a Poisson process.
        package var gaps: TrafficSource.Bursts.Lengths

        package init(gap: TimeSpan, gaps: TrafficSource.Bursts.Lengths) {
            self.gap = gap
            self.gaps = gaps
        }
    }

    package init(
        _ direction: CrossTraffic.Direction, count: Int,
        controller: TCPSettings.Controller = .cubic, from: TimeSpan = .zero,
        length: ByteCount? = nil, interface: Int = 0
    ) {
        self.interface = interface
        self.direction = direction
        self.count = count
        self.controller = controller
        self.from = from
        self.length = length
    }

    /// Describes one of the flows.
    package var sentence: String {
        let much = length.map { "\($0)" } ?? "as much as it gets through"
        let transport = paced?.sentence ?? "TCP with \(controller.rawValue)"
        var words = "\(transport), \(much)"
        if from > .zero { words += ", from \(from)" }
        words += until.map { from > .zero ? " to \($0)" : ", until \($0)" } ?? ""
        if let arrivals {
            let about = arrivals.gaps == .exponential ? "about " : ""
            words += ", one every \(about)\(arrivals.gap)"
        }
        return words + (delay > .zero ? ", with a server \(delay) further away" : "")
    }

    /// The ways from the run's links to the server of these flows and back, if it is further away.
    /// They are too fast for anything to wait.
    package var ways: [LinkPlan] {
        guard delay > .zero, let name else { return [] }
        return ["there", "back"].map { way in
            LinkPlan(
                name: "\(name)/way \(way)", filters: [], delay: delay,
                bottleneck: BottleneckPlan(
                    rate: Bitrate(bitsPerSecond: 1_000_000_000_000),
                    queue: .dropTail(limit: ByteCount(1 << 30))))
        }
    }
}

extension PacedSettings {
    /// Describes the transport and its rates.
    fileprivate var sentence: String {
        var words = "the paced transport with the policy \(policy.rawValue)"
        if target < Self.highestTarget { words += ", at most \(target)" }
        if minimum > Self.lowestMinimum { words += ", at least \(minimum)" }
        return words
    }
}
