/// The states of a resumable transfer, and what moves it (behaviour K, the state table).
///
///     fresh ──▶ ongoing ──▶ completed
///                │  ▲  └──▶ terminated, failed
///                ▼  │ transfer
///              suspended ──▶ terminated, failed
///
/// The app sees three of them: an ongoing one, a suspended one, and no entry at all (K1).
public enum EntryState: String, StateTable, Codable {
    /// Nothing has been asked of it yet.
    case fresh
    case ongoing, suspended
    /// Its life has ended.
    case completed, terminated, failed

    /// What can reach it.
    public enum Event: Hashable, Sendable, Encodable, CaseIterable {
        /// The app starts it, or goes on with it.
        case transfer
        case suspend, terminate
        case complete
        case recoverableError, otherError
        /// The home or lock button of a system that suspends transfers then (K4).
        case leavesFront
        case processDeath
    }

    package enum Effect: Hashable, Sendable {
        case goes(to: EntryState)
        case nothing
        /// A typed error, and no change.
        case refused(KiiError)
    }

    /// What an event does to a transfer in this state.
    ///
    /// Events that a state cannot see are our own mistake, not the caller's, and trap.
    package func after(_ event: Event) -> Effect {
        guard let effect = effect(of: event) else {
            preconditionFailure("\(event) cannot reach a transfer that is \(self)")
        }
        return effect
    }

    package func canSee(_ event: Event) -> Bool { effect(of: event) != nil }

    private func effect(of event: Event) -> Effect? {
        switch self {
        case .fresh:
            switch event {
            case .transfer: .goes(to: .ongoing)
            case .suspend: .refused(.cannotSuspend)
            case .terminate: .refused(.cannotTerminate)
            // Nobody knows of it but the app.
            case .complete, .recoverableError, .otherError, .leavesFront, .processDeath: nil
            }
        case .ongoing:
            switch event {
            case .transfer: .refused(.alreadyStarted)
            case .suspend, .recoverableError, .leavesFront, .processDeath: .goes(to: .suspended)
            case .terminate: .goes(to: .terminated)
            case .complete: .goes(to: .completed)
            case .otherError: .goes(to: .failed)
            }
        case .suspended:
            switch event {
            case .transfer: .goes(to: .ongoing)
            case .suspend: .refused(.cannotSuspend)
            case .terminate: .goes(to: .terminated)
            case .leavesFront, .processDeath: .nothing
            // Nothing is done for it that could fail.
            case .complete, .recoverableError, .otherError: nil
            }
        case .completed, .terminated, .failed:
            switch event {
            case .transfer: .refused(self == .completed ? .alreadyCompleted : .terminated)
            case .suspend: .refused(.cannotSuspend)
            case .terminate: .refused(.cannotTerminate)
            case .leavesFront: .nothing
            // Nothing is kept of it that a launch could find.
            case .complete, .recoverableError, .otherError, .processDeath: nil
            }
        }
    }

    public var status: ResumableTransferStatus {
        switch self {
        case .ongoing: .ongoing
        case .suspended: .suspended
        case .fresh, .completed, .terminated, .failed: .noEntry
        }
    }
}

/// What the app sees of a transfer's state.
public enum ResumableTransferStatus: String, Hashable, Sendable, CaseIterable {
    case noEntry = "NOENTRY"
    case ongoing = "ONGOING"
    case suspended = "SUSPENDED"
}
