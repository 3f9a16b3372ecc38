import RunLog

/// The table of all sessions that an app's callbacks make, row by row (A12). Each callback must fit
/// the rows that the ones before have made: a table view that is told of another row shows the
/// wrong session, or ends the app.
struct ToldRows: Sendable {
    private(set) var sessions: [ItemName] = []

    init(_ sessions: [ItemName] = []) { self.sessions = sessions }

    /// Takes a change of a session's row.
    mutating func change(_ session: ItemName, _ change: RowChange) throws(NotAllowed) {
        switch change {
        case .inserted(let row):
            guard (0...sessions.count).contains(row), !sessions.contains(session) else {
                throw NotAllowed(
                    expected: "a new row between 0 and \(sessions.count), of a session without one")
            }
            sessions.insert(session, at: row)
        case .removed(let row):
            try expect(session, at: row)
            sessions.remove(at: row)
        case .moved(let row, let place):
            try expect(session, at: row)
            guard sessions.indices.contains(place) else {
                throw NotAllowed(expected: "a row from 0 to \(sessions.count - 1)")
            }
            sessions.insert(sessions.remove(at: row), at: place)
        case .updated(let row): try expect(session, at: row)
        }
    }

    private func expect(_ session: ItemName, at row: Int) throws(NotAllowed) {
        guard let place = sessions.firstIndex(of: session) else {
            throw NotAllowed(expected: "the row of a session that has one")
        }
        guard place != row else { return }
        throw NotAllowed(expected: "the row of \(session), which is \(place)")
    }
}
