package import Checks
package import Quantities
package import RunLog

/// Everything that a report says about one run. `run.json` holds the model, and all formats are
/// made from it. It does not depend on the machine or the wall clock, so that the same simulated
/// run makes the same file.
package struct ReportModel: Hashable, Sendable, Codable {
    package var format: String
    package var beginning: RunBeginning
    package var program: ProgramVersion?
    /// `nil` if the run has no scenario.
    package var about: ScenarioAbout?
    package var digest: String
    /// The digest of the events without the seed, the plan and the packets, only for cases of a
    /// matrix and for scenarios with several seeds.
    package var course: String?
    /// The digest of the packets beside it.
    package var packetCourse: UInt64?
    /// How the run ended; `nil` if the log ends before the run does.
    package var ending: RunEnding?
    package var duration: TimeSpan
    package var judgement: Judgement
    package var verdicts: [Verdict]
    /// What led to each breach, in the order of the verdicts; `nil` if no rule failed.
    package var causes: [BreachCause]?
    package var limitations: [Limitation]
    /// Hints at something odd that is not a failure.
    package var hints: [String]?
    package var figures: Figures
    package var series: RunSeries
    package var timeline: Timeline
    package var events: EventExcerpt
    /// What the run's troubles have cost, if somebody has asked.
    package var delays: DelayTable?
    /// The capture files beside the report, if there are any.
    package var captureFiles: [CaptureFile]?

    package struct CaptureFile: Hashable, Sendable, Codable {
        package var name: String
        package var place: String

        package init(name: String, place: String) {
            self.name = name
            self.place = place
        }
    }

    /// The format of `run.json`; readers check its first word.
    package static let currentFormat =
        "transferlab-run/1 (times in nanoseconds, sizes in bytes, rates in bits per second)"

    /// A part of the plan that the world could not provide.
    package struct Limitation: Hashable, Sendable, Codable {
        package var what: String
        package var remedy: String
    }

    /// Makes the report of a finished run.
    ///
    /// - Parameters:
    ///   - mustFail: The check that must fail in a canary.
    ///   - reading: Reads the log again from its beginning, until the reader returns false: for the
    ///     causes of breaches, and for breaches at events that the excerpt has left out.
    package init(
        _ collector: FigureCollector, verdicts: [Verdict], mustFail: String? = nil, digest: String,
        reading: (_ reader: (RunEvent) -> Bool) -> Void = { _ in }
    ) {
        guard let beginning = collector.beginning else {
            preconditionFailure("a log of \(collector.eventCount) events tells of no beginning")
        }
        format = Self.currentFormat
        self.beginning = beginning
        self.digest = digest
        ending = collector.ending
        duration = collector.lastMoment.sinceStart
        judgement = Judgement(verdicts: verdicts, mustFail: mustFail, ending: ending)
        self.verdicts = verdicts
        limitations = collector.limitations
        figures = collector.figures()
        series = collector.series()
        timeline = collector.timeline()
        events = collector.excerpt()
        explainBreaches(reading)
    }

    /// Finds what led to each breach, and marks it in the timeline.
    private mutating func explainBreaches(_ reading: (_ reader: (RunEvent) -> Bool) -> Void) {
        let breaches = verdicts.ruleBreaches
        guard !breaches.isEmpty else { return }
        let names = beginning.names ?? RunNames()
        var books = breaches.map { CauseBook(of: $0.verdict, $0.breach, names) }
        var places = Set(breaches.map(\.breach.event))
        let last = places.max() ?? 0
        var index = 0
        reading { event in
            for place in books.indices { books[place].read(event, index: index) }
            if places.remove(index) != nil { events.add(event, index: index, names) }
            index += 1
            return index <= last
        }
        let causes = books.map(\.cause)
        self.causes = causes
        timeline.addBreaches(causes)
    }
}
