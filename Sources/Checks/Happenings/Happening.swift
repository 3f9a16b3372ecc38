package import RunLog

/// Something countable that may happen in a run.
package enum Happening: Hashable, Sendable {
    /// The engine resumes at the offset that the server named.
    case resume(Subject)
    /// The engine begins at byte 0 although the server had some bytes.
    case startOver(Subject)
    /// The destination already has the file, and nothing is transferred.
    case skip(Subject)
    /// The engine resumes although its policy cannot prove that the source is unchanged.
    case unprovenResume(Subject)
    /// A session whose files should travel over the paced transport goes over TCP.
    case fallback(Subject)
    /// An attempt after the first.
    case retry(Subject)
    /// The session ends in failure.
    case failure(Subject)
    case callback(ItemName, CallbackName)
    /// A background task expires, and the active session stops because of that.
    case stopByExpiry(Subject)
    /// The app has cancelled the session, and the session has ended.
    case cancel(Subject)
    case pause(Subject)
    /// The session stops because another session is run.
    case preemption(Subject)
    case removal(Subject)
    /// The session is saved outside the queue.
    case saving(Subject)
    /// The account with this name is saved.
    case accountSaving(String)
    case accountDeletion(String)
    /// A connection is opened for the session.
    case connection(Subject)
    /// A path that was added to the session ends without its file.
    case givingUp(Subject)
    /// An operation replaces its expired token.
    case tokenRefresh(Subject)
    /// The app hears that a resumable transfer is suspended, with this error.
    case rest(ItemName, code: Int)
    /// A request of the app for a transfer is refused with this error.
    case transferRefusal(ItemName, code: Int)
    /// The queue has refused a request or a session.
    case refusal
    /// The upload operations have refused a request.
    case operationRefusal
    /// A background session has refused a request or a task.
    case taskRefusal
    case publication(String)
    /// The fault of the server with this name takes effect.
    case faultEffect(String)
    /// The server gives a user a bearer token.
    case tokenIssue
    /// The server answers the app with this status.
    case answer(Int)
    /// An app sends a request with this method.
    case request(String)
    /// Two uploads to one object are under way at once.
    case race
    case suspension
    case kill
    /// The system runs an app in the background for its background sessions.
    case waking
    /// The app hears that the system has lost its tasks.
    case taskLoss
    /// The app has a downloaded file at this path.
    case keeping(String)
    /// A download has brought all of this object.
    case download(String)
    /// The app says what its fetch in the background has brought.
    case fetch
    /// The app hears that a download can be resumed by another task.
    case putOff(Subject)
    /// The app hears that the background session with this identifier has ended.
    case invalidation(session: String)
    /// The app hears that its store was damaged.
    case settingAside
    /// A phone asks the resolver of its network for the server's address of a family.
    case nameQuestion

    /// The happening in words, such as `session 1 resumes`.
    package var words: String {
        switch subject {
        case .one(let item): words(with: item.description)
        case .any(let facade): words(with: "\(facade.article) \(facade.rawValue)")
        case nil: words(with: "")
        }
    }

    /// The happening as an expectation, such as `session 1 resumes once`, `no session resumes`.
    func words(_ times: ExpectationPlan.Times) -> String {
        guard case .any(let facade) = subject, times == .exactly(0) else {
            return "\(words) \(times)"
        }
        return words(with: "no \(facade.rawValue)")
    }

    private func words(with subject: String) -> String {
        switch self {
        case .resume: "\(subject) resumes"
        case .startOver: "\(subject) starts over"
        case .skip: "\(subject) skips a file"
        case .unprovenResume: "\(subject) resumes without proof"
        case .fallback: "\(subject) falls back"
        case .retry: "\(subject) is tried again"
        case .failure: "\(subject) fails"
        case .callback(_, let callback): "\(subject) is told \(callback.rawValue)"
        case .stopByExpiry: "\(subject) is stopped by expiry"
        case .cancel: "\(subject) is cancelled"
        case .pause: "\(subject) is paused"
        case .preemption: "\(subject) is preempted"
        case .removal: "\(subject) is removed"
        case .saving: "\(subject) is saved"
        case .accountSaving(let name): "account \(name) is saved"
        case .accountDeletion(let name): "account \(name) is deleted"
        case .connection: "\(subject) connects"
        case .givingUp: "\(subject) gives up a file"
        case .tokenRefresh: "\(subject) refreshes its token"
        case .rest(_, let code): "\(subject) is suspended with error \(code)"
        case .transferRefusal(_, let code): "\(subject) is refused with error \(code)"
        case .refusal: "the queue refuses"
        case .operationRefusal: "the operations refuse"
        case .taskRefusal: "a background session refuses"
        case .publication(let object): "\(object) is published"
        case .faultEffect(let name): "fault \(name) takes effect"
        case .tokenIssue: "the server gives a token"
        case .answer(let status): "the server answers \(status)"
        case .request(let method): "an app asks \(method)"
        case .race: "two uploads to one object race"
        case .suspension: "the app is suspended"
        case .kill: "the app is killed"
        case .waking: "the app is woken"
        case .taskLoss: "the app hears of lost tasks"
        case .keeping(let path): "\(path) is kept"
        case .download(let object): "\(object) is downloaded"
        case .fetch: "the app fetches"
        case .putOff: "\(subject) can be continued"
        case .invalidation(let session): "session \(session) becomes invalid"
        case .settingAside: "the store is set aside"
        case .nameQuestion: "a phone asks for an address"
        }
    }

    /// The items concerned; `nil` if the happening concerns none.
    var subject: Subject? {
        switch self {
        case .resume(let subject), .startOver(let subject), .skip(let subject),
            .unprovenResume(let subject), .fallback(let subject), .retry(let subject),
            .failure(let subject), .stopByExpiry(let subject), .cancel(let subject),
            .pause(let subject),
            .preemption(let subject), .removal(let subject), .connection(let subject),
            .givingUp(let subject), .saving(let subject), .tokenRefresh(let subject),
            .putOff(let subject):
            subject
        case .callback(let item, _), .rest(let item, _), .transferRefusal(let item, _): .one(item)
        case .publication, .faultEffect, .answer, .request, .race, .suspension, .kill, .waking,
            .refusal, .operationRefusal, .taskRefusal, .taskLoss, .keeping, .download,
            .invalidation, .fetch, .settingAside,
            .accountSaving, .accountDeletion, .nameQuestion, .tokenIssue:
            nil
        }
    }
}

/// The items that a happening concerns.
package enum Subject: Hashable, Sendable {
    case one(ItemName)
    /// Any item of this API.
    case any(Facade)

    /// The item, if it is a single one.
    var item: ItemName? {
        if case .one(let item) = self { item } else { nil }
    }

    package func includes(_ item: ItemName) -> Bool {
        switch self {
        case .one(let one): item == one
        case .any(let facade): item.facade == facade
        }
    }
}

extension Facade {
    /// The article before the word for one item.
    fileprivate var article: String { self == .operations ? "an" : "a" }
}

/// A delegate call of the queue without its arguments, in the words of the scenario language.
package enum CallbackName: String, Hashable, Sendable, CaseIterable {
    case willActivate = "will activate"
    case didActivate = "did activate"
    case willStartRunning = "will start running"
    case didStartRunning = "did start running"
    case canAcceptPaths = "can accept paths"
    case didStartFile = "did start file"
    case progress = "progress"
    case didStopFile = "did stop file"
    case willStopRunning = "will stop running"
    case didStopRunning = "did stop running"
    case willDeactivate = "will deactivate"
    case didDeactivate = "did deactivate"
    case insertRow = "insert row"
    case removeRow = "remove row"
    case moveRow = "move row"
    case updateRow = "update row"

    init(_ callback: SessionCallback) {
        self =
            switch callback {
            case .willActivate: .willActivate
            case .didActivate: .didActivate
            case .willStartRunning: .willStartRunning
            case .didStartRunning: .didStartRunning
            case .canAcceptPaths: .canAcceptPaths
            case .didStartFile: .didStartFile
            case .progress: .progress
            case .didStopFile: .didStopFile
            case .willStopRunning: .willStopRunning
            case .didStopRunning: .didStopRunning
            case .willDeactivate: .willDeactivate
            case .didDeactivate: .didDeactivate
            case .row(.inserted): .insertRow
            case .row(.removed): .removeRow
            case .row(.moved): .moveRow
            case .row(.updated): .updateRow
            }
    }
}
