import Checks
package import Quantities

/// A run over time: lanes of activity, and the turning points.
package struct Timeline: Hashable, Sendable, Codable {
    package var lanes: [Lane] = []
    package var moments: [Moment] = []
    package var momentsLeftOut = 0
    package var lanesLeftOut = 0

    package struct Lane: Hashable, Sendable, Codable {
        package enum Kind: String, Hashable, Sendable, Codable {
            case app, disk, session, network, connections, server, faults
        }

        package var kind: Kind
        package var title: String
        package var spans: [Span]
        package var spansLeftOut = 0
    }

    package struct Span: Hashable, Sendable, Codable {
        package var from: Instant
        package var to: Instant
        package var state: State
        package var label: String
    }

    package enum State: String, Hashable, Sendable, Codable, CaseIterable {
        case alive
        /// Alive in the background, and suspended.
        case background, suspended
        case waiting, running, retrying
        /// The session's app is dead.
        case interrupted
        case connecting, connected
        case receiving
        case faulty
    }

    /// A turning point of the run.
    package struct Moment: Hashable, Sendable, Codable {
        package enum Kind: String, Hashable, Sendable, Codable {
            case killed, launched, resumed, startedOver, published, failed, refused, lost, fault,
                breach
        }

        package var at: Instant
        /// The index of its event in the log, counted from 0.
        package var event: Int
        package var kind: Kind
        package var sentence: String
    }

    /// Adds the moment at which a rule failed, in order of time.
    mutating func addBreach(of rule: String, _ breach: Breach) {
        let moment = Moment(
            at: breach.at, event: breach.event, kind: .breach, sentence: "\(rule) failed")
        let place = moments.firstIndex { $0.at > breach.at } ?? moments.endIndex
        moments.insert(moment, at: place)
    }
}
