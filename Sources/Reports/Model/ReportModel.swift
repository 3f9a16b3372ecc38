package import Checks
package import Quantities
package import RunLog

/// All that a report says about one run: `run.json` holds it, every other format is made from it.
///
/// Nothing in it depends on the machine or on the wall clock, so that a simulated run played twice
/// makes the same file twice.
package struct ReportModel: Hashable, Sendable, Codable {
    package var format: String
    package var beginning: RunBeginning
    package var digest: String
    /// The same of what happened alone, without what the plan says; said only of a matrix's cases.
    package var course: String?
    /// `nil` when the log breaks off before the run's end.
    package var ending: RunEnding?
    package var duration: TimeSpan
    package var judgement: Judgement
    package var verdicts: [Verdict]
    package var limitations: [Limitation]
    /// What is no failure, but hardly what somebody meant.
    package var hints: [String]?
    package var figures: Figures
    package var series: RunSeries
    package var timeline: Timeline
    package var events: EventExcerpt
    /// Those that lie beside the report, if any do.
    package var captureFiles: [CaptureFile]?

    /// A file with the packets of the run.
    package struct CaptureFile: Hashable, Sendable, Codable {
        package var name: String
        /// Where somebody would have stood to see them so.
        package var place: String

        package init(name: String, place: String) {
            self.name = name
            self.place = place
        }
    }

    /// The form of `run.json`; its first word tells a reader whether it can understand the rest.
    package static let currentFormat =
        "transferlab-run/1 (times in nanoseconds, sizes in bytes, rates in bits per second)"

    /// Something that the plan asked for and the world could not give.
    package struct Limitation: Hashable, Sendable, Codable {
        package var what: String
        package var remedy: String

        package init(what: String, remedy: String) {
            self.what = what
            self.remedy = remedy
        }
    }

    /// What a finished run amounts to.
    ///
    /// - Parameters:
    ///   - mustFail: The one rule that a canary scenario wants to see broken.
    ///   - event: Finds an event by its index in the log: a breach may point at one that the
    ///     bounded excerpt has left out.
    package init(
        _ collector: FigureCollector, verdicts: [Verdict], mustFail: String? = nil, digest: String,
        event: (Int) -> RunEvent? = { _ in nil }
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
        let names = beginning.names ?? RunNames()
        for verdict in verdicts {
            guard case .broken(let breach) = verdict.answer else { continue }
            if let missing = event(breach.event) {
                events.add(missing, index: breach.event, names)
            }
            timeline.addBreach(of: verdict.rule, breach)
        }
    }
}
