import Content
import Protocols
import Quantities

/// One file after the other over tus: inspect, create or ask for the offset, append, confirm.
extension TransferEngine {
    mutating func beginNextFile(at now: Instant, into outputs: inout [EngineOutput]) {
        guard let current = active else { return }
        let record = sessions[current.index]
        guard let file = record.transfers.firstIndex(where: { !$0.isComplete }) else {
            finish(into: &outputs)
            return
        }
        let transfer = record.transfers[file]
        outputs.append(.callback(current.id, .didStartFile(name: transfer.source)))
        outputs.append(.inspect(transfer.id, path: transfer.source))
        active?.openFile = file
        active?.phase = .inspecting
    }

    /// An upload that was begun before is asked for, even if its source has changed since: it may
    /// be complete, only its last answer lost, and nothing is published twice (S8).
    mutating func inspected(
        _ id: TransferID, _ inspection: SourceInspection, at now: Instant,
        into outputs: inout [EngineOutput]
    ) {
        guard let current = active, case .inspecting = current.phase, let file = current.openFile,
            sessions[current.index].transfers[file].id == id
        else { return }
        switch inspection {
        case .missing: fail(.noSuchFile, at: now, into: &outputs)
        case .notARegularFile: fail(.notARegularFile, at: now, into: &outputs)
        case .regularFile(let fingerprint):
            active?.source = fingerprint
            if let resource = sessions[current.index].transfers[file].resource {
                guard isStoreBehind else {
                    return ask(.offset(resource: resource), into: &outputs)
                }
                // Bytes go only where the next launch would find them (S8).
                let ticket = persist(current.index, into: &outputs)
                active?.phase = .saving(ticket, next: .offset)
            } else {
                create(into: &outputs)
            }
        }
    }

    /// The source as it is now becomes what the upload is of; that has to be durable first.
    private mutating func create(into outputs: inout [EngineOutput]) {
        guard let current = active, let file = current.openFile else { return }
        sessions[current.index].transfers[file].fingerprint = current.source
        sessions[current.index].transfers[file].resource = nil
        let ticket = persist(current.index, into: &outputs)
        active?.phase = .saving(ticket, next: .create)
    }

    mutating func proceed(
        with step: ActiveSession.NextStep, at now: Instant, into outputs: inout [EngineOutput]
    ) {
        guard let current = active, let file = current.openFile else { return }
        let transfer = sessions[current.index].transfers[file]
        switch step {
        case .create:
            guard let size = transfer.fingerprint?.size else {
                preconditionFailure("an upload is created after its source was inspected")
            }
            ask(
                .create(
                    collection: Self.collection, object: transfer.destination, length: size),
                into: &outputs)
        case .append: append(from: .zero, at: now, into: &outputs)
        case .offset: ask(.offset(resource: transfer.resource ?? ""), into: &outputs)
        }
    }

    private mutating func ask(_ request: TusRequest, into outputs: inout [EngineOutput]) {
        guard let current = active, let connection = current.connection else { return }
        let head = request.head(host: sessions[current.index].account.host)
        let bytes = head.bytes
        outputs.append(.note(.asks(connection.id, head)))
        outputs.append(.write(connection.id, [.bytes(bytes)]))
        active?.connection?.written += ByteCount(UInt64(bytes.count))
        active?.phase = .asking(request)
    }

    private mutating func append(
        from offset: ByteCount, at now: Instant, into outputs: inout [EngineOutput]
    ) {
        guard let current = active, let file = current.openFile,
            let connection = current.connection
        else { return }
        let transfer = sessions[current.index].transfers[file]
        guard let resource = transfer.resource, let size = transfer.fingerprint?.size else {
            preconditionFailure("an append goes to an upload that was created")
        }
        guard offset < size else {
            completeFile(at: now, into: &outputs)
            return
        }
        let request = TusRequest.append(resource: resource, at: offset, length: size - offset)
        ask(request, into: &outputs)
        let bodyAt = active?.connection?.written ?? .zero
        outputs.append(
            .note(
                .sends(
                    transfer.id, resource: resource, from: offset, on: connection.id,
                    bodyAt: bodyAt)))
        active?.phase = .sending(
            ActiveSession.Append(
                request: request, from: offset, end: size, handedOver: offset, bodyAt: bodyAt,
                reported: offset))
        handOver(into: &outputs)
    }

    /// Keeps the connection supplied, but not further ahead than `writeAhead`.
    private mutating func handOver(into outputs: inout [EngineOutput]) {
        guard let current = active, let file = current.openFile,
            case .sending(var append) = current.phase, var connection = current.connection
        else { return }
        let ahead = connection.written - connection.taken
        guard ahead < Self.writeAhead, append.handedOver < append.end else { return }
        let count = min(Self.writeAhead - ahead, append.end - append.handedOver)
        let transfer = sessions[current.index].transfers[file]
        guard let known = transfer.fingerprint else {
            preconditionFailure("bytes are sent of a source that was inspected")
        }
        let piece = OutgoingPiece.file(
            path: transfer.source, offset: append.handedOver, length: count, known: known)
        outputs.append(.write(connection.id, [piece]))
        append.handedOver += count
        connection.written += count
        active?.phase = .sending(append)
        active?.connection = connection
    }

    mutating func taken(
        _ count: ByteCount, on id: ConnectionID, at now: Instant,
        into outputs: inout [EngineOutput]
    ) {
        guard var connection = active?.connection, connection.id == id else { return }
        precondition(count <= connection.written, "more was taken than was handed over")
        connection.taken = max(connection.taken, count)
        connection.lastActivity = now
        active?.connection = connection
        reportProgress(into: &outputs)
        handOver(into: &outputs)
    }

    /// The source was edited or taken away under the upload (error 35): the next attempt finds out
    /// what became of it.
    mutating func unreadable(
        _ id: ConnectionID, at now: Instant, into outputs: inout [EngineOutput]
    ) {
        guard active?.connection?.id == id else { return }
        fail(.diskRead, at: now, into: &outputs)
    }

    /// The app hears of each hundredth of a file, and of the last byte.
    private mutating func reportProgress(into outputs: inout [EngineOutput]) {
        guard let current = active, let file = current.openFile,
            case .sending(var append) = current.phase, let connection = current.connection,
            connection.taken > append.bodyAt
        else { return }
        let done = min(append.from + (connection.taken - append.bodyAt), append.end)
        let step = ByteCount(max(append.end.bytes / 100, 1))
        guard done >= append.reported + step || done == append.end && done > append.reported
        else { return }
        append.reported = done
        active?.phase = .sending(append)
        let name = sessions[current.index].transfers[file].source
        outputs.append(
            .callback(current.id, .progress(name: name, done: done, total: append.end)))
    }

    mutating func received(
        _ segments: [Segment], on id: ConnectionID, at now: Instant,
        into outputs: inout [EngineOutput]
    ) {
        guard let current = active, var connection = current.connection, connection.id == id
        else { return }
        let request = current.pendingRequest
        connection.lastActivity = now
        do {
            let heads = try connection.reader.read(segments, answering: request)
            active?.connection = connection
            for head in heads {
                outputs.append(.note(.isAnswered(id, head)))
                active?.askedToWait = head.retryAfter ?? .zero
                guard let request else { throw HTTPError(400, "an answer nobody asked for") }
                let answer = try TusResponse(parsing: head, to: request)
                take(answer, to: request, at: now, into: &outputs)
            }
        } catch {
            fail(.protocolViolation, at: now, into: &outputs)
        }
    }

    private mutating func take(
        _ answer: TusResponse, to request: TusRequest, at now: Instant,
        into outputs: inout [EngineOutput]
    ) {
        guard let current = active, let file = current.openFile else { return }
        let transfer = sessions[current.index].transfers[file]
        switch answer {
        case .created(let resource):
            sessions[current.index].transfers[file].resource = resource
            let ticket = persist(current.index, into: &outputs)
            active?.phase = .saving(ticket, next: .append)
        case .offset(let offset, let length):
            guard let fingerprint = transfer.fingerprint, length == fingerprint.size,
                offset <= length
            else {
                fail(.protocolViolation, at: now, into: &outputs)
                return
            }
            resume(at: offset, at: now, into: &outputs)
        case .appended(let offset):
            guard offset == transfer.fingerprint?.size else {
                fail(.protocolViolation, at: now, into: &outputs)
                return
            }
            completeFile(at: now, into: &outputs)
        case .terminated: create(into: &outputs)
        case .refused(let status, _):
            refused(status, request, at: now, into: &outputs)
        }
    }

    /// A source that is no longer what its upload began with is never joined to it (S2): what the
    /// server has of it is discarded (L5).
    private mutating func resume(
        at offset: ByteCount, at now: Instant, into outputs: inout [EngineOutput]
    ) {
        guard let current = active, let file = current.openFile else { return }
        let transfer = sessions[current.index].transfers[file]
        guard transfer.fingerprint == current.source || offset == transfer.fingerprint?.size else {
            outputs.append(.note(.startsOver(transfer.id, because: "the source has changed")))
            ask(.terminate(resource: transfer.resource ?? ""), into: &outputs)
            return
        }
        let resource = transfer.resource ?? ""
        outputs.append(.note(.resumes(transfer.id, resource: resource, at: offset)))
        append(from: offset, at: now, into: &outputs)
    }

    /// Every refusal has a way out (L2).
    private mutating func refused(
        _ status: Int, _ request: TusRequest, at now: Instant, into outputs: inout [EngineOutput]
    ) {
        guard let current = active, let file = current.openFile else { return }
        let transfer = sessions[current.index].transfers[file]
        switch (status, request) {
        case (404, .offset), (410, .offset):
            outputs.append(
                .note(.startsOver(transfer.id, because: "the server knows the upload no more")))
            create(into: &outputs)
        case (403, .terminate), (404, .terminate), (410, .terminate): create(into: &outputs)
        // No server of ours sends its clients away: somebody on the way wants to be seen first.
        case (300..<400, _): fail(.connectionFailed, at: now, into: &outputs)
        case (401, _): fail(.authorisation, at: now, into: &outputs)
        case (403, _): fail(.outsideDocroot, at: now, into: &outputs)
        case (413, _), (507, _): fail(.noSpace, at: now, into: &outputs)
        // The next attempt asks for the offset, or for the upload, anew.
        case (404, .append), (408, _), (409, _), (410, .append), (423, _), (429, _), (500..., _):
            fail(.peerEndedSession, at: now, into: &outputs)
        default: fail(.protocolViolation, at: now, into: &outputs)
        }
    }

    private mutating func completeFile(at now: Instant, into outputs: inout [EngineOutput]) {
        guard let current = active, let file = current.openFile else { return }
        sessions[current.index].transfers[file].isComplete = true
        let transfer = sessions[current.index].transfers[file]
        outputs.append(.note(.completes(transfer.id)))
        outputs.append(.callback(current.id, .didStopFile(name: transfer.source)))
        persist(current.index, into: &outputs)
        active?.openFile = nil
        beginNextFile(at: now, into: &outputs)
    }
}

extension ActiveSession {
    /// The request that waits for its answer.
    fileprivate var pendingRequest: TusRequest? {
        switch phase {
        case .asking(let request): request
        case .sending(let append): append.request
        case .connecting, .inspecting, .saving, .pausing, .waitingForNetwork, .settling: nil
        }
    }
}
