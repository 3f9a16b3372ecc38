/// The states of a background task, and what moves it (behaviour B, the state table).
///
///     suspended ──▶ running       resume
///     running ──▶ suspended       suspend
///     suspended, running ──▶ finished      cancel, force-quit
///     running ──▶ finished        done
///
/// A task that is running may wait: for a network, a delay, a pause between two attempts.
public enum TaskState: String, StateTable, Codable {
    case suspended, running, finished

    /// Events that can reach a task.
    public enum Event: Hashable, Sendable, Encodable, CaseIterable {
        case resume, suspend, cancel, appGone, forceQuit, reboot, done
    }

    /// Returns the state after an event, or throws the reason why nothing changes.
    ///
    /// Events that cannot reach a state are our own mistake, not the app's, and trap.
    package func after(_ event: Event) throws(TaskRefusal) -> TaskState {
        switch (self, event) {
        case (.suspended, .resume), (.running, .resume): return .running
        case (.suspended, .suspend), (.running, .suspend): return .suspended
        case (.suspended, .cancel), (.running, .cancel), (.finished, .cancel): return .finished
        case (.finished, .resume), (.finished, .suspend): throw .hasFinished

        // The daemon continues without the app, and after a restart (B5).
        case (.suspended, .appGone), (.running, .appGone), (.finished, .appGone): return self
        case (.suspended, .reboot), (.running, .reboot), (.finished, .reboot): return self
        case (_, .forceQuit): return .finished

        case (.running, .done): return .finished
        case (.suspended, .done), (.finished, .done):
            preconditionFailure("\(event) cannot reach a task that is \(self)")
        }
    }

    package func canSee(_ event: Event) -> Bool { self == .running || event != .done }
}

/// The state of an app when something happens to its task: a table without a machine, as the
/// daemon's reaction depends on both.
public enum TaskAppState: String, StateTable {
    case inFront, behind, suspended, dead

    /// Events that can happen to a task.
    public enum Event: Hashable, Sendable, CaseIterable {
        case create, resume, suspend, cancel, done
    }

    /// Whether the event is possible: a suspended or dead app asks for nothing.
    package func canSee(_ event: Event) -> Bool {
        switch self {
        case .inFront, .behind: true
        case .suspended, .dead: event == .done
        }
    }

    init?(_ stage: DaemonClientStage) {
        switch stage {
        case .inFront: self = .inFront
        case .behind: self = .behind
        case .suspended: self = .suspended
        case .dead: self = .dead
        case .thrownOut, .cleared: return nil
        }
    }
}

/// Why a background session refuses a command. Nothing changes.
public enum TaskRefusal: Error, Hashable, Sendable, Codable {
    case hasFinished
    /// Nothing is kept of a task once its app was told of its end.
    case noSuchTask(UInt64)
    /// A task with this number exists.
    case numberIsTaken(UInt64)
    case numberTooLarge(UInt64)
    /// The task's body is in the app's memory only.
    case notFromFile(UInt64)
    case sessionIsLive(String)
    /// The session ends, and takes no more tasks.
    case sessionEnds(String)
    case noMethod(String)
    /// An upload by a method whose requests have no body.
    case methodWithoutBody(String)
    case noField(String)
    /// The system sets the field itself.
    case reservedField(String)
    case noSuchSession(String)
    case accountWithoutHost
    case sourceOutsideContainer(String)
    case destinationOutsideDocroot(String)

    public var message: String {
        switch self {
        case .hasFinished: "the task has finished: make a new one"
        case .noSuchTask(let number):
            "there is no task \(number): nothing is kept of one whose end the app was told; make a "
                + "new one"
        case .numberIsTaken(let number):
            "there is a task \(number) already: give the new one another number"
        case .numberTooLarge(let number): TransferID.words(tooLarge: number)
        case .notFromFile(let number):
            "task \(number) would upload what is in memory: write it into a file first"
        case .sessionIsLive(let name): "there is a session “\(name)” already: use that one"
        case .noSuchSession(let name):
            "there is no session “\(name)”: make it before its tasks"
        case .sessionEnds(let name):
            "the session “\(name)” is ending: make a new one once it has become invalid"
        case .noMethod(let method): "“\(method)” is no HTTP method: use one word such as POST"
        case .methodWithoutBody(let method):
            "a request by \(method) has no body: upload by PUT or POST"
        case .noField(let name):
            "“\(name)” and its value are no header field: use a name without spaces, and one line"
        case .reservedField(let name):
            "the system sets the field “\(name)” itself: leave it out, or give the account "
                + "credentials"
        case .accountWithoutHost: "the request has no host: use an absolute URL"
        case .sourceOutsideContainer(let path):
            "the file “\(path)” is not a path inside the app's container"
        case .destinationOutsideDocroot(let path):
            "the path “\(path)” leaves the docroot; use a path relative to it"
        }
    }
}
