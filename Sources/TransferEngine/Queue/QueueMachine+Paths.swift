import Quantities

/// The paths of a persistent session (P): each has a place on one of its connections when its turn
/// comes, and all are forgotten when the session stops running, whatever the reason (P4).
extension QueueMachine {
    /// P2: from the moment at which it can accept paths until it stops running.
    mutating func addPath(
        _ file: SessionRequest.File, at index: Int, in process: inout ProcessState,
        at now: Instant, into outputs: inout [EngineOutput]
    ) {
        guard (0..<sessions.count).contains(index) else {
            return refuse(.noSuchIndex(index, count: sessions.count), into: &outputs)
        }
        let id = sessions.id(at: index)
        if let refusal = file.refusal { return refuse(.path(refusal), into: &outputs) }
        guard sessions[id].isPersistent else {
            return refuse(.path(.notPersistent(id)), into: &outputs)
        }
        guard let current = active, current.id == id, var attempt = current.attempt,
            attempt.isEstablished
        else { return refuse(.path(.notOpen(id)), into: &outputs) }
        let path = TransferRecord(
            id: process.nextPath(), source: file.source,
            destination: self.path(file.destination, of: sessions[id]))
        outputs.append(.note(.paths(.added(id, path))))
        attempt.waiting.append(path)
        if let idle = attempt.places.first(where: { attempt[$0].isIdle }) {
            active?.phase = .running(attempt)
            beginNextPath(on: idle, at: now, into: &outputs)
        } else {
            widen(&attempt, of: id, in: &process, at: now, into: &outputs)
            active?.phase = .running(attempt)
        }
    }

    /// Another connection beside those that are busy, if one is allowed and none is on its way.
    private mutating func widen(
        _ attempt: inout Attempt, of id: SessionID, in process: inout ProcessState,
        at now: Instant, into outputs: inout [EngineOutput]
    ) {
        guard attempt.wantsAnother else { return }
        let record = sessions[id]
        let connection = process.nextConnection()
        outputs.append(.connect(connection, to: access(of: record), by: ItemID(id)))
        attempt.add(
            Lane(
                connection, to: access(of: record), by: record.wire, over: process.network,
                at: now))
    }

    /// With nothing to do the session keeps its own connection (P3), and closes others.
    mutating func beginNextPath(
        on place: Int, at now: Instant, into outputs: inout [EngineOutput]
    ) {
        guard let current = active, var attempt = current.attempt else { return }
        if attempt.waiting.isEmpty {
            if let spare = attempt.removeOther(place) { outputs.append(.close(spare)) }
        } else {
            let path = attempt.waiting.removeFirst()
            outputs.append(.callback(current.id, .didStartFile(name: path.source)))
            attempt[place].lane.begin(path, at: now, into: &outputs)
            attempt[place].load = .path(path)
        }
        active?.phase = .running(attempt)
    }

    /// Nothing of a path is kept, and what is wrong with its file alone ends only that.
    mutating func provide(
        _ need: Lane.Need, toPathOn place: Int, in process: inout ProcessState, at now: Instant,
        into outputs: inout [EngineOutput]
    ) {
        guard let attempt = active?.attempt else { return }
        switch need {
        case .save(let next):
            withCarrier(place, in: &process, at: now, into: &outputs) { lane, transfer, outputs in
                transfer.flatMap { lane.goOn(next, $0, into: &outputs) }
            }
        case .complete: endPath(on: place, at: now, into: &outputs) { .completes($0) }
        case .fail(let error)
        where error.isOfFileAlone && attempt[place].lane.isBetweenBodies:
            endPath(on: place, at: now, into: &outputs) {
                .paths(.givesUp($0, because: "\(error.message), error \(error.code)"))
            }
        case .fail(let error): fail(error, in: &process, at: now, into: &outputs)
        }
    }

    /// What has become of it the callback does not say (P6).
    private mutating func endPath(
        on place: Int, at now: Instant, into outputs: inout [EngineOutput],
        _ note: (TransferID) -> EngineNote
    ) {
        guard let current = active, var attempt = current.attempt,
            case .path(let path) = attempt[place].load
        else { return }
        outputs.append(.note(note(path.id)))
        outputs.append(.callback(current.id, .didStopFile(name: path.source)))
        attempt[place].lane.clear()
        attempt[place].load = nil
        active?.phase = .running(attempt)
        beginNextPath(on: place, at: now, into: &outputs)
    }

    /// The session stops running, and remembers nothing of these.
    func forgetPaths(of attempt: Attempt, into outputs: inout [EngineOutput]) {
        for path in attempt.unfinishedPaths {
            outputs.append(.note(.paths(.givesUp(path.id, because: "its session runs no more"))))
        }
    }
}
