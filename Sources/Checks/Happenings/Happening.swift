package import RunLog

/// Something countable that may happen in a run. If no session is named, any session counts.
package enum Happening: Hashable, Sendable {
    /// The engine resumes at the offset that the server named.
    case resume(ItemName?)
    /// The engine begins at byte 0 although the server had some bytes.
    case startOver(ItemName?)
    /// The destination already has the file, and nothing is transferred.
    case skip(ItemName?)
    /// The engine resumes although its policy cannot prove that the source is unchanged.
    case unprovenResume(ItemName?)
    /// An attempt after the first.
    case retry(ItemName?)
    /// The session ends in failure.
    case failure(ItemName?)
    case callback(ItemName, CallbackName)
    /// A background task expires, and the active session stops because of that.
    case stopByExpiry(ItemName?)
    /// The app has cancelled the session, and the session has ended.
    case cancel(ItemName?)
    case pause(ItemName?)
    /// The session stops because another session is run.
    case preemption(ItemName?)
    case removal(ItemName?)
    /// The session is saved outside the queue.
    case saving(ItemName)
    /// The account with this name is saved.
    case accountSaving(String)
    case accountDeletion(String)
    /// A connection is opened for the session.
    case connection(ItemName)
    /// A path that was added to the session ends without its file.
    case givingUp(ItemName)
    /// The app hears that a resumable transfer is suspended, with this error.
    case rest(ItemName, code: Int)
    /// A request of the app for a transfer is refused with this error.
    case transferRefusal(ItemName, code: Int)
    /// The queue has refused a request or a session.
    case refusal
    /// A background session has refused a request or a task.
    case taskRefusal
    case publication(String)
    /// The server answers the app with this status.
    case answer(Int)
    /// Two uploads to one object are under way at once.
    case race
    case suspension
    case kill
    /// The app hears that the system has lost its tasks.
    case taskLoss
    /// The app has a downloaded file at this path.
    case keeping(String)
    /// The app hears that its store was damaged.
    case settingAside

    /// The happening in words, such as `session 1 resumes`.
    package var words: String {
        let item = session?.description ?? "a session"
        return switch self {
        case .resume: "\(item) resumes"
        case .startOver: "\(item) starts over"
        case .skip: "\(item) skips a file"
        case .unprovenResume: "\(item) resumes without proof"
        case .retry: "\(item) is tried again"
        case .failure: "\(item) fails"
        case .callback(_, let callback): "\(item) is told \(callback.rawValue)"
        case .stopByExpiry: "\(item) is stopped by expiry"
        case .cancel: "\(item) is cancelled"
        case .pause: "\(item) is paused"
        case .preemption: "\(item) is preempted"
        case .removal: "\(item) is removed"
        case .saving: "\(item) is saved"
        case .accountSaving(let name): "account \(name) is saved"
        case .accountDeletion(let name): "account \(name) is deleted"
        case .connection: "\(item) connects"
        case .givingUp: "\(item) gives up a file"
        case .rest(_, let code): "\(item) is suspended with error \(code)"
        case .transferRefusal(_, let code): "\(item) is refused with error \(code)"
        case .refusal: "the queue refuses"
        case .taskRefusal: "a background session refuses"
        case .publication(let object): "\(object) is published"
        case .answer(let status): "the server answers \(status)"
        case .race: "two uploads to one object race"
        case .suspension: "the app is suspended"
        case .kill: "the app is killed"
        case .taskLoss: "the app hears of lost tasks"
        case .keeping(let path): "the app keeps \(path)"
        case .settingAside: "the store is set aside"
        }
    }

    /// The session concerned; `nil` for any.
    var session: ItemName? {
        switch self {
        case .resume(let session), .startOver(let session), .skip(let session),
            .unprovenResume(let session), .retry(let session), .failure(let session),
            .stopByExpiry(let session), .cancel(let session), .pause(let session),
            .preemption(let session), .removal(let session):
            session
        case .callback(let session, _), .connection(let session), .givingUp(let session),
            .saving(let session), .rest(let session, _), .transferRefusal(let session, _):
            session
        case .publication, .answer, .race, .suspension, .kill, .refusal, .taskRefusal,
            .taskLoss, .keeping, .settingAside, .accountSaving, .accountDeletion:
            nil
        }
    }
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
