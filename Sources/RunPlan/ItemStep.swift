package import RunLog

/// An action of an app on one of its items.
package enum ItemStep: String, Hashable, Sendable, Codable, CaseIterable {
    /// Enqueues a session, adds an operation, makes a task or starts a transfer.
    case begin
    /// Asks a background session for its tasks, and makes the task if none of them has its request.
    case beginUnlessListed
    /// Cancels the download of a task, so that another task can continue it.
    case putOff
    case run, cancel, stop, pause, resume, remove, suspend, retry, terminate
}

extension ItemStep {
    /// Traps, because no plan has such a step.
    func isNone(of facade: Facade) -> Never {
        preconditionFailure("an app cannot \(rawValue) a \(facade.rawValue)")
    }
}

extension Facade {
    /// The steps that the API of this façade has.
    package var steps: [ItemStep] {
        switch self {
        case .queue: [.begin, .run, .cancel, .stop, .pause, .resume, .remove]
        case .operations: [.begin, .cancel, .retry]
        case .background: [.begin, .resume, .suspend, .cancel, .putOff]
        case .bucket: [.begin, .resume, .suspend, .terminate]
        }
    }
}
