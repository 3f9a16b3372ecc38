/// The transfer queue as the app sees it.
package enum QueueFact: Hashable, Sendable, Codable {
    /// The sessions that a launch finds in its queue, in order.
    case holds([ItemName])
    case started
    /// The queue stopped, and no session is active any more.
    case stopped
    /// The app made a request about a session, and the queue carries it out.
    case asked(ItemName, SessionWish)
    case reordered(ItemName, from: Int, to: Int)
    case pathAdded(ItemName, AcceptedTransfer)
    /// The queue refused a session with this error.
    case refused(reason: String)
    /// The queue refused a request with this error, and nothing changed.
    case denied(reason: String)
    case callback(ItemName, SessionCallback)
    /// The app makes a request of this number, to which there will be an answer.
    case requested(UInt64)
    case answered(request: UInt64, AnswerFact)
    /// Accounts, and sessions that the app saved explicitly.
    case saved(SavedFact)
    /// The app lets its queue ask for time in the background, or does not.
    case demarcates(Bool)
    /// The app is told that its damaged store was set aside under this name.
    case storeWasSetAside(as: String)

    // The names in `events.jsonl`, also of values without a label.
    private enum CodingKeys: CodingKey, CaseIterable {
        case holds, started, stopped, asked, reordered, pathAdded, refused, denied, callback, saved
        case storeWasSetAside, demarcates, requested, answered
    }
    private enum HoldsCodingKeys: String, CodingKey { case _0 = "sessions" }
    private enum RequestedCodingKeys: String, CodingKey { case _0 = "request" }
    private enum AnsweredCodingKeys: String, CodingKey { case request, _1 = "answer" }
    private enum DemarcatesCodingKeys: String, CodingKey { case _0 = "asks" }
    private enum AskedCodingKeys: String, CodingKey { case _0 = "session", _1 = "wish" }
    private enum ReorderedCodingKeys: String, CodingKey { case _0 = "session", from, to }
    private enum CallbackCodingKeys: String, CodingKey { case _0 = "session", _1 = "call" }
    private enum SavedCodingKeys: String, CodingKey { case _0 = "what" }
    private enum PathAddedCodingKeys: String, CodingKey { case _0 = "session", _1 = "path" }

    package var sentence: String {
        switch self {
        case .holds(let sessions): "the queue holds \(sessions.listed)"
        case .started: "the app starts the queue"
        case .stopped: "the queue is stopped"
        case .asked(let session, let wish): "the app wants to \(wish.rawValue) \(session)"
        case .reordered(let session, let from, let to):
            "the app moves \(session) from index \(from) to \(to)"
        case .pathAdded(let session, let path):
            "the app adds \(path.source) to \(session), for \(path.destination)"
        case .refused(let reason): "the queue refuses: \(reason)"
        case .denied(let reason): "the queue does not do it: \(reason)"
        case .callback(let session, let callback): "\(session) \(callback.sentence)"
        case .requested(let number): "the app makes request \(number) of its queue"
        case .answered(let number, let answer): "request \(number) \(answer.sentence)"
        case .saved(let fact): fact.sentence
        case .demarcates(true): "the app lets its queue ask for background time"
        case .demarcates(false): "the app lets its queue ask for no background time"
        case .storeWasSetAside(let name):
            "the app is told that its store was damaged and is set aside as \(name)"
        }
    }
}

/// What came of a request.
package enum AnswerFact: Hashable, Sendable, Codable {
    case done
    case session(ItemName)
    case account(AccountName)
    case refused(reason: String)

    private enum CodingKeys: CodingKey, CaseIterable { case done, session, account, refused }
    private enum SessionCodingKeys: String, CodingKey { case _0 = "name" }
    private enum AccountCodingKeys: String, CodingKey { case _0 = "name" }

    package var sentence: String {
        switch self {
        case .done: "is carried out"
        case .session(let session): "has made \(session)"
        case .account(let account): "has made \(account)"
        case .refused(let reason): "is refused: \(reason)"
        }
    }
}
