import Quantities
import RunLog

/// The times at which the server received bytes, its connections and faults, and the number of
/// publications.
struct ServerBook: Sendable {
    private(set) var refusals = 0
    private(set) var publications = 0
    /// Appends by resource; two writers of one resource are two appends.
    private var appends = OverlappingSpans(state: .receiving)
    private var faults = OverlappingSpans(state: .faulty)
    private var connections = OverlappingSpans(state: .connected)
    private var connectionsLeftOut = 0

    /// The largest number of open connections that are drawn.
    private static let connectionLimit = 12

    mutating func read(_ fact: ServerFact, at now: Instant) {
        switch fact {
        case .appendBegan(let resource, _, _):
            appends.begin(resource.path, label: "appends to \(resource)", at: now)
        case .appendEnded(let resource, _, _): appends.end(resource.path, at: now)
        case .connected(let number, let client):
            if connections.openCount < Self.connectionLimit {
                connections.begin("\(number)", label: "\(client), \(number)", at: now)
            } else {
                connectionsLeftOut += 1
            }
        case .disconnected(let number): connections.end("\(number)", at: now)
        case .published: publications += 1
        case .refused: refusals += 1
        case .faultSwitched(let name, true): faults.begin(name, label: name, at: now)
        case .faultSwitched(let name, false): faults.end(name, at: now)
        case .created, .acknowledged, .discarded, .reading, .readingBroken, .removed, .lost,
            .leftOver, .answered, .fault, .listening, .statusShown, .certificateKept, .visited,
            .visitAnswered,
            .visitUnanswered, .tokenIssued, .credentialRefused:
            break
        }
    }

    func lanes(until end: Instant) -> [Timeline.Lane] {
        var connections = connections.lane(.connections, title: "Connections", until: end)
        connections.spansLeftOut += connectionsLeftOut
        return [
            appends.lane(.server, title: "Server", until: end), connections,
            faults.lane(.faults, title: "Faults", until: end),
        ]
    }
}

/// A lane on which several spans can be open at a time, each with a key.
private struct OverlappingSpans: Sendable {
    let state: Timeline.State
    private var ended = LaneBook()
    private var open: [(key: String, label: String, from: Instant)] = []

    init(state: Timeline.State) { self.state = state }

    var openCount: Int { open.count }

    mutating func begin(_ key: String, label: String, at now: Instant) {
        open.append((key, label, now))
    }

    mutating func end(_ key: String, at now: Instant) {
        guard let place = open.firstIndex(where: { $0.key == key }) else { return }
        let span = open.remove(at: place)
        ended.add(.init(from: span.from, to: now, state: state, label: span.label))
    }

    func lane(_ kind: Timeline.Lane.Kind, title: String, until end: Instant) -> Timeline.Lane {
        var finished = self
        for span in open { finished.end(span.key, at: end) }
        return finished.ended.lane(kind, title: title, until: end)
    }
}
