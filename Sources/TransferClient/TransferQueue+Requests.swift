public import TransferEngine

/// The requests of an app that waits for their answers, in any task. An answer comes when the store
/// has it; a refusal is thrown, and then nothing has changed.
///
/// A task that waits is not cancelled: what was asked for happens. A kill ends it with the process,
/// and the next launch shows how all stand.
extension TransferQueue {
    /// Starts the queue (A11).
    public func start() async throws(QueueRefusal) { try await ask(.start) }

    /// Stops the active session, then the queue (A8).
    public func stop() async throws(QueueRefusal) { try await ask(.stop) }

    /// Hands over a session; returns its number once it is durable.
    @discardableResult
    public func enqueue(_ session: SessionRequest) async throws(QueueRefusal) -> SessionID {
        try await made(by: .enqueue(session))
    }

    /// Enqueues a saved session (A9).
    @discardableResult
    public func enqueue(_ session: SessionID) async throws(QueueRefusal) -> SessionID {
        try await made(by: .enqueueSaved(session, at: nil))
    }

    /// Inserts a session before the session at this index; returns its number once it is durable.
    @discardableResult
    public func insert(
        _ session: SessionRequest, at index: Int
    ) async throws(QueueRefusal) -> SessionID {
        try await made(by: .insert(session, at: index))
    }

    /// Moves a session to another place in the running order.
    public func move(_ session: SessionID, to index: Int) async throws(QueueRefusal) {
        try await ask(.move(session, to: index))
    }

    /// Runs a session now (A7).
    public func run(_ session: SessionID) async throws(QueueRefusal) {
        try await ask(.session(.run, session))
    }

    /// Cancels a session (A4).
    public func cancel(_ session: SessionID) async throws(QueueRefusal) {
        try await ask(.session(.cancel, session))
    }

    /// Stops a session (A5).
    public func stop(_ session: SessionID) async throws(QueueRefusal) {
        try await ask(.session(.stop, session))
    }

    /// Pauses a session (A6).
    public func pause(_ session: SessionID) async throws(QueueRefusal) {
        try await ask(.session(.pause, session))
    }

    /// Resumes a paused session.
    public func resume(_ session: SessionID) async throws(QueueRefusal) {
        try await ask(.session(.resume, session))
    }

    /// Deletes a session. Refused while the session is active (A10).
    public func remove(_ session: SessionID) async throws(QueueRefusal) {
        try await ask(.session(.remove, session))
    }

    /// Changes a session's settings from its next turn on (A15).
    public func change(
        _ session: SessionID, to settings: TransferSettings
    ) async throws(QueueRefusal) {
        try await ask(.change(settings, of: session))
    }

    /// Adds a path to a persistent session that can accept paths (P2).
    public func addPath(
        from source: String, to destination: String, toPersistent session: SessionID
    ) async throws(QueueRefusal) {
        let path = SessionRequest.File(source: source, destination: destination)
        try await ask(.addPath(path.fromOrTo(container), to: session))
    }

    /// Saves an account unless one with exactly this content exists; returns its number.
    @discardableResult
    public func save(_ account: QueueAccount) async throws(QueueRefusal) -> AccountID {
        guard case .account(let id) = try await ask(.saveAccount(account)) else {
            preconditionFailure("an account that is saved has a number")
        }
        return id
    }

    /// Saves a session without enqueuing it (A9); returns its number.
    @discardableResult
    public func save(_ session: SessionRequest) async throws(QueueRefusal) -> SessionID {
        try await made(by: .save(session))
    }

    private func made(by command: QueueCommand) async throws(QueueRefusal) -> SessionID {
        guard case .session(let id) = try await ask(command) else {
            preconditionFailure("a session that is accepted has a number")
        }
        return id
    }

    @discardableResult
    private func ask(_ command: QueueCommand) async throws(QueueRefusal) -> QueueAnswer {
        let answer = await withCheckedContinuation { waiting in
            submit(command) { waiting.resume(returning: $0) }
        }
        if case .refused(let refusal) = answer { throw refusal }
        return answer
    }
}
