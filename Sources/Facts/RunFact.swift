package import Quantities

/// The run itself: what is being played, what it could not do, and how it ended.
package enum RunFact: Hashable, Sendable, Codable {
    case began(RunBeginning)
    /// Something the plan asked for and this world could not give, with the way to get it.
    case limited(what: String, remedy: String)
    /// What an entry of the timeline waited for has come true, for the first time.
    case conditionMet(String)
    /// The chaos is over and what was broken is whole: everything has to end by the deadline.
    case healing(name: String, deadline: Instant)
    case ended(RunEnding)

    // The names that values without a label have in `events.jsonl`.
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

/// All that is needed to play a run again: it stands in the first event of every log.
package struct RunBeginning: Hashable, Sendable, Codable {
    package enum World: String, Hashable, Sendable, Codable {
        case simulated, live
        /// A server that stands alone was recorded: nobody planned what its clients did.
        case served
    }

    /// Or the folder that was served.
    package var scenario: String
    package var world: World
    package var seed: UInt64
    /// Said only if events of one moment changed places, by this seed.
    package var ties: UInt64?
    /// What the wall clock showed at the beginning, since 1970; said only of what was served.
    package var wallNanoseconds: UInt64?
    /// The scenario's file as it was read, and where it stood.
    package var text: String
    package var path: String
    /// What that file includes; said only if it includes something.
    package var parts: [IncludedPart]?
    /// Which of a matrix's cases it is, such as `controller=bbr`; said only of such.
    package var variant: String?
    /// The plan in plain sentences.
    package var sentences: [String]
    /// How many sessions the app was to add to its queue: without it nobody could tell a run in
    /// which none was accepted from one that had none.
    package var sessions: Int
    /// Said only of several.
    package var apps: Int?
    /// What those beside the first app and the first phone are called; said only if there are such.
    package var names: RunNames?
    /// The one command that plays this run again.
    package var command: String

    package init(
        scenario: String, world: World, seed: UInt64, ties: UInt64? = nil,
        wallNanoseconds: UInt64? = nil, text: String, path: String,
        parts: [IncludedPart] = [], variant: String? = nil, sentences: [String],
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
        self.variant = variant
        self.sentences = sentences
        self.sessions = sessions
        self.apps = apps
        self.names = names
        self.command = command
    }
}

/// A file that a scenario includes, as it was read: a run can be played again without it.
package struct IncludedPart: Hashable, Sendable, Codable {
    package var path: String
    package var text: String

    package init(path: String, text: String) {
        self.path = path
        self.text = text
    }
}

/// Why a run came to its end.
package enum RunEnding: String, Hashable, Sendable, Codable {
    /// Nothing was left to happen: no event, no timer, the timeline played out.
    case quiet
    /// The scenario's time limit came first.
    case limit
    /// The app's process ended although nothing killed it.
    case crashed
    /// Somebody ended the server that was recorded.
    case stopped

    package var sentence: String {
        switch self {
        case .quiet: "nothing was left to happen"
        case .limit: "the time limit was reached"
        case .crashed: "the app's process ended by itself"
        case .stopped: "the server was ended"
        }
    }
}
