import Quantities

/// A series of a run as exports show it: a value for each of its moments.
struct SeriesTrack: Hashable, Sendable {
    enum Kind: String, Hashable, Sendable {
        case link, flow, session
    }

    enum Unit: String, Hashable, Sendable {
        case bytes, packets, seconds
        case bitsPerSecond = "bits/s"
    }

    var kind: Kind
    /// The name of the link, flow or session.
    var subject: String
    var name: String
    var unit: Unit
    /// The width of the steps; `nil` if a value holds until the next one.
    var step: TimeSpan?
    var points: [Point] = []

    struct Point: Hashable, Sendable {
        /// The beginning of the step.
        var at: Instant
        /// Nanoseconds, if the unit is seconds.
        var value: Int64
    }

    /// Returns a value of this series in its unit, exactly.
    func text(of value: Int64) -> String {
        unit == .seconds ? TimeSpan(nanoseconds: value).secondsText : "\(value)"
    }
}

extension RunSeries {
    /// All series, in a fixed order.
    var tracks: [SeriesTrack] {
        throughput.map(\.track) + (links ?? []).flatMap(\.tracks) + flowTracks + progressTracks
    }

    private var flowTracks: [SeriesTrack] {
        let flows = flows ?? []
        return flows.flatMap { flow in
            // A capture may reuse the number of a flow.
            let isOnlyOne = flows.count { $0.name == flow.name } == 1
            return flow.tracks(
                of: isOnlyOne ? flow.name : "\(flow.name) from \(flow.from)")
        }
    }

    private var progressTracks: [SeriesTrack] {
        let all = totalProgress.map { ("all sessions", $0) }
        return (progress.map { ("\($0.session)", $0.points) } + [all].compactMap(\.self))
            .map { subject, points in
                SeriesTrack(
                    kind: .session, subject: subject, name: "done", unit: .bytes,
                    points: points.map { .init(at: $0.at, value: Int64($0.done.bytes)) })
            }
    }
}

extension RunSeries.Throughput {
    fileprivate var track: SeriesTrack {
        SeriesTrack(
            kind: .link, subject: name, name: source.rawValue, unit: .bytes, step: bucket,
            points: bytes.enumerated().map { order, value in
                .init(at: .start + bucket * Int64(order), value: Int64(value))
            })
    }
}

extension RunSeries.Link {
    fileprivate var tracks: [SeriesTrack] {
        [
            track("dropped", .packets, dropped.map { Int64($0) }),
            track("queueing delay", .seconds, queueingDelay.map { $0?.nanoseconds }),
            track("on the link", .bytes, onLink.map { Int64($0.bytes) }),
        ]
    }

    private func track(
        _ what: String, _ unit: SeriesTrack.Unit, _ values: [Int64?]
    ) -> SeriesTrack {
        SeriesTrack(
            kind: .link, subject: name, name: what, unit: unit, step: step,
            points: SeriesTrack.points(values, from: .start, step: step))
    }
}

extension RunSeries.Flow {
    fileprivate func tracks(of subject: String) -> [SeriesTrack] {
        func track(
            _ name: String, _ unit: SeriesTrack.Unit, _ values: [Int64?]?
        ) -> SeriesTrack? {
            values.map {
                SeriesTrack(
                    kind: .flow, subject: subject, name: name, unit: unit, step: step,
                    points: SeriesTrack.points($0, from: from, step: step))
            }
        }
        func bytes(_ name: String, _ counts: [ByteCount?]?) -> SeriesTrack? {
            track(name, .bytes, counts?.map { $0.map { Int64($0.bytes) } })
        }
        return [
            bytes("in flight", inFlight), bytes("window", window),
            bytes("threshold", threshold),
            track(
                "pacing rate", .bitsPerSecond,
                pacingRate?.map { $0.map { Int64(clamping: $0.bitsPerSecond) } }),
            track("mean round trip", .seconds, roundTrip.map { $0?.nanoseconds }),
            track("longest round trip", .seconds, longestRoundTrip.map { $0?.nanoseconds }),
            bytes("sent", sent), bytes("acknowledged", acknowledged),
            bytes("retransmitted from", retransmitted),
        ].compactMap(\.self)
    }
}

extension SeriesTrack {
    /// Returns a point for each step that has a value.
    fileprivate static func points(
        _ values: [Int64?], from begin: Instant, step: TimeSpan
    ) -> [Point] {
        values.enumerated().compactMap { order, value in
            value.map { Point(at: begin + step * Int64(order), value: $0) }
        }
    }
}
