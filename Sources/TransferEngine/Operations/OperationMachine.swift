import Content
import Quantities

/// The upload operations of an app (behaviour U): many at once, each on a connection of its own,
/// and none tried again unless the app asks for it.
struct OperationMachine: Sendable {
    /// In the order in which they were added; those in no list any more are among them as long as
    /// the app can have them retried.
    private(set) var operations: [UploadOperation] = []
    /// Tells the keys of this process from those of all others.
    private let identity: UInt64

    /// U2: so long an operation stays in its list.
    static let completedTime = TimeSpan.seconds(10)
    static let failedTime = TimeSpan.seconds(60)

    /// Counted where somebody asks for it.
    var cells: StateCells<OperationState>?

    init(identity: UInt64) { self.identity = identity }

    // MARK: What the app asks

    mutating func take(
        _ command: OperationCommand, in process: inout ProcessState, at now: Instant,
        into outputs: inout [EngineOutput]
    ) {
        switch command {
        case .start(let id, let request):
            start(id, request, in: &process, at: now, into: &outputs)
        case .cancel(let id):
            guard let index = known(id, into: &outputs) else { return }
            cells?.count(operations[index].state, .cancel)
            outputs.append(.note(.operation(id, .asked(.cancel))))
            guard operations[index].state == .ongoing else { return }
            fail(index, .transport(.cancelled), by: .cancel, at: now, into: &outputs)
        case .retry(let id): retry(id, in: &process, at: now, into: &outputs)
        case .flush:
            outputs.append(.note(.operationsFlushed))
            for index in operations.indices.reversed() { unlist(index, by: .flush, into: &outputs) }
        case .forget(let id): operations.removeAll { $0.id == id && $0.state == .unlisted }
        }
    }

    private mutating func start(
        _ id: OperationID, _ request: OperationRequest, in process: inout ProcessState,
        at now: Instant, into outputs: inout [EngineOutput]
    ) {
        guard index(of: id) == nil else { return refuse(.numberInUse(id), into: &outputs) }
        if let refusal = request.refusal { return refuse(refusal, into: &outputs) }
        let transfer = TransferRecord(
            id: id.transfer, source: request.source, destination: request.destination)
        operations.append(
            UploadOperation(
                id: id, account: request.account, refreshesToken: request.refreshesToken,
                key: "\(identity)-\(id.number)-\(now.nanoseconds)", transfer: transfer))
        outputs.append(.note(.operation(id, .accepted(transfer))))
        begin(operations.count - 1, in: &process, at: now, into: &outputs)
    }

    /// With its original parameters, and the token that it had (U6).
    private mutating func retry(
        _ id: OperationID, in process: inout ProcessState, at now: Instant,
        into outputs: inout [EngineOutput]
    ) {
        guard let index = known(id, into: &outputs) else { return }
        let state = operations[index].state
        cells?.count(state, .retry)
        guard state.after(.retry) != .refused else {
            return refuse(.notFailed(id, state), into: &outputs)
        }
        outputs.append(.note(.operation(id, .asked(.retry))))
        move(index, .retry, because: "the app retries it", into: &outputs)
        operations[index].listedUntil = nil
        begin(index, in: &process, at: now, into: &outputs)
    }

    func refuse(_ refusal: OperationRefusal, into outputs: inout [EngineOutput]) {
        outputs.append(.note(.operationRefused(refusal)))
    }

    // MARK: An attempt

    private mutating func begin(
        _ index: Int, in process: inout ProcessState, at now: Instant,
        into outputs: inout [EngineOutput]
    ) {
        let id = operations[index].id
        outputs.append(.operation(id, .added))
        outputs.append(.note(.operation(id, .attempt)))
        guard NetworkLimits().obstacle(in: process.network) == nil else {
            return fail(
                index, .transport(.notConnectedToInternet), by: .error, at: now, into: &outputs)
        }
        switch operations[index].token {
        case .rejected: refresh(index, in: &process, at: now, into: &outputs)
        case .unknown, .refreshing, .refreshed:
            operations[index].token = .unknown
            connect(index, in: &process, at: now, into: &outputs)
        }
    }

    /// Asks for another token, if that is wanted: one that is known to be rejected is not used.
    private mutating func refresh(
        _ index: Int, in process: inout ProcessState, at now: Instant,
        into outputs: inout [EngineOutput]
    ) {
        guard operations[index].refreshesToken else {
            return fail(index, .tokenExpired, by: .error, at: now, into: &outputs)
        }
        operations[index].transfer.resource = nil
        operations[index].token = .refreshing
        outputs.append(.note(.operation(operations[index].id, .token(.refreshBegins))))
        connect(index, in: &process, at: now, into: &outputs)
    }

    private mutating func connect(
        _ index: Int, in process: inout ProcessState, at now: Instant,
        into outputs: inout [EngineOutput]
    ) {
        let operation = operations[index]
        let connection = process.nextConnection()
        outputs.append(.connect(connection, to: operation.account, by: ItemID(operation.id)))
        operations[index].lane = Lane(
            connection, to: operation.account, by: .once(key: operation.key),
            over: process.network, at: now)
    }

    mutating func connected(
        _ connection: ConnectionID, in process: inout ProcessState, at now: Instant,
        into outputs: inout [EngineOutput]
    ) {
        withLane(on: connection, in: &process, at: now, into: &outputs) { lane, transfer, outputs in
            lane.established(at: now)
            lane.begin(transfer, at: now, into: &outputs)
            return nil
        }
    }

    mutating func inspected(
        _ id: OperationID, _ inspection: SourceInspection, in process: inout ProcessState,
        at now: Instant, into outputs: inout [EngineOutput]
    ) {
        guard let connection = index(of: id).flatMap({ operations[$0].lane?.connection }) else {
            return
        }
        withLane(on: connection, in: &process, at: now, into: &outputs) { lane, transfer, outputs in
            lane.inspected(inspection, &transfer, mustSave: false, into: &outputs)
        }
    }

    mutating func received(
        _ segments: [Segment], on connection: ConnectionID, in process: inout ProcessState,
        at now: Instant, into outputs: inout [EngineOutput]
    ) {
        withLane(on: connection, in: &process, at: now, into: &outputs) { lane, transfer, outputs in
            var current: TransferRecord? = transfer
            let need = lane.received(segments, &current, at: now, into: &outputs)
            if let current { transfer = current }
            return need
        }
    }

    mutating func taken(
        _ count: ByteCount, on connection: ConnectionID, in process: inout ProcessState,
        at now: Instant, into outputs: inout [EngineOutput]
    ) {
        guard let index = index(on: connection) else { return }
        let id = operations[index].id
        withLane(on: connection, in: &process, at: now, into: &outputs) { lane, transfer, outputs in
            if let progress = lane.took(count, at: now) {
                outputs.append(
                    .operation(id, .progress(done: progress.done, total: progress.total)))
            }
            lane.supply(transfer, into: &outputs)
            return nil
        }
    }

    mutating func disconnected(
        _ connection: ConnectionID, _ why: Disconnection, at now: Instant,
        into outputs: inout [EngineOutput]
    ) {
        guard let index = index(on: connection) else { return }
        operations[index].lane = nil
        let error: TaskError = why == .timedOut ? .timedOut : .connectionLost
        fail(index, .transport(error), by: .error, at: now, into: &outputs)
    }

    mutating func unreadable(
        _ connection: ConnectionID, at now: Instant, into outputs: inout [EngineOutput]
    ) {
        guard let index = index(on: connection) else { return }
        fail(index, .transport(.noPermissionsToReadFile), by: .error, at: now, into: &outputs)
    }

    mutating func wake(at now: Instant, into outputs: inout [EngineOutput]) {
        for index in operations.indices.reversed() {
            if let lane = operations[index].lane, lane.deadline <= now {
                fail(index, .transport(.timedOut), by: .error, at: now, into: &outputs)
            } else if let until = operations[index].listedUntil, until <= now {
                unlist(index, by: .aged, into: &outputs)
            }
        }
    }

    var nextDeadline: Instant? {
        operations.compactMap { $0.lane?.deadline ?? $0.listedUntil }.min()
    }

    func owns(_ connection: ConnectionID) -> Bool { index(on: connection) != nil }

    // MARK: Ends

    private mutating func end(
        _ index: Int, _ lane: Lane, in process: inout ProcessState, at now: Instant,
        into outputs: inout [EngineOutput]
    ) {
        let operation = operations[index]
        guard !operation.transfer.isComplete else {
            close(index, into: &outputs)
            move(index, .done, because: "all of it has arrived", into: &outputs)
            operations[index].listedUntil = now + Self.completedTime
            return outputs.append(.operation(operation.id, .completed))
        }
        // Only an address can have expired; who asks for one and is refused has no right to it.
        guard lane.lastStatus == 401, operation.transfer.resource != nil else {
            let error = OperationError.answered(status: lane.lastStatus)
            return fail(index, error, by: .error, at: now, into: &outputs)
        }
        outputs.append(.note(.operation(operation.id, .token(.rejected))))
        operations[index].token = .rejected
        // A new one that is rejected as well is no reason to go on for ever (L2).
        guard operation.token != .refreshed else {
            return fail(index, .tokenExpired, by: .error, at: now, into: &outputs)
        }
        close(index, into: &outputs)
        if operation.refreshesToken {
            outputs.append(
                .note(
                    .startsOver(operation.transfer.id, because: "its address is good no more")))
        }
        refresh(index, in: &process, at: now, into: &outputs)
    }

    private mutating func fail(
        _ index: Int, _ error: OperationError, by event: OperationState.Event, at now: Instant,
        into outputs: inout [EngineOutput]
    ) {
        let operation = operations[index]
        if operation.token == .refreshing {
            operations[index].token = .rejected
            outputs.append(.note(.operation(operation.id, .token(.refreshEnds(isNew: false)))))
        }
        outputs.append(.note(.operation(operation.id, .fails(error))))
        close(index, into: &outputs)
        move(index, event, because: error.message, into: &outputs)
        operations[index].listedUntil = now + Self.failedTime
        outputs.append(.operation(operation.id, .failed(error)))
    }

    private mutating func unlist(
        _ index: Int, by event: OperationState.Event, into outputs: inout [EngineOutput]
    ) {
        let operation = operations[index]
        cells?.count(operation.state, event)
        switch operation.state.after(event) {
        case .nothing, .refused: return
        case .goes: move(index, event, because: "its time is up", into: &outputs)
        case .gone: operations.remove(at: index)
        }
        outputs.append(.note(.operation(operation.id, .unlisted)))
        outputs.append(.operation(operation.id, .unlisted))
    }

    private mutating func close(_ index: Int, into outputs: inout [EngineOutput]) {
        guard let lane = operations[index].lane else { return }
        outputs.append(.close(lane.connection))
        operations[index].lane = nil
    }

    /// Moves an operation along its state table; the log hears of what the app can see.
    private mutating func move(
        _ index: Int, _ event: OperationState.Event, because: String,
        into outputs: inout [EngineOutput]
    ) {
        let from = operations[index].state
        if event == .done || event == .error { cells?.count(from, event) }
        guard case .goes(let to) = from.after(event) else { return }
        operations[index].state = to
        guard to != .unlisted else { return operations[index].listedUntil = nil }
        let moved = OperationNote.moved(from: from, to: to, because: because)
        outputs.append(.note(.operation(operations[index].id, moved)))
    }

    // MARK: Lanes

    private func index(of id: OperationID) -> Int? { operations.firstIndex { $0.id == id } }

    private func index(on connection: ConnectionID) -> Int? {
        operations.firstIndex { $0.lane?.connection == connection }
    }

    private func known(_ id: OperationID, into outputs: inout [EngineOutput]) -> Int? {
        if let index = index(of: id) { return index }
        refuse(.noSuchOperation(id), into: &outputs)
        return nil
    }

    /// Lets something happen to an operation's lane, and gives it what it needs then.
    private mutating func withLane(
        on connection: ConnectionID, in process: inout ProcessState, at now: Instant,
        into outputs: inout [EngineOutput],
        _ event: (inout Lane, inout TransferRecord, inout [EngineOutput]) -> Lane.Need?
    ) {
        guard let index = index(on: connection), var lane = operations[index].lane else { return }
        var wanted: [EngineOutput] = []
        let need = event(&lane, &operations[index].transfer, &wanted)
        operations[index].lane = lane
        noteToken(of: index, wanted, into: &outputs)
        outputs += wanted
        switch need {
        case nil: break
        case .save: preconditionFailure("nothing of an operation is kept")
        case .complete: end(index, lane, in: &process, at: now, into: &outputs)
        case .fail(let error):
            fail(index, .transport(TaskError(error)), by: .error, at: now, into: &outputs)
        }
    }

    private mutating func noteToken(
        of index: Int, _ wanted: [EngineOutput], into outputs: inout [EngineOutput]
    ) {
        let operation = operations[index]
        if operation.token == .refreshing, operation.transfer.resource != nil {
            operations[index].token = .refreshed
            outputs.append(.note(.operation(operation.id, .token(.refreshEnds(isNew: true)))))
        }
        for case .note(.sends) in wanted {
            outputs.append(.note(.operation(operation.id, .token(.used))))
        }
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
