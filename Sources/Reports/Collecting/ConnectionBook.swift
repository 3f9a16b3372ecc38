import Quantities
import RunLog

/// The fate of each connection.
struct ConnectionBook: Sendable {
    static let limit = 200

    private(set) var figures: [ConnectionFigures] = []
    private(set) var leftOut = 0
    private(set) var requests = 0
    private var places: [ConnectionName: Int] = [:]
    private var lane = LaneBook()
    /// The open connections: when each was opened, and when it was established.
    private var open: [ConnectionName: (from: Instant, establishedAt: Instant?)] = [:]

    mutating func read(_ fact: ConnectionFact, at now: Instant) {
        draw(fact, at: now)
        switch fact {
        case .opening(let connection, let peer, _):
            guard figures.count < Self.limit else {
                leftOut += 1
                return
            }
            places[connection] = figures.count
            figures.append(.init(connection: connection, peer: peer, openedAt: now))
        case .securing(let connection, let security):
            change(connection) {
                $0.reachedAt = now
                $0.security = security
            }
        case .bound(let connection, let interface):
            change(connection) { $0.interface = interface }
        case .attempt, .attemptEnded: break
        case .established(let connection):
            change(connection) { $0.establishedAt = now }
        case .request(let connection, _, _):
            requests += 1
            change(connection) { $0.requests += 1 }
        case .response(let connection, let status, _):
            change(connection) { $0.lastStatus = status }
        case .ended(let connection, let why, let transmitted):
            change(connection) {
                $0.endedAt = now
                $0.why = why
                $0.transmitted = transmitted
            }
            places[connection] = nil
        }
    }

    /// Follows the connection in the lane, which has room for all of them.
    private mutating func draw(_ fact: ConnectionFact, at now: Instant) {
        switch fact {
        case .opening(let connection, _, _): open[connection] = (now, nil)
        case .established(let connection): open[connection]?.establishedAt = now
        case .ended(let connection, _, _): Self.close(connection, in: &open, &lane, at: now)
        case .securing, .bound, .attempt, .attemptEnded, .request, .response: break
        }
    }

    private static func close(
        _ connection: ConnectionName,
        in open: inout [ConnectionName: (from: Instant, establishedAt: Instant?)],
        _ lane: inout LaneBook, at now: Instant
    ) {
        guard let times = open.removeValue(forKey: connection) else { return }
        let connected = times.establishedAt ?? now
        lane.add(
            .init(from: times.from, to: connected, state: .connecting, label: "\(connection)"))
        guard times.establishedAt != nil else { return }
        lane.add(.init(from: connected, to: now, state: .connected, label: "\(connection)"))
    }

    func lane(until end: Instant) -> Timeline.Lane {
        var (open, lane) = (open, lane)
        let rest = open.keys.sorted { ($0.launch, $0.number) < ($1.launch, $1.number) }
        for connection in rest { Self.close(connection, in: &open, &lane, at: end) }
        return lane.lane(.connections, title: "Connections", until: end)
    }

    private mutating func change(
        _ connection: ConnectionName, _ edit: (inout ConnectionFigures) -> Void
    ) {
        guard let place = places[connection] else { return }
        edit(&figures[place])
    }
}
