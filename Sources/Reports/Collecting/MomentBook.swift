import Quantities
import RunLog

/// The turning points of a run. Of a long run, dense ones of a kind are merged, and the weightiest
/// are chosen from each stretch of time.
struct MomentBook: Sendable {
    /// The number of moments that a report shows, and the number from which on dense ones are
    /// merged.
    static let limit = 60
    static let denseFrom = 24
    /// The number of moments in memory; when there are more, those of a kind that are near to each
    /// other are merged.
    private static let kept = 2_000
    /// The number of stretches of time from which moments are chosen in turn.
    private static let stretches = 20

    private var moments: [Timeline.Moment] = []
    private var width = TimeSpan.milliseconds(100)

    mutating func read(_ event: RunEvent, index: Int, _ names: RunNames) {
        guard let kind = Self.kind(of: event.fact) else { return }
        moments.append(
            .init(at: event.at, event: index, kind: kind, sentence: event.sentence(names)))
        while moments.count > Self.kept {
            moments = Self.merged(moments, within: width)
            width = width * 2
        }
    }

    /// Returns the moments to show in order of time, and the number of events left out.
    func chosen(until end: Instant) -> (moments: [Timeline.Moment], leftOut: Int) {
        guard moments.count > Self.denseFrom else { return (moments, 0) }
        let near = TimeSpan(nanoseconds: end.sinceStart.nanoseconds / 80)
        let dense = Self.merged(moments, within: near)
        let chosen = Self.chosen(from: dense, until: end)
        let all = dense.reduce(0) { $0 + ($1.count ?? 1) }
        return (chosen, all - chosen.reduce(0) { $0 + ($1.count ?? 1) })
    }

    /// Returns the moments in which those of a kind that begin within a time are one.
    private static func merged(
        _ moments: [Timeline.Moment], within time: TimeSpan
    ) -> [Timeline.Moment] {
        var merged: [Timeline.Moment] = []
        var latest: [Timeline.Moment.Kind: Int] = [:]
        for moment in moments {
            if let place = latest[moment.kind], moment.at - merged[place].at < time {
                merged[place].count = (merged[place].count ?? 1) + (moment.count ?? 1)
                merged[place].until = moment.until ?? moment.at
            } else {
                latest[moment.kind] = merged.count
                merged.append(moment)
            }
        }
        return merged
    }

    /// Takes the weightiest moment of each stretch of time in turn, until there are enough.
    private static func chosen(
        from moments: [Timeline.Moment], until end: Instant
    ) -> [Timeline.Moment] {
        guard moments.count > limit else { return moments }
        let length = max(1, end.sinceStart.nanoseconds)
        var places = Array(repeating: [Int](), count: stretches + 1)
        for (place, moment) in moments.enumerated() {
            let share = Double(moment.at.sinceStart.nanoseconds) / Double(length)
            places[Int(share * Double(stretches))].append(place)
        }
        for stretch in places.indices {
            places[stretch].sort { ($1.weight(in: moments), $0) < ($0.weight(in: moments), $1) }
        }
        var chosen: [Int] = []
        var turn = 0
        while chosen.count < limit {
            let round = places.compactMap { turn < $0.count ? $0[turn] : nil }
            let weighty = round.sorted {
                ($1.weight(in: moments), $0) < ($0.weight(in: moments), $1)
            }
            chosen += weighty.prefix(limit - chosen.count)
            turn += 1
        }
        return chosen.sorted().map { moments[$0] }
    }

    private static func kind(of fact: RunEvent.Fact) -> Timeline.Moment.Kind? {
        switch fact {
        case .device(.appKilled): .killed
        // The first launch is not a turning point.
        case .device(.appLaunched(let launch, _)): launch > 1 ? .launched : nil
        case .engine(.resumes): .resumed
        case .engine(.startsOver): .startedOver
        case .engine(.fails), .store(.failed), .store(.setAside), .daemon(.store(.failed, _)),
            .daemon(.store(.setAside, _)), .device(.appCrashed):
            .failed
        // The engine asks whether an object is there, and may hear that it is not.
        case .server(.refused("HEAD", _, 404, _)): nil
        case .queue(.refused), .server(.refused), .file(.kept): .refused
        case .server(.published): .published
        case .server(.fault): .fault
        case .connection(.ended(_, let why, _)):
            switch why {
            case .refused, .reset, .timedOut, .networkLost, .notFound, .untrusted: .lost
            // The kill or the interruption is already shown, or the end was normal.
            case .closed, .processDied, .aborted: nil
            }
        default: nil
        }
    }
}

extension Int {
    /// Returns the weight of the moment at this place: how much it says about what went wrong.
    fileprivate func weight(in moments: [Timeline.Moment]) -> Int { moments[self].kind.weight }
}

extension Timeline.Moment.Kind {
    fileprivate var weight: Int {
        switch self {
        case .breach: 5
        case .killed, .failed, .startedOver: 4
        case .fault, .lost: 3
        case .launched, .resumed, .refused: 2
        case .published: 1
        }
    }
}
