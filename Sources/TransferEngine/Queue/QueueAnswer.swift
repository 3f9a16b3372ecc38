/// The number of a request to the queue, within a launch of the app.
public struct RequestID: Hashable, Sendable, Codable, CustomStringConvertible {
    public let number: UInt64
    public init(_ number: UInt64) { self.number = number }
    public var description: String { "request \(number)" }
}

/// What came of a request to the queue. Each is answered once, unless the process ends before.
///
/// The answer comes when the store has it, so that a kill takes nothing back. If the store refuses
/// what is in effect already, as that a session is cancelled, the answer comes all the same, and
/// the engine goes on asking the store.
public enum QueueAnswer: Hashable, Sendable, Encodable {
    case done
    /// The session that was accepted or saved.
    case session(SessionID)
    /// The account that was saved.
    case account(AccountID)
    /// Nothing has changed.
    case refused(QueueRefusal)
}

/// The requests of the app that have no answer yet.
struct OpenRequests: Hashable, Sendable {
    /// The request that is being carried out.
    private var current: RequestID?
    private var waiting: [PersistTicket: Waiting] = [:]

    private struct Waiting: Hashable, Sendable {
        let request: RequestID
        let answer: QueueAnswer
    }

    mutating func begin(_ request: RequestID?) { current = request }

    /// Ends what is being carried out, with a refusal; `nil` if nobody waits for an answer.
    mutating func refuse(_ refusal: QueueRefusal) -> News? { end(with: .refused(refusal)) }

    /// Ends what is being carried out; `nil` if it was refused, or nobody waits for an answer.
    mutating func end(with answer: QueueAnswer) -> News? {
        defer { current = nil }
        return current.map { .answered($0, answer) }
    }

    /// Ends what is being carried out, with an answer that is given once the store has this change.
    mutating func wait(for ticket: PersistTicket, answering answer: QueueAnswer) {
        defer { current = nil }
        if let current { waiting[ticket] = Waiting(request: current, answer: answer) }
    }

    /// The store has kept a change; returns the answer that waited for it.
    mutating func kept(_ ticket: PersistTicket) -> News? {
        guard !waiting.isEmpty else { return nil }
        return waiting.removeValue(forKey: ticket).map { .answered($0.request, $0.answer) }
    }

    /// The store has refused a change, and the request that waited for it is being carried out
    /// again; returns its answer in case that nothing is refused.
    mutating func resume(_ ticket: PersistTicket) -> QueueAnswer? {
        guard let refused = waiting.removeValue(forKey: ticket) else { return nil }
        current = refused.request
        return refused.answer
    }
}

extension QueueMachine {
    /// Returns what a command that was not refused has made.
    func answer(to command: QueueCommand) -> QueueAnswer {
        switch command {
        case .enqueue, .insert, .save, .edit, .enqueueSaved:
            entering.last.map { .session($0.record.id) } ?? .done
        case .saveAccount(let account): accounts.id(of: account).map { .account($0) } ?? .done
        case .changeAccount(let id, _): .account(id)
        case .deleteSession, .deleteAccount, .move, .session, .change, .demarcate, .addPath, .start,
            .stop, .refuse, .heardOfSetAside:
            .done
        }
    }
}
