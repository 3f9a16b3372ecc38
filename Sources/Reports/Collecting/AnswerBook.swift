import Quantities
import RunLog

/// The clients of a recorded server, with their requests and answers.
struct AnswerBook: Sendable {
    /// The limits of the lists: there may be many clients, and they may invent methods.
    static let clientLimit = 100
    static let answerLimit = 100

    private(set) var requests = 0
    /// Whether a server has reported its address.
    private var isServed = false
    private var clients: [ServiceFigures.Client] = []
    private var places: [String: Int] = [:]
    private var requestsLeftOut = 0
    private var answers: [Kind: Int] = [:]
    private var answersLeftOut = 0
    private var faults: [ServiceFigures.Fault] = []

    private struct Kind: Hashable { var method: String, status: Int }

    mutating func read(_ fact: ServerFact, at now: Instant) {
        switch fact {
        case .listening: isServed = true
        case .answered(_, let client, let method, _, let status):
            requests += 1
            count(Kind(method: method, status: status))
            let isKnown = change(client, at: now) { client in
                client.requests += 1
                if status >= 400 { client.failures += 1 }
            }
            if !isKnown { requestsLeftOut += 1 }
        case .fault(let name, _, let client, _, _):
            _ = change(client, at: now) { $0.faults += 1 }
            if let place = faults.firstIndex(where: { $0.name == name }) {
                faults[place].count += 1
            } else {
                faults.append(.init(name: name, count: 1))
            }
        case .created, .acknowledged, .appendBegan, .appendEnded, .published, .refused,
            .discarded, .reading, .readingBroken, .removed, .lost, .leftOver, .faultSwitched,
            .statusShown, .certificateKept, .connected, .disconnected, .visited, .visitAnswered,
            .visitUnanswered, .tokenIssued, .credentialRefused:
            break
        }
    }

    /// The figures; `nil` if only a scenario's app was served.
    var figures: ServiceFigures? {
        guard isServed else { return nil }
        let sorted = answers.sorted {
            ($0.key.method, $0.key.status) < ($1.key.method, $1.key.status)
        }
        return ServiceFigures(
            clients: clients, requestsLeftOut: requestsLeftOut,
            answers: sorted.map {
                .init(method: $0.key.method, status: $0.key.status, count: $0.value)
            }, answersLeftOut: answersLeftOut, faults: faults)
    }

    private mutating func count(_ kind: Kind) {
        if answers[kind] == nil, answers.count >= Self.answerLimit {
            answersLeftOut += 1
        } else {
            answers[kind, default: 0] += 1
        }
    }

    /// Changes an entry; returns false if there is no room for a new entry.
    private mutating func change(
        _ client: String?, at now: Instant, _ edit: (inout ServiceFigures.Client) -> Void
    ) -> Bool {
        guard let client else { return false }
        if places[client] == nil {
            guard clients.count < Self.clientLimit else { return false }
            places[client] = clients.count
            clients.append(.init(address: client, firstAt: now, lastAt: now))
        }
        guard let place = places[client] else { return false }
        clients[place].lastAt = now
        edit(&clients[place])
        return true
    }
}
