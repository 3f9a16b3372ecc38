import RunLog

/// Knows from the app's events whether it has anything left to do.
struct QuietWatch {
    private let plannedSessions: Int
    private var stages: [SessionName: SessionStage] = [:]
    private var refusals = 0
    private var activated: Set<SessionName> = []
    /// A queue that was not started yet in this launch has not said what it will do.
    private var isQueueStarted = false

    init(plannedSessions: Int) { self.plannedSessions = plannedSessions }

    mutating func appEnded() {
        isQueueStarted = false
        // The end cut their activations off.
        activated = []
    }

    mutating func read(_ event: RunEvent) {
        switch event.fact {
        case .queue(.started): isQueueStarted = true
        case .queue(.accepted(let session, _, _)): stages[session] = .waiting
        case .queue(.refused): refusals += 1
        case .queue(.callback(let session, .willActivate)): activated.insert(session)
        case .queue(.callback(let session, .didDeactivate)): activated.remove(session)
        case .engine(.session(let session, _, let stage, _)): stages[session] = stage
        default: break
        }
    }

    /// Every session of the plan has ended, and the app has been told of it.
    var isIdle: Bool {
        isQueueStarted && activated.isEmpty && stages.count + refusals >= plannedSessions
            && stages.values.allSatisfy(Self.isTerminal)
    }

    private static func isTerminal(_ stage: SessionStage) -> Bool {
        switch stage {
        case .completed, .failed: true
        case .waiting, .running, .retrying: false
        }
    }
}
