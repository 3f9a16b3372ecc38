import Quantities

/// Paths of a persistent session (P). Each gets a place on a connection in its turn. All are
/// forgotten when the session stops running, whatever the reason (P4).
extension QueueMachine {
    /// Adds a path, from the moment at which the session can accept paths until it stops running
    /// (P2).
    mutating func addPath(
        _ file: SessionRequest.File, to id: SessionID, in turn: inout Turn
    ) {
        guard isInQueue(id, in: &turn) else { return }
        let record = sessions[id]
        if let refusal = file.refusal(isDownload: record.isDownload) {
            return refuse(.path(refusal), in: &turn)
        }
        guard record.isPersistent else {
            return refuse(.path(.notPersistent(id)), in: &turn)
        }
        guard active?.id == id, active?.attempt?.isEstablished == true else {
            return refuse(.path(.notOpen(id)), in: &turn)
        }
        var path = TransferRecord(
            id: turn.process.nextPath(), source: file.source, destination: file.destination)
        if record.isDownload {
            path.source = self.path(path.source, of: record)
        } else {
            path.destination = self.path(path.destination, of: record)
        }
        let added = AcceptedTransfer(path, isDownload: record.isDownload)
        turn.note(.queue(.pathAdded(id.name, added)))
        active?.attempt?.waiting.append(path)
        if let idle = active?.attempt?.idlePlace {
            beginNextPath(on: idle, in: &turn)
        } else {
            widen(in: &turn)
        }
    }

    /// Opens another connection if one is allowed and none is being opened.
    private mutating func widen(in turn: inout Turn) {
        guard let id = active?.id, active?.attempt?.wantsAnother == true,
            obstacle(to: id, over: turn.process.network) == nil
        else { return }
        let other = active?.attempt?.companion(of: 0, isOpen: true)
        let lane = lane(beside: other, of: id, in: &turn)
        active?.attempt?.add(lane)
        active?.attempt?.channels?.opened += 1
    }

    /// Opens a connection, or another channel beside one.
    private func lane(
        beside other: ConnectionID?, of id: SessionID, in turn: inout Turn
    ) -> Lane {
        let record = sessions[id]
        let account = access(of: record)
        let connection =
            other.map { turn.connect(beside: $0, for: id.name) }
            ?? turn.connect(to: account, for: id.name)
        return Lane(
            connection, to: account, by: record.wire, over: turn.process.network,
            isPaced: other != nil, at: turn.now)
    }

    /// Begins the next path. Without one, the session keeps its own connection (P3) and closes
    /// others.
    mutating func beginNextPath(
        on place: Int, in turn: inout Turn
    ) {
        guard let id = active?.id, let path = active?.attempt?.takePath(for: place) else {
            if let spare = active?.attempt?.removeOther(place) { turn.close(spare) }
            return
        }
        tell(.didStartFile(name: path.source), of: id, in: &turn)
        active?.attempt?.with(place) { carrier in
            carrier.lane.noteSilence(at: turn.now)
            carrier.lane.begin(path, at: turn.now, into: &turn.wanted)
            carrier.load = .path(path)
        }
        widen(in: &turn)
    }

    /// Gives up a path because of an error of its file. A connection on which its body was broken
    /// off carries nothing more: another takes its place, unless nothing needs one.
    mutating func giveUp(_ place: Int, _ error: TransferError, in turn: inout Turn) {
        guard let carrier = active?.attempt?[place] else { return }
        let lane = carrier.lane
        discardPart(of: carrier, in: &turn)
        end(pathOn: place, { .givesUp($0, error) }, in: &turn)
        if lane.isBetweenBodies {
            beginNextPath(on: place, in: &turn)
        } else if place == 0 || active?.attempt?.waiting.isEmpty == false {
            renew(place, closing: true, in: &turn)
        } else if active?.attempt?.removeOther(place) != nil {
            turn.close(lane)
        }
    }

    /// Ends a path. The callback does not say how it went (P6).
    mutating func end(
        pathOn place: Int, _ fact: (TransferName) -> EngineFact, in turn: inout Turn
    ) {
        guard let id = active?.id, let carrier = active?.attempt?[place],
            case .path(let path) = carrier.load
        else { return }
        turn.note(.engine(fact(path.id.name)))
        tell(.didStopFile(name: path.source), of: id, in: &turn)
        if let size = carrier.lane.size { active?.attempt?.channels?.completed(size) }
        active?.attempt?[place].clear()
    }

    /// Replaces a persistent session's connection if it was dropped while nothing moved on it (P3):
    /// no budget is spent, and a path that has just begun begins again. Returns whether it was.
    mutating func renews(
        _ place: Int, closing: Bool = false, in turn: inout Turn
    ) -> Bool {
        guard let current = active, sessions[current.id].isPersistent,
            current.attempt?[place].lane.wasStale(at: turn.now) == true
        else { return false }
        renew(place, closing: closing, isSilent: true, in: &turn)
        return true
    }

    /// Opens another connection in the place of one, or waits for a network over which it may. A
    /// whole session of the paced transport may be silent, where another channel helps nobody.
    mutating func renew(
        _ place: Int, closing: Bool, isSilent: Bool = false, in turn: inout Turn
    ) {
        guard let id = active?.id, let old = active?.attempt?[place].lane else { return }
        if let obstacle = obstacle(to: id, over: turn.process.network) {
            stopRunning(without: closing ? nil : old.connection, atOnce: true, in: &turn)
            return interrupt(because: obstacle, in: &turn)
        }
        let other = isSilent ? nil : active?.attempt?.companion(of: place, isOpen: closing)
        if other == nil, closing { turn.close(old) }
        let lane = lane(beside: other, of: id, in: &turn)
        // A session of the paced transport ends with its last channel.
        if other != nil, closing { turn.close(old) }
        if other != nil { active?.attempt?.channels?.opened += 1 }
        if let path = active?.attempt?.renew(place, by: lane) {
            tell(.didStopFile(name: path.source), of: id, in: &turn)
        }
    }

    /// Forgets the unfinished paths of a session that stops running.
    func forgetPaths(of attempt: Attempt, in turn: inout Turn) {
        for place in attempt.places { discardPart(of: attempt[place], in: &turn) }
        for path in attempt.unfinishedPaths {
            turn.note(.engine(.givesUp(path.id.name, because: "its session runs no more")))
        }
    }

    /// Deletes what has come of a path that is given up: whoever adds it again begins at byte 0.
    private func discardPart(of carrier: Attempt.Carrier, in turn: inout Turn) {
        guard case .path(let path) = carrier.load, let current = active,
            sessions[current.id].isDownload
        else { return }
        turn.wanted.append(.discard(path: path.landing))
    }
}
