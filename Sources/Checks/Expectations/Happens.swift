import Quantities
import RunLog

/// `session 1 resumes once`, `the server answers 416 at most twice`: how often something happens.
///
/// It fails at the first time too many, and counts on to the end of the run: whether it was once
/// too many or a hundred times makes a difference to the search for the cause.
struct Happens: Expectation {
    let times: ExpectationPlan.Times
    var counter: HappeningCounter
    var watch = Watch()
    /// The first moments at which it happened.
    var moments: [Instant] = []

    private static let shown = 4

    var statement: String { counter.happening.words(times) }

    mutating func read(_ event: RunEvent) {
        if counter.read(event) {
            if moments.count < Self.shown { moments.append(event.at) }
            if watch.breach == nil, times.isExceeded(by: counter.count) { fall() }
        }
        guard watch.runHasEnded else { return }
        if !times.isMet(by: counter.count) {
            fall()
            watch.amend(seen: seen)
        }
        // “No task fails” says nothing of a run without tasks.
        guard case .any(let facade) = counter.happening.subject, counter.count == 0,
            !counter.isAccepted
        else { return }
        watch.fall(expected: statement, seen: "no \(facade.rawValue) was ever accepted")
    }

    private mutating func fall() { watch.fall(expected: statement, seen: seen) }

    /// How often it has happened so far, and when.
    private var seen: String {
        let happening = counter.happening
        if let item = happening.subject?.item, !counter.isAccepted {
            return "\(item) was never accepted"
        }
        let count = "\(happening.words) \(ExpectationPlan.Times.exactly(counter.count))"
        guard !moments.isEmpty else { return count }
        let more = counter.count > moments.count ? " and so on" : ""
        return "\(count), at \(moments.map { "\($0)" }.joined(separator: ", "))\(more)"
    }
}
