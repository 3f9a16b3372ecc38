import Content
import Protocols
import Quantities

/// Faults of bodies, in and out.
extension DocrootServer {
    // MARK: In

    /// Takes as much of a body as the script lets through.
    mutating func spoilBody(
        _ segments: [Segment], of id: UploadID, from writer: ServerConnectionID,
        into outputs: inout [ServerOutput]
    ) {
        var rest = segments
        while true {
            while let index = faults.next(at: .received, on: writer) {
                guard spoilBody(of: id, by: index, from: writer, into: &outputs) else { return }
            }
            if faults.isPaused(writer) { return stall(id, rest, on: writer, into: &outputs) }
            guard !rest.isEmpty else { return }
            let (part, later) = rest.split(at: faults.room(.received, on: writer))
            faults.pass(part.length, .received, on: writer, at: now)
            handOver(part, to: id, into: &outputs)
            // The storage limit may have ended the request.
            guard uploads[id]?.writer == writer else { return }
            rest = later
        }
    }

    /// Applies a rule to a body; returns whether the request goes on.
    private mutating func spoilBody(
        of id: UploadID, by index: Int, from writer: ServerConnectionID,
        into outputs: inout [ServerOutput]
    ) -> Bool {
        let place = "after \(faults.request(on: writer)?.received ?? .zero) of its body"
        switch faults.rules[index].rule.fault {
        case .answer(let status, let retryAfter):
            tell(index, "it is answered with \(status) \(place)", on: writer, into: &outputs)
            cutShort(failure(status, retryAfter), of: id, from: writer, into: &outputs)
        case .expireToken:
            expireToken(by: index, on: writer, into: &outputs)
            cutShort(ServerSettings.expired, of: id, from: writer, into: &outputs)
        case .fillDisk:
            tell(index, "the disk is full \(place)", on: writer, into: &outputs)
            storeFailed(id, StoreFailure(.noSpace, "the disk is full"), into: &outputs)
        case .reset, .close: cut(writer, by: index, place, into: &outputs)
        case .restart: restart(by: index, on: writer, into: &outputs)
        case .stall(let time):
            tell(index, "nothing more is taken \(place)", on: writer, into: &outputs)
            pause(writer, by: index, for: time)
            return true
        case .slow(let rate):
            tell(index, "it is taken at \(rate) \(place)", on: writer, into: &outputs)
            faults.change(writer) { $0.slowedBy = index }
            return true
        case .ignore, .sendAnotherRange, .quota, .loseAnswer, .repeatAnswer, .sendWrongContentRange,
            .sendAnotherTag, .clock, .malformed:
            preconditionFailure("\(faults.rules[index].rule) is no rule about bodies")
        }
        return false
    }

    /// Answers in the middle of a body, whose rest nobody wants.
    private mutating func cutShort(
        _ error: HTTPError, of id: UploadID, from writer: ServerConnectionID,
        into outputs: inout [ServerOutput]
    ) {
        releaseWriter(of: id, into: &outputs)
        refuse(error, on: writer, into: &outputs)
        if exchanges[writer] != nil { drop(writer, into: &outputs) }
    }

    /// Stalls an upload; bytes not yet taken wait before all that follow.
    private mutating func stall(
        _ id: UploadID, _ rest: [Segment], on writer: ServerConnectionID,
        into outputs: inout [ServerOutput]
    ) {
        guard let exchange = exchanges[writer] else { return }
        exchanges[writer]?.waiting = rest.map { .body($0) } + exchange.waiting
        exchanges[writer]?.state = .stalled(id)
        guard !exchange.isHeld else { return }
        exchanges[writer]?.isHeld = true
        outputs.append(.hold(writer))
    }

    // MARK: Out

    /// Applies the script to an object; returns whether more of it may be sent now.
    mutating func spoilObject(
        on id: ServerConnectionID, into outputs: inout [ServerOutput]
    ) -> Bool {
        while let index = faults.next(at: .sent, on: id) {
            let place = "after \(faults.request(on: id)?.sent ?? .zero) of the answer"
            switch faults.rules[index].rule.fault {
            case .reset, .close:
                cut(id, by: index, place, into: &outputs)
                return false
            case .restart:
                restart(by: index, on: id, into: &outputs)
                return false
            case .stall(let time):
                tell(index, "nothing more is sent \(place)", on: id, into: &outputs)
                pause(id, by: index, for: time)
            case .slow(let rate):
                tell(index, "it is sent at \(rate) \(place)", on: id, into: &outputs)
                faults.change(id) { $0.slowedBy = index }
            case .answer, .loseAnswer, .repeatAnswer, .ignore, .sendAnotherRange,
                .sendWrongContentRange,
                .sendAnotherTag, .expireToken, .fillDisk, .quota, .clock, .malformed:
                preconditionFailure("\(faults.rules[index].rule) is no rule about objects")
            }
        }
        return !faults.isPaused(id)
    }
}
