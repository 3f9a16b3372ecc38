import RunLog

/// A request and the status of its answer; `nil` if there was none.
package struct Exchange: Hashable, Sendable, CustomStringConvertible {
    package var method: String
    package var status: Int?

    package init(_ method: String, _ status: Int?) {
        self.method = method
        self.status = status
    }

    package var description: String { "\(method) \(status.map { "\($0)" } ?? "unanswered")" }
}

/// `the exchanges are POST 201, PATCH unanswered, HEAD 200, PATCH 204`: all that the apps asked, in
/// order, and what was answered.
struct ExchangesAre: Expectation {
    let wanted: [Exchange]

    var watch = Watch()
    var seen: [Exchange] = []
    /// The latest request of each connection, by its place in `seen`.
    var open: [Line: Int] = [:]

    /// A connection of one app.
    struct Line: Hashable, Sendable {
        var app: UInt16?
        var connection: ConnectionName
    }

    var statement: String { "the exchanges are \(Self.list(wanted))" }

    mutating func read(_ event: RunEvent) {
        switch event.fact {
        case .connection(.request(let connection, let method, _)):
            open[Line(app: event.app, connection: connection)] = seen.count
            seen.append(Exchange(method, nil))
        case .connection(.response(let connection, let status, _)):
            let line = Line(app: event.app, connection: connection)
            guard let place = open.removeValue(forKey: line) else { return }
            seen[place].status = status
        case .run(.ended) where seen != wanted: watch.fall(expected: statement, seen: difference)
        default: break
        }
    }

    /// All exchanges of a short run, or the first that differs.
    private var difference: String {
        guard seen.count > 12 else { return "they are \(Self.list(seen))" }
        let first = zip(seen, wanted).enumerated().first { $1.0 != $1.1 }?.offset
        let place = first ?? min(seen.count, wanted.count)
        let found = place < seen.count ? "\(seen[place])" : "missing"
        return "there are \(seen.count), and number \(place + 1) is \(found)"
    }

    private static func list(_ exchanges: [Exchange]) -> String {
        exchanges.map(\.description).joined(separator: ", ")
    }
}
