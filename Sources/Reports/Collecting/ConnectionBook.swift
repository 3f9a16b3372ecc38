import Quantities
import RunLog

/// The fate of each connection.
struct ConnectionBook: Sendable {
    static let limit = 200

    private(set) var figures: [ConnectionFigures] = []
    private(set) var leftOut = 0
    private(set) var requests = 0
    private var places: [ConnectionName: Int] = [:]

    mutating func read(_ fact: ConnectionFact, at now: Instant) {
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

    func lane(until end: Instant) -> Timeline.Lane {
        var spans: [Timeline.Span] = []
        for row in figures {
            let ended = row.endedAt ?? end
            let label = "\(row.connection)"
            let connected = row.establishedAt ?? ended
            spans.append(
                .init(from: row.openedAt, to: connected, state: .connecting, label: label))
            if row.establishedAt != nil {
                spans.append(.init(from: connected, to: ended, state: .connected, label: label))
            }
        }
        return Timeline.Lane(
            kind: .connections, title: "Connections", spans: spans.sorted { $0.from < $1.from },
            spansLeftOut: leftOut)
    }

    private mutating func change(
        _ connection: ConnectionName, _ edit: (inout ConnectionFigures) -> Void
    ) {
        guard let place = places[connection] else { return }
        edit(&figures[place])
    }
}
