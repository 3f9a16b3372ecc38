import Protocols
import Quantities

/// The suspension of a transfer, and its end.
extension EntryMachine {
    /// Suspends a transfer at once, or after the chunk in flight (K3).
    mutating func suspend(
        _ index: Int, by event: EntryState.Event, in turn: inout Turn
    ) {
        guard !entries[index].isBetweenChunks else {
            return rest(index, .kii(.suspended), by: event, in: &turn)
        }
        entries[index].isToSuspend = true
        guard let fetch = entries[index].lane?.fetch else { return }
        let chunk = KiiCall.chunk.bytes
        entries[index].chunkEnd = ByteCount((fetch.kept.bytes / chunk + 1) * chunk)
    }

    /// Suspends a transfer now. It stays listed until the app continues or terminates it.
    mutating func rest(
        _ index: Int, _ error: ResumableError, by event: EntryState.Event,
        in turn: inout Turn
    ) {
        close(index, in: &turn)
        entries[index].isToSuspend = false
        entries[index].phase = .resting
        move(index, event, because: error.message, in: &turn)
        let record = entries[index].record
        turn.persist(.putEntry(record))
        turn.tell(.entry(record.id, .suspended(error)))
    }

    /// Handles an error of an attempt; nothing is retried automatically.
    mutating func fail(
        _ index: Int, _ error: ResumableError, closing: Bool = true,
        in turn: inout Turn
    ) {
        let entry = entries[index]
        turn.note(.engine(.fails(entry.record.id.name, error)))
        if !closing { entries[index].phase = .resting }
        guard error.isRecoverable(for: entry.record, on: platform) else {
            return end(
                index, by: .otherError, .ended(error), because: error.message, in: &turn)
        }
        rest(
            index, entry.isToSuspend ? .kii(.suspended) : error, by: .recoverableError,
            in: &turn)
    }

    /// Ends a transfer. The app hears of it when the store has forgotten it, so that no launch
    /// brings it back.
    mutating func end(
        _ index: Int, by event: EntryState.Event, _ news: EntryNews, because: String,
        in turn: inout Turn
    ) {
        close(index, in: &turn)
        move(index, event, because: because, in: &turn)
        let record = entries[index].record
        if news != .completed {
            if record.isDownload {
                turn.wanted.append(.discard(path: record.transfer.destination))
            } else if !record.transfer.isComplete || event == .terminate {
                // The server no longer knows an upload that is published, and keeps the object.
                bidFarewell(to: record, in: &turn)
            }
        }
        let ticket = turn.persist(.removeEntry(record.id))
        entries[index].phase = .leaving(ticket, news)
    }

    mutating func leave(_ index: Int, _ news: EntryNews, in turn: inout Turn) {
        let record = entries.remove(at: index).record
        ended[record.id] = record.state
        turn.tell(.entry(record.id, news))
    }

    mutating func close(_ index: Int, in turn: inout Turn) {
        guard let lane = entries[index].lane else { return }
        turn.close(lane)
        entries[index].phase = .resting
    }

    /// Tells the server to discard the upload. If the message is lost, the upload expires there.
    mutating func bidFarewell(
        to record: EntryRecord, in turn: inout Turn
    ) {
        guard let request = KiiDialogue.farewell(to: record.transfer),
            NetworkLimits().obstacle(in: turn.process.network) == nil
        else { return }
        let connection = turn.connect(to: record.account, for: record.id.name)
        let lane = Lane(
            connection, to: record.account, by: .kii, over: turn.process.network, at: turn.now)
        farewells.append(
            Farewell(id: record.id, account: record.account, request: request, lane: lane))
    }
}

extension ResumableError {
    /// Whether the error leaves this transfer suspended.
    fileprivate func isRecoverable(for record: EntryRecord, on platform: Platform) -> Bool {
        // The upload can start over, unless it may be published.
        if case .answered(404) = self { return !record.isDownload && !record.transfer.isComplete }
        if case .answered(410) = self { return !record.isDownload && !record.transfer.isComplete }
        let isAtStart = record.transfer.resource == nil && record.done == .zero
        return isRecoverable(on: platform, atStart: isAtStart)
    }
}
