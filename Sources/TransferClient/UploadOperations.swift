public import TransferEngine

/// The upload operations of an app's process (behaviour U). Each is in one of three lists; an
/// operation that has ended leaves its list after a while.
///
/// Nothing survives the process (U7).
public final class UploadOperations {
    public private(set) var ongoing: [UploadOperation] = []
    public private(set) var completed: [UploadOperation] = []
    public private(set) var failed: [UploadOperation] = []
    private let host: any CommandDoor
    /// The highest number so far.
    private var lastNumber: UInt64 = 0

    public init(host: any CommandDoor) { self.host = host }

    /// Starts an upload, under the next number of the process.
    public func upload(
        fromFile source: String, to account: Account, path: String, refreshesToken: Bool = false
    ) -> UploadOperation {
        upload(
            lastNumber + 1, fromFile: source, to: account, path: path,
            refreshesToken: refreshesToken)
    }

    /// Starts an upload. The app chooses the number, which must be unique in the process.
    public func upload(
        _ number: UInt64, fromFile source: String, to account: Account, path: String,
        refreshesToken: Bool = false
    ) -> UploadOperation {
        lastNumber = max(lastNumber, number)
        let operation = UploadOperation(OperationID(number), source, of: host)
        waiting.append(operation)
        let request = OperationRequest(
            account: account, source: source, destination: path, refreshesToken: refreshesToken)
        host.submit(.operation(.start(operation.id, request)))
        return operation
    }

    /// Repeats a failed operation from byte 0, listed or not (U6). Another task carries it out.
    public func retry(_ operation: UploadOperation) {
        waiting.append(operation)
        operation.prepareAttempt()
        host.submit(.operation(.retry(operation.id)))
    }

    /// Removes all operations that have ended from the lists. Ongoing operations continue.
    public func flush() { host.submit(.operation(.flush)) }

    // MARK: Observers

    private var observers: [Observer] = []

    private struct Observer {
        weak var object: (any UploadOperationsObserver)?
    }

    /// Adds an observer, which from now on hears of every change (U3). Nobody holds it here, and
    /// one that is added twice hears once.
    public func addObserver(_ observer: any UploadOperationsObserver) {
        removeObserver(observer)
        observers.append(Observer(object: observer))
    }

    /// Removes an observer, which hears nothing more.
    public func removeObserver(_ observer: any UploadOperationsObserver) {
        observers.removeAll { $0.object == nil || $0.object === observer }
    }

    /// Tells all who observe now, in the order in which they were added. One that is removed
    /// meanwhile is not told.
    private func post(_ tell: (any UploadOperationsObserver) -> Void) {
        for object in observers.compactMap(\.object)
        where observers.contains(where: { $0.object === object }) { tell(object) }
    }

    // MARK: What the host tells

    /// Operations that were submitted and not heard of since.
    private var waiting: [UploadOperation] = []

    /// Called by the host, on its queue, for each piece of news of the engine.
    public func deliver(_ news: OperationNews, of id: OperationID) {
        guard let operation = operation(id, hearing: news) else { return }
        operation.hear(news)
        let notification = UploadNotification(
            operation: operation, change: UploadOperationChange(news))
        post { $0.uploadOperationsChanged(notification) }
    }

    /// Called by the host for each refusal. Nothing has changed.
    public func deliver(_ refusal: OperationRefusal) {
        switch refusal {
        case .numberInUse(let id), .noSuchOperation(let id), .notFailed(let id, _),
            .notInitialised(let id?):
            if let place = waiting.lastIndex(where: { $0.id == id }) {
                waiting.remove(at: place).refuse()
            }
        case .notInitialised(nil): break
        case .accountWithoutHost, .accountWithoutCredentials, .sourceOutsideContainer,
            .destinationOutsideDocroot:
            if !waiting.isEmpty { waiting.removeFirst().refuse() }
        }
        post { $0.uploadOperationsRefused(refusal) }
    }

    /// Moves the operation into the list where the news puts it, and returns it (U1).
    private func operation(
        _ id: OperationID, hearing news: OperationNews
    ) -> UploadOperation? {
        if case .progress = news { return ongoing.first { $0.id == id } }
        guard let operation = take(id, hearing: news) else { return nil }
        switch news {
        case .added, .progress: ongoing.append(operation)
        case .completed: completed.append(operation)
        case .failed: failed.append(operation)
        case .agedOut, .flushed: break
        }
        return operation
    }

    /// Removes the operation from its list; a submission is answered by its own `added`.
    private func take(_ id: OperationID, hearing news: OperationNews) -> UploadOperation? {
        if case .added = news, let place = waiting.firstIndex(where: { $0.id == id }) {
            let operation = waiting.remove(at: place)
            failed.removeAll { $0 === operation }
            return operation
        }
        for list in [\UploadOperations.ongoing, \.completed, \.failed] {
            if let place = self[keyPath: list].firstIndex(where: { $0.id == id }) {
                return self[keyPath: list].remove(at: place)
            }
        }
        return nil
    }
}
