import RunLog

/// The answers to one app's requests (A26): each is answered once, with what the store has by then,
/// or with the reason why nothing has changed.
struct AnsweredRequests: Sendable {
    private var open: Set<UInt64> = []
    /// Accepted sessions and saved items, as far as they are known to be durable.
    private var sessions: Set<ItemName> = []
    private var accounts: Set<AccountName> = []
    /// What the queue has just refused.
    private var refusal: String?
    /// Whether the app's process is there and may run.
    private var isAtWork = false
    private(set) var evidence = Evidence<Clause>()

    mutating func read(_ event: RunEvent) throws(Slip) {
        switch event.fact {
        case .device(.appLaunched):
            (open, refusal, isAtWork) = ([], nil, true)
        case .device(.appKilled), .device(.appCrashed): isAtWork = false
        case .device(.appEntered(_, let stage, _)): isAtWork = stage != .suspended
        case .engine(.accepts(let session, _, _)) where session.facade == .queue:
            sessions.insert(session)
        case .queue(let fact): try read(fact)
        case .run(.ended):
            guard isAtWork, let request = open.min() else { return }
            throw Slip(
                expected: "request \(request) to be answered", seen: "the run ended without")
        default: break
        }
    }

    private mutating func read(_ fact: QueueFact) throws(Slip) {
        switch fact {
        case .requested(let request): open.insert(request)
        case .refused(let reason), .denied(let reason): refusal = reason
        case .answered(let request, let answer):
            guard open.remove(request) != nil else {
                throw Slip(expected: "answers to requests that have none", seen: fact.sentence)
            }
            try judge(answer, to: request)
            refusal = nil
        case .saved(.holds(let accounts, let sessions)):
            self.accounts.formUnion(accounts)
            self.sessions.formUnion(sessions)
        case .saved(.account(let account, _)): accounts.insert(account)
        case .saved(.session(let session, _, _)): sessions.insert(session)
        case .holds(let sessions): self.sessions.formUnion(sessions)
        default: break
        }
    }

    private mutating func judge(_ answer: AnswerFact, to request: UInt64) throws(Slip) {
        let isTrue: Bool
        switch answer {
        case .refused(let reason): isTrue = reason == refusal
        case .done: isTrue = refusal == nil
        case .session(let session): isTrue = refusal == nil && sessions.contains(session)
        case .account(let account): isTrue = refusal == nil && accounts.contains(account)
        }
        evidence.decides(.refusals, if: refusal != nil)
        if case .session = answer { evidence.decides(.names) }
        guard !isTrue else { return }
        let due =
            refusal.map { "request \(request) to be refused: \($0)" }
            ?? "request \(request) to be answered with what has come of it"
        throw Slip(expected: due, seen: "request \(request) \(answer.sentence)")
    }
}

extension AnsweredRequests {
    enum Clause: String, ClauseName {
        /// Decided by each refusal of a request.
        case refusals = "requests refused"
        /// Decided by each session that a request has made.
        case names = "requests answered"

        var sentence: String {
            switch self {
            case .refusals: "who asked for what is refused is told why (A26)"
            case .names: "who asked for a session is told its number, once it is durable (A26)"
            }
        }
    }
}
