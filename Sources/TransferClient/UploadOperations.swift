import Synchronization
public import TransferEngine

/// The upload operations of an app's process (behaviour U). Each is in one of three lists; an
/// operation that has ended leaves its list after a while.
///
/// Nothing survives the process (U7). Every method may be called from any thread; the host calls
/// the observers on a thread of its own.
public final class UploadOperations: Sendable {
    private let host: any CommandDoor
    private let known = Mutex(Known())
    /// Held while an upload is submitted: a refusal without a number is of the first that waits.
    private let submitting = Mutex(())
    private let streams = EventStreams<UploadNotification>()

    fileprivate struct Known {
        var ongoing: [UploadOperation] = []
        var completed: [UploadOperation] = []
        var failed: [UploadOperation] = []
        /// Operations that were submitted and not heard of since.
        var waiting: [UploadOperation] = []
        /// The highest number so far.
        var lastNumber: UInt64 = 0
        var observers: [Observer] = []
    }

    /// Only the reference crosses threads. The host alone calls the observer.
    fileprivate struct Observer: @unchecked Sendable {
        weak var object: (any UploadOperationsObserver)?
    }

    public init(host: any CommandDoor) { self.host = host }

    public var ongoing: [UploadOperation] { known.withLock { $0.ongoing } }
    public var completed: [UploadOperation] { known.withLock { $0.completed } }
    public var failed: [UploadOperation] { known.withLock { $0.failed } }

    /// Starts an upload, under the next number of the process.
    public func upload(
        fromFile source: String, to account: Account, path: String, refreshesToken: Bool = false
    ) -> UploadOperation {
        begin(nil, source, to: account, path: path, refreshesToken: refreshesToken)
    }

    /// Starts an upload. The app chooses the number, which must be unique in the process.
    public func upload(
        _ number: UInt64, fromFile source: String, to account: Account, path: String,
        refreshesToken: Bool = false
    ) -> UploadOperation {
        begin(number, source, to: account, path: path, refreshesToken: refreshesToken)
    }

    private func begin(
        _ number: UInt64?, _ source: String, to account: Account, path: String,
        refreshesToken: Bool
    ) -> UploadOperation {
        let request = OperationRequest(
            account: account, source: source, destination: path, refreshesToken: refreshesToken)
        return submitting.withLock { _ in
            let operation = add(number, source)
            host.submit(.operation(.start(operation.id, request)))
            return operation
        }
    }

    private func add(_ number: UInt64?, _ source: String) -> UploadOperation {
        known.withLock { known in
            let number = number ?? known.lastNumber + 1
            if TransferID.numbersOfApps.contains(number) {
                known.lastNumber = max(known.lastNumber, number)
            }
            let operation = UploadOperation(OperationID(number), source, of: host)
            known.waiting.append(operation)
            return operation
        }
    }

    /// Repeats a failed operation from byte 0, listed or not (U6). Another task carries it out.
    public func retry(_ operation: UploadOperation) {
        known.withLock { $0.waiting.append(operation) }
        operation.prepareAttempt()
        host.submit(.operation(.retry(operation.id)))
    }

    /// Removes all operations that have ended from the lists. Ongoing operations continue.
    public func flush() { host.submit(.operation(.flush)) }

    // MARK: Observers

    /// Adds an observer, which from now on hears of every change (U3). Nobody holds it here, and
    /// one that is added twice hears once.
    public func addObserver(_ observer: any UploadOperationsObserver) {
        let added = Observer(object: observer)
        known.withLock { known in
            known.remove(added)
            known.observers.append(added)
        }
    }

    /// Removes an observer, which hears nothing more.
    public func removeObserver(_ observer: any UploadOperationsObserver) {
        let removed = Observer(object: observer)
        known.withLock { $0.remove(removed) }
    }

    /// Returns what observers hear from now on, as a sequence: an app reads it in a task, on any
    /// actor. Each call returns another sequence, for another reader.
    public func events(
        bufferingPolicy policy: AsyncStream<UploadNotification>.Continuation.BufferingPolicy =
            .unbounded
    ) -> AsyncStream<UploadNotification> { streams.open(policy) }

    /// Tells all who observe now, in the order in which they were added. One that is removed
    /// meanwhile is not told.
    private func post(_ tell: (any UploadOperationsObserver) -> Void) {
        let all = known.withLock { $0.observers }
        for observer in all {
            guard let object = observer.object, known.withLock({ $0.knows(observer) }) else {
                continue
            }
            tell(object)
        }
    }

    // MARK: What the host tells

    /// Called by the host, on its queue, when it carries out nothing more. Ends the sequences.
    public func hostHasEnded() { streams.end() }

    /// Called by the host, on its queue, for each piece of news of the engine.
    public func deliver(_ news: OperationNews, of id: OperationID) {
        guard let operation = known.withLock({ $0.operation(id, hearing: news) }) else { return }
        operation.hear(news)
        let notification = UploadNotification(
            operation: operation, change: UploadOperationChange(news))
        post { $0.uploadOperationsChanged(notification) }
        streams.tell(notification)
    }

    /// Called by the host for each refusal. Nothing has changed.
    public func deliver(_ refusal: OperationRefusal) {
        known.withLock { $0.waiting(for: refusal) }?.refuse()
        post { $0.uploadOperationsRefused(refusal) }
    }
}

extension UploadOperations.Known {
    fileprivate mutating func remove(_ observer: UploadOperations.Observer) {
        observers.removeAll { $0.object == nil || $0.object === observer.object }
    }

    fileprivate func knows(_ observer: UploadOperations.Observer) -> Bool {
        observers.contains { $0.object === observer.object }
    }

    /// Removes and returns the operation whose submission was refused.
    fileprivate mutating func waiting(for refusal: OperationRefusal) -> UploadOperation? {
        switch refusal {
        case .numberInUse(let id), .numberTooLarge(let id), .noSuchOperation(let id),
            .notFailed(let id, _), .notInitialised(let id?):
            return waiting.lastIndex { $0.id == id }.map { waiting.remove(at: $0) }
        case .notInitialised(nil): return nil
        case .accountWithoutHost, .accountWithoutCredentials, .sourceOutsideContainer,
            .destinationOutsideDocroot:
            return waiting.isEmpty ? nil : waiting.removeFirst()
        }
    }

    /// Moves the operation into the list where the news puts it, and returns it (U1).
    fileprivate mutating func operation(
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
    private mutating func take(
        _ id: OperationID, hearing news: OperationNews
    ) -> UploadOperation? {
        if case .added = news, let place = waiting.firstIndex(where: { $0.id == id }) {
            let operation = waiting.remove(at: place)
            failed.removeAll { $0 === operation }
            return operation
        }
        for list in [\Self.ongoing, \.completed, \.failed] {
            if let place = self[keyPath: list].firstIndex(where: { $0.id == id }) {
                return self[keyPath: list].remove(at: place)
            }
        }
        return nil
    }
}
