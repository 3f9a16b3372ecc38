package import Quantities

/// The run itself: its beginning, its limitations and its end.
package enum RunFact: Hashable, Sendable, Codable {
    indirect case began(RunBeginning)
    /// A part of the plan that this world cannot provide, with a way to get it.
    case limited(what: String, remedy: String)
    /// The condition of a timeline entry became true for the first time.
    case conditionMet(String)
    /// All faults are repaired, and everything must end by the deadline.
    case healing(name: String, deadline: Instant)
    case ended(RunEnding)

    // The names in `events.jsonl`, also of values without a label.
    private enum CodingKeys: CodingKey, CaseIterable {
        case began, limited, conditionMet, healing, ended
    }
    private enum BeganCodingKeys: String, CodingKey { case _0 = "beginning" }
    private enum ConditionMetCodingKeys: String, CodingKey { case _0 = "condition" }
    private enum EndedCodingKeys: String, CodingKey { case _0 = "ending" }

    package var sentence: String {
        switch self {
        case .began(let beginning):
            switch beginning.world {
            case .simulated, .live:
                "\(beginning.world) run of “\(beginning.scenario)” with seed \(beginning.seed)"
            case .served: "what clients do with \(beginning.scenario) is recorded"
            }
        case .limited(let what, let remedy): "\(what); \(remedy)"
        case .conditionMet(let condition): "it has come to “\(condition)”"
        case .healing(let name, let deadline):
            "\(name): what was broken is whole; everything has to end by \(deadline)"
        case .ended(let ending): "the run ended: \(ending.sentence)"
        }
    }
}

/// Everything needed to play a run again, in the first event of every log.
package struct RunBeginning: Hashable, Sendable, Codable {
    package enum World: String, Hashable, Sendable, Codable, CaseIterable {
        case simulated, live
        /// The recording of a server, whose clients followed no plan.
        case served
    }

    /// The name of the scenario, or the served folder.
    package var scenario: String
    package var world: World
    package var seed: UInt64
    /// The seed that shuffled simultaneous events; `nil` if they were not shuffled.
    package var ties: UInt64?
    /// The wall clock at the beginning, since 1970; set only for a recorded server.
    package var wallNanoseconds: UInt64?
    /// The text of the scenario's file, and its path.
    package var text: String
    package var path: String
    /// The included files; `nil` if there are none.
    package var parts: [IncludedPart]?
    /// The trace files that links follow; `nil` if there are none.
    package var traces: [IncludedTrace]?
    /// The case of a matrix, such as `controller=bbr`.
    package var variant: String?
    package var sentences: [String]
    /// The number of planned sessions, to distinguish a run without sessions from a run that
    /// accepted none.
    package var sessions: Int
    /// The number of apps, if there are several.
    package var apps: Int?
    /// The names of further apps and phones, if there are any.
    package var names: RunNames?
    package var command: String

    package init(
        scenario: String, world: World, seed: UInt64, ties: UInt64? = nil,
        wallNanoseconds: UInt64? = nil, text: String, path: String,
        parts: [IncludedPart] = [], traces: [IncludedTrace] = [], variant: String? = nil,
        sentences: [String],
        sessions: Int, apps: Int? = nil, names: RunNames? = nil, command: String
    ) {
        self.scenario = scenario
        self.world = world
        self.seed = seed
        self.ties = ties
        self.wallNanoseconds = wallNanoseconds
        self.text = text
        self.path = path
        self.parts = parts.isEmpty ? nil : parts
        self.traces = traces.isEmpty ? nil : traces
        self.variant = variant
        self.sentences = sentences
        self.sessions = sessions
        self.apps = apps
        self.names = names
        self.command = command
    }
}

/// An included file of a scenario with its text, so that a run can be played again without it.
package struct IncludedPart: Hashable, Sendable, Codable {
    package var path: String
    package var text: String

    package init(path: String, text: String) {
        self.path = path
        self.text = text
    }
}

/// A trace file that links follow, in short form, so that a run can be judged and played again
/// without the file.
package struct IncludedTrace: Hashable, Sendable, Codable {
    package enum Kind: String, Hashable, Sendable, Codable, CaseIterable {
        /// Chances to send 1500 bytes: milliseconds, each with the number of its chances.
        case chances
        /// Delays: nanoseconds, each with the delay from then on in nanoseconds. The last one ends
        /// the trace.
        case delays
    }

    package var kind: Kind
    package var path: String
    /// The steps by their distances, such as `5 1:3`; a value of 1 is left out.
    package var steps: StepSeries

    package init(kind: Kind, path: String, steps: StepSeries) {
        self.kind = kind
        self.path = path
        self.steps = steps
    }
}

package enum RunEnding: String, Hashable, Sendable, Codable, CaseIterable {
    /// No event, timer or timeline entry was left.
    case quiet
    case limit
    /// Events followed each other at one moment without an end, and the simulator gave up.
    case endless
    /// A live app's process ended although nothing killed it.
    case crashed
    case stopped

    package var sentence: String {
        switch self {
        case .quiet: "nothing was left to happen"
        case .limit: "the time limit was reached"
        case .endless: "time stood still, as one event followed another without an end"
        case .crashed: "the app's process ended by itself"
        case .stopped: "the server was ended"
        }
    }
}
