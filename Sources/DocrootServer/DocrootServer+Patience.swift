import Facts
import Protocols
package import Quantities

/// How long the server waits for clients: each one costs a place, and some never come back.
package struct Patience: Hashable, Sendable {
    /// For a whole head, counted from the connection or from the last answer: who sends one byte
    /// now and then is no better than who sends none.
    package var request: TimeSpan
    /// For the next byte of a body, or for room for the next byte of an answer.
    package var progress: TimeSpan

    package init(request: TimeSpan, progress: TimeSpan) {
        self.request = request
        self.progress = progress
    }
}

extension DocrootServer {
    /// Looked at so often; nobody minds if it takes that much longer.
    private static let interval = TimeSpan.seconds(1)

    mutating func connected(
        _ id: ServerConnectionID, from client: ClientAddress, into outputs: inout [ServerOutput]
    ) {
        if !faults.isEmpty { faults.connected(id) }
        guard exchanges.count < settings.connectionsLimit else {
            faults.disconnected(id)
            let error = HTTPError(
                503, "the server has \(settings.connectionsLimit) clients already",
                fields: [("Retry-After", "10"), ("Connection", "close")])
            outputs.append(
                .note(.refused(method: "?", target: "?", status: 503, why: error.reason)))
            outputs.append(.send(id, Self.refusal(error).segments))
            return outputs.append(.close(id))
        }
        var exchange = Exchange(client: client)
        exchange.lastProgress = now
        exchanges[id] = exchange
        if settings.tellsAnswers {
            outputs.append(.note(.connected(connection: id.number, client: client.description)))
        }
        if settings.patience != nil, nextLook == nil { nextLook = now + Self.interval }
    }

    /// Ends what has stood still for too long.
    mutating func look(into outputs: inout [ServerOutput]) {
        guard let patience = settings.patience, let due = nextLook, due <= now else { return }
        let late = exchanges.filter { id, exchange in
            if faults.isPaused(id) { return false }
            return switch exchange.state {
            case .idle: exchange.lastProgress + patience.request <= now
            case .appending, .gathering, .discarding, .sending:
                exchange.lastProgress + patience.progress <= now
            // It is the store that lets them wait, or the script.
            case .asking, .answering, .stalled, .withheld: false
            }
        }
        for id in late.keys.sorted(by: { $0.number < $1.number }) { giveUp(id, into: &outputs) }
        nextLook = exchanges.isEmpty ? nil : now + Self.interval
    }

    private mutating func giveUp(
        _ id: ServerConnectionID, into outputs: inout [ServerOutput]
    ) {
        switch exchanges[id]?.state {
        case .sending(let download):
            exchanges[id] = nil
            faults.disconnected(id)
            breakOff(download, "the reader takes nothing", into: &outputs)
            outputs.append(.abort(id))
            tellEnd(of: id, into: &outputs)
        case .appending(let upload):
            // First, so that its staging goes: whoever is refused is in the middle of nothing.
            releaseWriter(of: upload, into: &outputs)
            fallthrough
        case .gathering:
            refuse(HTTPError(408, "nothing has come for too long"), on: id, into: &outputs)
            if exchanges[id] != nil { drop(id, into: &outputs) }
        case .idle, .discarding, .asking, .answering, .stalled, .withheld: drop(id, into: &outputs)
        case nil: break
        }
    }
}
