import Facts
import Protocols
package import Quantities

/// How long the server waits for clients. Each one takes a place, and some never come back.
package struct Patience: Hashable, Sendable {
    /// The limit for a whole head, from the connection or the last answer. A client that sends a
    /// byte now and then is no better than a silent one.
    package var request: TimeSpan
    /// The limit for the next byte of a body, or for room for the next byte of an answer.
    package var progress: TimeSpan

    package init(request: TimeSpan, progress: TimeSpan) {
        self.request = request
        self.progress = progress
    }
}

extension DocrootServer {
    /// The interval between checks; a limit may be exceeded by that much.
    private static let interval = TimeSpan.seconds(1)

    mutating func connected(_ id: ServerConnectionID, from client: ClientAddress) {
        if !faults.isEmpty { faults.connected(id) }
        guard exchanges.count < settings.connectionsLimit else {
            faults.disconnected(id)
            let error = HTTPError(
                503, "the server has \(settings.connectionsLimit) clients already",
                fields: [("Retry-After", "10"), ("Connection", "close")])
            note(.refused(method: "?", target: "?", status: 503, why: error.reason))
            outputs.append(.send(id, Self.refusal(error).segments))
            return outputs.append(.close(id))
        }
        exchanges[id] = Exchange(client: client, lastProgress: now)
        if settings.tellsAnswers {
            note(.connected(connection: id.number, client: client.description))
        }
        if settings.patience != nil, nextLook == nil { nextLook = now + Self.interval }
    }

    /// Ends connections that have stood still for too long.
    mutating func look() {
        guard let patience = settings.patience, let due = nextLook, due <= now else { return }
        let late = exchanges.filter { id, exchange in
            if faults.isPaused(id) { return false }
            return switch exchange.state {
            case .idle: exchange.lastProgress + patience.request <= now
            case .appending, .gathering, .discarding, .sending:
                exchange.lastProgress + patience.progress <= now
            // These wait for the store or the script.
            case .asking, .answering, .stalled, .withheld: false
            }
        }
        for id in late.keys.sorted(by: { $0.number < $1.number }) { giveUp(id) }
        nextLook = exchanges.isEmpty ? nil : now + Self.interval
    }

    private mutating func giveUp(_ id: ServerConnectionID) {
        switch exchanges[id]?.state {
        case .sending:
            outputs.append(.abort(id))
            disconnected(id, because: "the reader takes nothing")
        case .appending(let upload):
            // First, so that its staging area goes: a refused client must not be in the middle of
            // an upload.
            releaseWriter(of: upload)
            fallthrough
        case .gathering:
            refuse(HTTPError(408, "nothing has come for too long"), on: id)
            if exchanges[id] != nil { drop(id) }
        case .idle, .discarding, .asking, .answering, .stalled, .withheld: drop(id)
        case nil: break
        }
    }
}
