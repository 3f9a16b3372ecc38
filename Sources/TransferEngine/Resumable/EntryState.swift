/// The states of a resumable transfer, and what moves it (behaviour K, the state table).
///
///     fresh ──▶ ongoing ──▶ completed
///                │  ▲  └──▶ terminated, failed
///                ▼  │ transfer
///              suspended ──▶ terminated, failed
///
/// The app sees three of them: an ongoing one, a suspended one, and no entry at all (K1).
public enum EntryState: String, EffectTable, Codable {
    /// The transfer has not started.
    case fresh
    case ongoing, suspended
    /// The transfer has ended.
    case completed, terminated, failed

    /// Events that can reach a transfer.
    public enum Event: Hashable, Sendable, Encodable, CaseIterable {
        /// The app starts or continues the transfer.
        case transfer
        case suspend, terminate
        case complete
        case recoverableError, otherError
        /// The home or lock button on a system that then suspends transfers (K4).
        case leavesFront
        case processDeath
    }

    package enum Effect: Hashable, Sendable {
        case goes(to: EntryState)
        case nothing
        /// A typed error; nothing changes.
        case refused(KiiError)
    }

    package func effect(of event: Event) -> Effect? {
        switch self {
        case .fresh:
            switch event {
            case .transfer: .goes(to: .ongoing)
            case .suspend: .refused(.cannotSuspend)
            case .terminate: .refused(.cannotTerminate)
            // Only the app knows it.
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
            // Nothing is stored that a launch could find.
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

/// The app's view of a transfer's state.
public enum ResumableTransferStatus: String, Hashable, Sendable, CaseIterable {
    case noEntry = "NOENTRY"
    case ongoing = "ONGOING"
    case suspended = "SUSPENDED"
}
