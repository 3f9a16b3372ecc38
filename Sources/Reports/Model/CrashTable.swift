package import Quantities
import RunLog

/// The outcomes of crashes at all points of a scenario: a row for each point.
package struct CrashTable: Hashable, Sendable, Codable {
    package var scenario: String
    package var path: String
    package var seed: UInt64
    /// The judgement without a crash; if it is red, the crashes show nothing.
    package var reference: Judgement
    package var rows: [Row] = []
    /// How often the runs with a crash decided each clause of the invariants.
    package var evidence = ClauseTally()

    package struct Row: Hashable, Sendable, Codable {
        /// The point's number from 1, for `--point`.
        package var number: Int
        package var how: Crash
        package var point: Point
        package var outcome: Outcome
        package var judgement: Judgement
        package var breaches: [RuleBreach]
        package var command: String

        package init(
            number: Int, how: Crash, point: Point, outcome: Outcome, judgement: Judgement,
            breaches: [RuleBreach], command: String
        ) {
            self.number = number
            self.how = how
            self.point = point
            self.outcome = outcome
            self.judgement = judgement
            self.breaches = breaches
            self.command = command
        }
    }

    package enum Crash: String, Hashable, Sendable, Codable, CaseIterable {
        case appKilled = "the app is killed"
        case powerLost = "the power is lost"
    }

    package enum Point: Hashable, Sendable, Codable {
        /// At this event or right after it.
        case event(at: Instant, sentence: String, isAfter: Bool)
        /// Instead of this write to a store, counted from 1.
        case write(UInt64)

        private enum CodingKeys: String, CodingKey, CaseIterable { case event, write }

        package var words: String {
            switch self {
            case .event(let at, let sentence, let isAfter):
                "\(at), \(isAfter ? "right after" : "as"): \(sentence)"
            case .write(let number): "instead of write \(number) of a store"
            }
        }
    }

    /// The worst outcome of the crash for any transfer.
    package enum Outcome: String, Hashable, Sendable, Codable, CaseIterable {
        case unharmed
        /// The transfer continued where the server was.
        case resumed
        /// The transfer began at byte 0 although some bytes had been moved before.
        case restarted
        /// A transfer has not ended and will not end by itself.
        case needsTheUser = "needs the user"
    }

    package init(scenario: String, path: String, seed: UInt64, reference: Judgement) {
        self.scenario = scenario
        self.path = path
        self.seed = seed
        self.reference = reference
    }

    package var isGreen: Bool { reference.isGreen && rows.allSatisfy(\.judgement.isGreen) }

    package var red: [Row] { rows.filter { !$0.judgement.isGreen } }

    package func count(_ how: Crash, _ outcome: Outcome) -> Int {
        rows.count { $0.how == how && $0.outcome == outcome }
    }
}

extension CrashTable.Outcome {
    /// Finds the outcome from the figures of a run without and with the crash.
    package init(_ reference: Figures, _ crashed: Figures) {
        var worst = Self.unharmed
        for item in reference.sessions {
            let now = crashed.sessions.first { $0.session == item.session }
            worst = max(worst, Self(item, now))
        }
        self = worst
    }

    private init(_ before: SessionFigures, _ now: SessionFigures?) {
        guard let now else {
            self = .needsTheUser
            return
        }
        let isLost =
            before.outcome == .completed && now.outcome != .completed
            || before.paths?.arrived ?? 0 > now.paths?.arrived ?? 0
        self =
            if isLost {
                .needsTheUser
            } else if now.startsOver > before.startsOver {
                .restarted
            } else if now.resumes > before.resumes {
                .resumed
            } else if now.attempts > before.attempts, now.sentAgain > before.sentAgain {
                .restarted
            } else {
                .unharmed
            }
    }
}

extension CrashTable.Outcome: Comparable {
    package static func < (left: Self, right: Self) -> Bool { left.severity < right.severity }

    private var severity: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}
