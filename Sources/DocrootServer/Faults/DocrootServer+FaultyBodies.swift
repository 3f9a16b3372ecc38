import Content
import Protocols
import Quantities

/// Faults of bodies, in and out.
extension DocrootServer {
    // MARK: In

    /// Takes as much of a body as the script lets through.
    mutating func spoilBody(
        _ segments: [Segment], of id: UploadID, from writer: ServerConnectionID
    ) {
        var rest = segments
        while true {
            while let index = faults.next(at: .received, on: writer) {
                guard spoilBody(of: id, by: index, from: writer) else { return }
            }
            if faults.isPaused(writer) { return stall(id, rest, on: writer) }
            guard !rest.isEmpty else { return }
            let (part, later) = rest.split(at: faults.room(.received, on: writer))
            faults.pass(part.length, .received, on: writer, at: now)
            handOver(part, to: id)
            // The storage limit may have ended the request.
            guard uploads[id]?.writer == writer else { return }
            rest = later
        }
    }

    /// Applies a rule to a body; returns whether the request goes on.
    private mutating func spoilBody(
        of id: UploadID, by index: Int, from writer: ServerConnectionID
    ) -> Bool {
        let place = "after \(faults.requests[writer]?.received ?? .zero) of its body"
        switch faults.rules[index].rule.fault {
        case .answer(let status, let retryAfter):
            tell(index, "it is answered with \(status) \(place)", on: writer)
            cutShort(failure(status, retryAfter), of: id, from: writer)
        case .expireToken:
            expireToken(by: index, on: writer)
            cutShort(ServerSettings.expired, of: id, from: writer)
        case .fillDisk:
            tell(index, "the disk is full \(place)", on: writer)
            storeFailed(id, StoreFailure(.noSpace, "the disk is full"))
        case .reset, .close, .stall, .slow, .loseAnswer, .repeatAnswer, .sendInChunks, .ignore,
            .sendAnotherRange, .sendWrongContentRange, .sendAnotherTag, .sendField, .keepLock,
            .quota, .restart, .losePower, .clock, .malformed:
            return hamper(writer, by: index, "taken", place)
        }
        return false
    }

    /// Answers in the middle of a body, whose rest nobody wants.
    private mutating func cutShort(
        _ error: HTTPError, of id: UploadID, from writer: ServerConnectionID
    ) {
        releaseWriter(of: id)
        refuse(error, on: writer)
        if exchanges[writer] != nil { drop(writer) }
    }

    /// Stalls an upload; bytes not yet taken wait before all that follow.
    private mutating func stall(_ id: UploadID, _ rest: [Segment], on writer: ServerConnectionID) {
        guard let exchange = exchanges[writer] else { return }
        exchanges[writer]?.waiting = rest.map { .body($0) } + exchange.waiting
        exchanges[writer]?.state = .stalled(id)
        guard !exchange.isHeld else { return }
        exchanges[writer]?.isHeld = true
        outputs.append(.hold(writer))
    }

    // MARK: Out

    /// Applies the script to an object; returns whether more of it may be sent now.
    mutating func spoilObject(on id: ServerConnectionID) -> Bool {
        while let index = faults.next(at: .sent, on: id) {
            let place = "after \(faults.requests[id]?.sent ?? .zero) of the answer"
            guard hamper(id, by: index, "sent", place) else { return false }
        }
        return !faults.isPaused(id)
    }

    // MARK: Both

    /// Stops or slows bytes that are taken or sent; returns whether the request goes on.
    private mutating func hamper(
        _ id: ServerConnectionID, by index: Int, _ action: String, _ place: String
    ) -> Bool {
        switch faults.rules[index].rule.fault {
        case .reset, .close: cut(id, by: index, place)
        case .restart: restart(by: index, on: id)
        case .losePower: return losePower(by: index, on: id)
        case .stall(let time):
            tell(index, "nothing more is \(action) \(place)", on: id)
            pause(id, by: index, for: time)
            return true
        case .slow(let rate):
            tell(index, "it is \(action) at \(rate) \(place)", on: id)
            faults.requests[id]?.slowedBy = index
            return true
        case .answer, .loseAnswer, .repeatAnswer, .sendInChunks, .ignore, .sendAnotherRange,
            .sendWrongContentRange, .sendAnotherTag, .sendField, .keepLock, .expireToken, .fillDisk,
            .quota, .clock, .malformed:
            preconditionFailure("\(faults.rules[index].rule) is no rule about bodies")
        }
        return false
    }
}
