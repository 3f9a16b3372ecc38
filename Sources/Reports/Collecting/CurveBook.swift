import Quantities

/// The growth of an offset, in a limited number of points: if there are too many, every second
/// point is dropped.
struct CurveBook: Sendable {
    static let limit = 600

    private var kept: [RunSeries.Progress.Point] = []
    /// The newest point, if it is not kept yet.
    private var newest: RunSeries.Progress.Point?
    private var stride = 1
    private var skipped = 0

    var isEmpty: Bool { kept.isEmpty }

    var points: [RunSeries.Progress.Point] { kept + [newest].compactMap(\.self) }

    mutating func add(_ done: ByteCount, at now: Instant) {
        let point = RunSeries.Progress.Point(at: now, done: done)
        let previous = newest ?? kept.last
        skipped += 1
        // A step back is what the curve must show, so both of its ends are kept.
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
