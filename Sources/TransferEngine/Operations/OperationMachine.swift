import Content
import Quantities

/// The upload operations of an app (behaviour U). Many run at once, each on its own connection, and
/// none is retried unless the app asks.
struct OperationMachine: Sendable {
    /// Operations in the order in which they were added; unlisted ones stay while the app can retry
    /// them.
    var operations: [UploadOperation] = []

    /// How long an operation stays in its list (U2).
    static let completedTime = TimeSpan.seconds(10)
    static let failedTime = TimeSpan.seconds(60)

    /// Reached cells of the state table, if they are counted.
    var cells: StateCells<OperationState>?

    // MARK: What the app asks

    mutating func take(
        _ command: OperationCommand, in turn: inout Turn
    ) {
        switch command {
        case .start(let id, let request):
            start(id, request, in: &turn)
        case .cancel(let id):
            guard let index = known(id, in: &turn) else { return }
            cells?.count(operations[index].state, .cancel)
            turn.note(.operations(.asked(id.name, .cancel)))
            guard operations[index].state == .ongoing else { return }
            fail(index, .transport(.cancelled), by: .cancel, in: &turn)
        case .retry(let id): retry(id, in: &turn)
        case .flush:
            turn.note(.operations(.flushed))
            for index in operations.indices.reversed() { unlist(index, by: .flush, in: &turn) }
        case .forget(let id): operations.removeAll { $0.id == id && $0.state == .unlisted }
        }
    }

    private mutating func start(
        _ id: OperationID, _ request: OperationRequest, in turn: inout Turn
    ) {
        guard index(of: id) == nil else { return refuse(.numberInUse(id), in: &turn) }
        guard TransferID.numbersOfApps.contains(id.number) else {
            return refuse(.numberTooLarge(id), in: &turn)
        }
        if let refusal = request.refusal { return refuse(refusal, in: &turn) }
        let transfer = TransferRecord(
            id: id.transfer, source: request.source, destination: request.destination)
        operations.append(
            UploadOperation(
                id: id, account: request.account, refreshesToken: request.refreshesToken,
                key: OnceKey("\(turn.process.identity)-\(id.number)-\(turn.now.nanoseconds)"),
                transfer: transfer))
        turn.note(.engine(.accepts(id.name, index: nil, [AcceptedTransfer(transfer)])))
        turn.note(
            .engine(.moves(id.name, from: .waiting, to: .running, because: "the app adds it")))
        begin(operations.count - 1, in: &turn)
    }

    /// Retries an operation with its original parameters and token (U6).
    private mutating func retry(
        _ id: OperationID, in turn: inout Turn
    ) {
        guard let index = known(id, in: &turn) else { return }
        let state = operations[index].state
        cells?.count(state, .retry)
        guard state.after(.retry) != .refused else {
            return refuse(.notFailed(id, state), in: &turn)
        }
        turn.note(.operations(.asked(id.name, .retry)))
        move(index, .retry, because: "the app retries it", in: &turn)
        operations[index].listedUntil = nil
        begin(index, in: &turn)
    }

    func refuse(_ refusal: OperationRefusal, in turn: inout Turn) {
        turn.tell(.refused(.operation(refusal)))
    }

    // MARK: An attempt

    private mutating func begin(
        _ index: Int, in turn: inout Turn
    ) {
        let id = operations[index].id
        turn.tell(.operation(id, .added))
        turn.note(.engine(.attempt(id.name, number: 1)))
        guard NetworkLimits().obstacle(in: turn.process.network) == nil else {
            return fail(
                index, .transport(.notConnectedToInternet), by: .error, in: &turn)
        }
        switch operations[index].token {
        case .rejected: refresh(index, in: &turn)
        case .unknown, .refreshing, .refreshed:
            operations[index].token = .unknown
            connect(index, in: &turn)
        }
    }

    /// Requests another token if the operation may: a token known to be rejected is not used.
    private mutating func refresh(
        _ index: Int, in turn: inout Turn
    ) {
        guard operations[index].refreshesToken else {
            return fail(index, .tokenExpired, by: .error, in: &turn)
        }
        operations[index].transfer.resource = nil
        operations[index].token = .refreshing
        turn.note(.engine(.token(operations[index].id.name, .refreshBegan)))
        connect(index, in: &turn)
    }

    mutating func connect(
        _ index: Int, in turn: inout Turn
    ) {
        let operation = operations[index]
        let connection = turn.connect(to: operation.account, for: operation.id.name)
        operations[index].lane = Lane(
            connection, to: operation.account, by: .once(key: operation.key),
            over: turn.process.network, at: turn.now)
    }

    /// Begins on an open connection, unless the operation has to wait for its credential.
    mutating func begin(_ lane: Lane, of index: Int, in turn: inout Turn) {
        var lane = lane
        guard let identity = turn.identity(of: operations[index].account) else {
            let error = OperationError.transport(.userAuthenticationRequired)
            return fail(index, error, by: .error, in: &turn)
        }
        lane.identity = identity
        if identity != .awaited {
            lane.begin(operations[index].transfer, at: turn.now, into: &turn.wanted)
        }
        operations[index].lane = lane
    }

    /// Handles an event of an operation's attempt, and gives the lane what it then needs.
    mutating func take(_ event: AttemptInput, of id: OperationID, in turn: inout Turn) {
        guard let index = index(of: id), var lane = operations[index].lane else { return }
        if let progress = lane.progress(by: event, at: turn.now) {
            turn.tell(.operation(id, .progress(done: progress.done, total: progress.total)))
        }
        turn.flush()
        var transfer: TransferRecord? = operations[index].transfer
        let need = lane.take(event, &transfer, at: turn.now, into: &turn.wanted)
        if let transfer { operations[index].transfer = transfer }
        if let source = transfer?.fingerprint { operations[index].key.belongs(to: source) }
        operations[index].lane = lane
        noteToken(of: index, in: &turn)
        switch need {
        case nil: break
        case .begin: begin(lane, of: index, in: &turn)
        case .rejected(let use): rejected(use, on: lane, of: index, in: &turn)
        case .told: preconditionFailure("an operation does not introduce itself")
        case .save: preconditionFailure("nothing of an operation is kept")
        case .complete: end(index, lane, in: &turn)
        case .fail(let error):
            fail(index, .transport(TaskError(error)), by: .error, in: &turn)
        case .lost(let why):
            operations[index].lane = nil
            fail(index, .transport(TaskError(why)), by: .error, in: &turn)
        }
    }

    mutating func wake(in turn: inout Turn) {
        for index in operations.indices.reversed() {
            if let lane = operations[index].lane, lane.deadline <= turn.now {
                fail(index, .transport(.timedOut), by: .error, in: &turn)
            } else if let until = operations[index].listedUntil, until <= turn.now {
                unlist(index, by: .aged, in: &turn)
            }
        }
    }

    var nextDeadline: Instant? {
        operations.compactMap { $0.lane?.deadline ?? $0.listedUntil }.min()
    }

    // MARK: Ends

    private mutating func end(
        _ index: Int, _ lane: Lane, in turn: inout Turn
    ) {
        let operation = operations[index]
        guard !operation.transfer.isComplete else {
            close(index, in: &turn)
            move(index, .done, because: "all of it has arrived", in: &turn)
            operations[index].listedUntil = turn.now + Self.completedTime
            return turn.tell(.operation(operation.id, .completed))
        }
        // Only an address can have expired; a 401 to the request for one means no permission.
        guard lane.lastStatus == 401, operation.transfer.resource != nil else {
            let error = OperationError.answered(status: lane.lastStatus)
            return fail(index, error, by: .error, in: &turn)
        }
        turn.note(.engine(.token(operation.id.name, .rejected)))
        operations[index].token = .rejected
        // A second rejected token in one attempt ends it, or it might go on for ever (L2).
        guard operation.token != .refreshed else {
            return fail(index, .tokenExpired, by: .error, in: &turn)
        }
        close(index, in: &turn)
        if operation.refreshesToken {
            turn.note(
                .engine(
                    .startsOver(operation.transfer.id.name, because: "its address is good no more"))
            )
        }
        refresh(index, in: &turn)
    }

    mutating func fail(
        _ index: Int, _ error: OperationError, by event: OperationState.Event, in turn: inout Turn
    ) {
        let operation = operations[index]
        if operation.token == .refreshing {
            operations[index].token = .rejected
            turn.note(.engine(.token(operation.id.name, .refreshEnded(isNew: false))))
        }
        turn.note(.engine(.fails(operation.id.name, error)))
        close(index, in: &turn)
        move(index, event, because: error.message, in: &turn)
        operations[index].listedUntil = turn.now + Self.failedTime
        turn.tell(.operation(operation.id, .failed(error)))
    }

    private mutating func unlist(
        _ index: Int, by event: OperationState.Event, in turn: inout Turn
    ) {
        let operation = operations[index]
        cells?.count(operation.state, event)
        switch operation.state.after(event) {
        case .nothing, .refused: return
        case .goes: move(index, event, because: "its time is up", in: &turn)
        case .gone: operations.remove(at: index)
        }
        turn.tell(.operation(operation.id, event == .flush ? .flushed : .agedOut))
    }

    mutating func close(_ index: Int, in turn: inout Turn) {
        guard let lane = operations[index].lane else { return }
        turn.close(lane)
        operations[index].lane = nil
    }

    /// Moves an operation along its state table; the log hears of what the app can see.
    private mutating func move(
        _ index: Int, _ event: OperationState.Event, because: String,
        in turn: inout Turn
    ) {
        let from = operations[index].state
        if event == .done || event == .error { cells?.count(from, event) }
        guard case .goes(let to) = from.after(event) else { return }
        operations[index].state = to
        guard to != .unlisted else { return operations[index].listedUntil = nil }
        let moved = EngineFact.moves(
            operations[index].id.name, from: from.stage, to: to.stage, because: because)
        turn.note(.engine(moved))
    }

    private func index(of id: OperationID) -> Int? { operations.firstIndex { $0.id == id } }

    private func known(_ id: OperationID, in turn: inout Turn) -> Int? {
        if let index = index(of: id) { return index }
        refuse(.noSuchOperation(id), in: &turn)
        return nil
    }

    /// Notes what the lane does with its token, before it does it.
    private mutating func noteToken(of index: Int, in turn: inout Turn) {
        let operation = operations[index]
        let wanted = turn.takeWanted()
        if operation.token == .refreshing, operation.transfer.resource != nil {
            operations[index].token = .refreshed
            turn.note(.engine(.token(operation.id.name, .refreshEnded(isNew: true))))
        }
        for case .note(let note) in wanted {
            if case .engine(.sends) = note.fact {
                turn.note(.engine(.token(operation.id.name, .used)))
            }
        }
        turn.wanted = wanted
    }
}

extension OperationRequest {
    fileprivate var refusal: OperationRefusal? {
        if account.host.isEmpty { return .accountWithoutHost }
        if account.credentials.name.isEmpty { return .accountWithoutCredentials }
        if !ContainerPath.isInside(source) { return .sourceOutsideContainer(source) }
        if !ContainerPath.isInside(destination) { return .destinationOutsideDocroot(destination) }
        return nil
    }
}
