import Quantities

/// How an offset grows, in at most so many points: when they become too many, every second one
/// goes.
struct CurveBook: Sendable {
    static let limit = 600

    private var kept: [RunSeries.Progress.Point] = []
    /// The newest point, while it is not among those kept.
    private var newest: RunSeries.Progress.Point?
    private var stride = 1
    private var skipped = 0

    var isEmpty: Bool { kept.isEmpty }

    var points: [RunSeries.Progress.Point] { kept + [newest].compactMap(\.self) }

    mutating func add(_ done: ByteCount, at now: Instant) {
        let point = RunSeries.Progress.Point(at: now, done: done)
        let previous = newest ?? kept.last
        skipped += 1
        // A step back is what the curve is looked at for: both its ends stay.
        if let previous, done < previous.done {
            if newest != nil { keep(previous) }
            keep(point)
        } else if skipped >= stride {
            keep(point)
        } else {
            newest = point
        }
    }

    private mutating func keep(_ point: RunSeries.Progress.Point) {
        newest = nil
        skipped = 0
        kept.append(point)
        guard kept.count >= Self.limit else { return }
        kept = kept.enumerated().filter { $0.offset.isMultiple(of: 2) }.map(\.element)
        stride *= 2
    }
}
