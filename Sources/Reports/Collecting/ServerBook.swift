import Quantities
import RunLog

/// When the server was receiving bytes, and what it published.
struct ServerBook: Sendable {
    private(set) var refusals = 0
    private(set) var publications = 0
    private var spans = LaneBook()
    /// Appends under way; two writers of one resource are two appends.
    private var appends: [(resource: ResourceName, from: Instant)] = []
    private var faultSpans = LaneBook()
    /// Active faults and when they began.
    private var faults: [(name: String, from: Instant)] = []
    private var connectionSpans = LaneBook()
    /// Open connections, as far as there is room to draw them.
    private var connections: [(number: UInt32, client: String, from: Instant)] = []
    private var connectionsLeftOut = 0

    private static let connectionLimit = 12

    mutating func read(_ fact: ServerFact, at now: Instant) {
        switch fact {
        case .appendBegan(let resource, _, _):
            appends.append((resource, now))
        case .appendEnded(let resource, _, _):
            guard let place = appends.firstIndex(where: { $0.resource == resource }) else { return }
            let append = appends.remove(at: place)
            spans.add(Self.span(of: append.resource, from: append.from, to: now))
        case .connected(let number, let client):
            guard connections.count < Self.connectionLimit else {
                connectionsLeftOut += 1
                return
            }
            connections.append((number, client, now))
        case .disconnected(let number):
            guard let place = connections.firstIndex(where: { $0.number == number }) else {
                return
            }
            connectionSpans.add(Self.span(of: connections.remove(at: place), to: now))
        case .published: publications += 1
        case .refused: refusals += 1
        case .faultSwitched(let name, true): faults.append((name, now))
        case .faultSwitched(let name, false):
            guard let place = faults.firstIndex(where: { $0.name == name }) else { return }
            faultSpans.add(Self.span(of: faults.remove(at: place), to: now))
        case .created, .acknowledged, .discarded, .reading, .readingBroken, .removed, .answered,
            .fault, .listening, .statusShown:
            break
        }
    }

    func lane(until end: Instant) -> Timeline.Lane {
        var finished = spans
        for append in appends {
            finished.add(Self.span(of: append.resource, from: append.from, to: end))
        }
        return finished.lane(.server, title: "Server", until: end)
    }

    /// Returns the connections of a recorded server.
    func connectionLane(until end: Instant) -> Timeline.Lane {
        var finished = connectionSpans
        for connection in connections { finished.add(Self.span(of: connection, to: end)) }
        var lane = finished.lane(.connections, title: "Connections", until: end)
        lane.spansLeftOut += connectionsLeftOut
        return lane
    }

    private static func span(
        of connection: (number: UInt32, client: String, from: Instant), to: Instant
    ) -> Timeline.Span {
        .init(
            from: connection.from, to: to, state: .connected,
            label: "\(connection.client), \(connection.number)")
    }

    /// Returns the times at which faults were on.
    func faultLane(until end: Instant) -> Timeline.Lane {
        var finished = faultSpans
        for fault in faults { finished.add(Self.span(of: fault, to: end)) }
        return finished.lane(.faults, title: "Faults", until: end)
    }

    private static func span(
        of fault: (name: String, from: Instant), to: Instant
    ) -> Timeline.Span {
        .init(from: fault.from, to: to, state: .faulty, label: fault.name)
    }

    private static func span(
        of resource: ResourceName, from: Instant, to: Instant
    ) -> Timeline.Span {
        .init(from: from, to: to, state: .receiving, label: "appends to \(resource)")
    }
}
