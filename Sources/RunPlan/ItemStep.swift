package import RunLog

/// What an app does with an item of its own.
package enum ItemStep: String, Hashable, Sendable, Codable {
    /// It enqueues a session, adds an operation, makes a task or starts a transfer.
    case begin
    case run, cancel, stop, pause, resume, remove, suspend, retry, terminate
}

extension ItemStep {
    /// No plan says so.
    func isNone(of facade: Facade) -> Never {
        preconditionFailure("an app cannot \(rawValue) a \(facade.rawValue)")
    }
}

extension Facade {
    /// What the API of this façade has an app do with an item, and nothing else.
    package var steps: [ItemStep] {
        switch self {
        case .queue: [.begin, .run, .cancel, .stop, .pause, .resume, .remove]
        case .operations: [.begin, .cancel, .retry]
        case .background: [.begin, .resume, .suspend, .cancel]
        case .bucket: [.begin, .resume, .suspend, .terminate]
        }
    }
}
