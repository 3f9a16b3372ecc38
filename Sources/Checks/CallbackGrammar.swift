import RunLog

/// The grammar of one session's callbacks in one launch of the app (behaviour A1, A2).
///
///     idle ──▶ activating ──▶ active ──▶ deactivating ──▶ idle
///                             │    ▲
///            willStartRunning │    │ didStopRunning
///                             ▼    │
///                           starting ──▶ running ──▶ stopping ──▶ active
/// Each arrow is the callback beside it; *starting* goes straight back to *active* when connecting
/// or authenticating fails (A2). Files start, progress and stop inside *running*: one after the
/// other, or several at once in a persistent session that can accept paths (P2, P6).
enum CallbackGrammar: Hashable, Sendable {
    case idle
    case activating
    case active
    case starting
    case running(Attempt)
    case stopping
    case deactivating

    /// The files that one attempt is moving. S5 judges their progress.
    struct Attempt: Hashable, Sendable {
        /// The open files; a file may go to two places at once.
        var open: [String] = []
        var kind = Kind.ordinary

        enum Kind: Hashable, Sendable { case ordinary, persistent, acceptingPaths }
    }

    func after(
        _ callback: SessionCallback, isPersistent: Bool = false
    ) throws(NotAllowed) -> CallbackGrammar {
        switch (self, callback) {
        // Changes of the table's rows are independent of activations.
        case (_, .row): return self
        case (.idle, .willActivate): return .activating
        case (.activating, .didActivate): return .active
        case (.active, .willStartRunning): return .starting
        case (.active, .willDeactivate): return .deactivating
        case (.starting, .didStartRunning):
            return .running(Attempt(kind: isPersistent ? .persistent : .ordinary))
        case (.starting, .didStopRunning): return .active
        case (.stopping, .didStopRunning): return .active
        case (.deactivating, .didDeactivate): return .idle

        case (.running(var attempt), .canAcceptPaths) where attempt.kind == .persistent:
            attempt.kind = .acceptingPaths
            return .running(attempt)
        case (.running(var attempt), .didStartFile(let name)) where attempt.canStartFile:
            attempt.open.append(name)
            return .running(attempt)
        case (.running(let attempt), .progress(let name, _, _, _))
        where attempt.open.contains(name):
            return self
        case (.running(var attempt), .didStopFile(let name)):
            guard let place = attempt.open.firstIndex(of: name) else {
                throw NotAllowed(expected: expected)
            }
            attempt.open.remove(at: place)
            return .running(attempt)
        case (.running(let attempt), .willStopRunning)
        where attempt.open.isEmpty && attempt.kind != .persistent:
            return .stopping

        case (.idle, _), (.activating, _), (.active, _), (.starting, _), (.running, _),
            (.stopping, _), (.deactivating, _):
            throw NotAllowed(expected: expected)
        }
    }

    private var expected: String {
        switch self {
        case .idle: "will activate"
        case .activating: "did activate"
        case .active: "will start running, or will deactivate"
        case .starting: "did start running, or did stop running"
        case .running(let attempt): attempt.expected
        case .stopping: "did stop running"
        case .deactivating: "did deactivate"
        }
    }
}

extension CallbackGrammar.Attempt {
    fileprivate var canStartFile: Bool {
        switch kind {
        case .ordinary: open.isEmpty
        case .persistent: false
        case .acceptingPaths: true
        }
    }

    fileprivate var expected: String {
        switch (kind, open.isEmpty) {
        case (.persistent, _): "can accept paths"
        case (_, true): "the start of a file, or will stop running"
        case (.ordinary, false): "progress or the stop of \(open[0])"
        case (.acceptingPaths, false):
            "the start of a file, or progress or the stop of a file under way"
        }
    }
}
