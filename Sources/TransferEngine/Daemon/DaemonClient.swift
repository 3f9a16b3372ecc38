import Quantities

/// The daemon's view of an app.
struct DaemonClient: Hashable, Sendable {
    let app: UInt16
    private(set) var stage = DaemonClientStage.dead
    /// Identifiers of the app's live sessions (B1).
    private(set) var attached: [String] = []
    /// Sessions that end once their tasks have.
    private var ending: [String] = []
    /// Sessions for whose events the app was woken, and of which it has not heard everything.
    private var owed: [String] = []
    /// Owed sessions whose waiting events were announced to the app.
    private var announced: [String] = []
    /// The delay of a task that is made in the background (B11).
    private(set) var delay = BackgroundDelay.first
    /// Whether the system was asked to run the app, and has yet to do so.
    private var isAwaited = false
    /// How often the app's data was cleared.
    private(set) var installation: UInt32 = 0
    /// What the app has told of its credentials.
    var credentials = CredentialKeeper()
    /// Credentials that the app's process was asked for.
    private var requested: Set<CredentialHandle> = []
    /// Credentials for which the app was woken.
    private var wokenFor: Set<CredentialHandle> = []
    /// Whether the app's process was told that tasks are lost.
    private(set) var knowsOfLoss = false

    init(app: UInt16) { self.app = app }

    mutating func restore(installation: UInt32) { self.installation = installation }

    mutating func restore(delay: TimeSpan) { self.delay = delay }

    // MARK: The app's life

    mutating func attach(_ session: String) { attached.append(session) }

    mutating func end(_ session: String) {
        if attached.contains(session), !ending.contains(session) { ending.append(session) }
    }

    var endsSessions: Bool { !ending.isEmpty }

    /// Detaches the ending sessions without a task; returns them.
    mutating func detach(besides busy: [String]) -> [String] {
        let ended = ending.filter { !busy.contains($0) }
        ending.removeAll(where: ended.contains)
        attached.removeAll(where: ended.contains)
        owed.removeAll(where: ended.contains)
        announced.removeAll(where: ended.contains)
        return ended
    }

    /// Enters a stage; returns whether the app runs because the system was asked to run it.
    mutating func enter(_ stage: DaemonClientStage) -> Bool {
        let wasInFront = self.stage == .inFront
        self.stage = stage
        switch stage {
        case .inFront:
            // No handler is called for an app that the user has in front.
            owed = announced
            isAwaited = false
        case .behind:
            guard isAwaited, !wasInFront else { return false }
            isAwaited = false
            return true
        case .suspended: break
        case .dead, .thrownOut: forgetProcess()
        case .cleared:
            forgetProcess()
            installation += 1
        }
        return false
    }

    private mutating func forgetProcess() {
        attached = []
        ending = []
        owed = []
        announced = []
        requested = []
        knowsOfLoss = false
    }

    /// Changes the delay; returns what the store has to keep, if it is another one.
    mutating func change(_ delay: TimeSpan) -> BackgroundDelay? {
        guard self.delay != delay else { return nil }
        self.delay = delay
        return BackgroundDelay(of: app, delay)
    }

    // MARK: What the app hears

    mutating func learnOfLoss() { knowsOfLoss = true }

    /// The system is asked to run the app for events of these sessions.
    mutating func wake(for sessions: [String]) {
        for session in sessions where !owed.contains(session) { owed.append(session) }
        isAwaited = true
    }

    /// Returns the sessions of which the app now hears that events wait.
    mutating func announce() -> [String] {
        let news = owed.filter { !announced.contains($0) }
        announced += news
        return news
    }

    /// Asks the app's process for a credential; returns whether it was not asked before.
    mutating func request(_ handle: CredentialHandle) -> Bool { requested.insert(handle).inserted }

    /// Notes that the app is woken for a credential; returns whether it was not before.
    mutating func wakes(for handle: CredentialHandle) -> Bool { wokenFor.insert(handle).inserted }

    mutating func brought(_ handle: CredentialHandle) {
        requested.remove(handle)
        wokenFor.remove(handle)
    }

    /// Returns the sessions of which the app has now heard everything.
    mutating func endEvents(besides waiting: [String]) -> [String] {
        let ended = owed.filter { attached.contains($0) && !waiting.contains($0) }
        owed.removeAll(where: ended.contains)
        announced.removeAll(where: ended.contains)
        return ended
    }

    var hears: Bool {
        switch stage {
        case .inFront, .behind: true
        case .suspended, .dead, .thrownOut, .cleared: false
        }
    }
}
