import Checks
package import Quantities

/// A run laid out in time: who was busy with what, and the moments that changed its course.
package struct Timeline: Hashable, Sendable, Codable {
    package var lanes: [Lane] = []
    package var moments: [Moment] = []
    package var momentsLeftOut = 0
    package var lanesLeftOut = 0

    package init() {}

    package struct Lane: Hashable, Sendable, Codable {
        package enum Kind: String, Hashable, Sendable, Codable {
            case app, disk, session, network, connections, server, faults
        }

        package var kind: Kind
        package var title: String
        package var spans: [Span]
        package var spansLeftOut: Int

        package init(kind: Kind, title: String, spans: [Span], spansLeftOut: Int = 0) {
            self.kind = kind
            self.title = title
            self.spans = spans
            self.spansLeftOut = spansLeftOut
        }
    }

    package struct Span: Hashable, Sendable, Codable {
        package var from: Instant
        package var to: Instant
        package var state: State
        package var label: String

        package init(from: Instant, to: Instant, state: State, label: String) {
            self.from = from
            self.to = to
            self.state = state
            self.label = label
        }
    }

    /// What somebody was doing for a while.
    package enum State: String, Hashable, Sendable, Codable, CaseIterable {
        case alive
        /// Alive, but not in front; and standing still.
        case background, suspended
        case waiting, running, retrying
        /// The app died under a session; nobody works for it.
        case interrupted
        case connecting, connected
        case receiving
        /// The server fails on purpose.
        case faulty
    }

    /// A moment after which things were different.
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

        package init(at: Instant, event: Int, kind: Kind, sentence: String) {
            self.at = at
            self.event = event
            self.kind = kind
            self.sentence = sentence
        }
    }

    /// Shows where a rule broke, in order of time.
    mutating func addBreach(of rule: String, _ breach: Breach) {
        let moment = Moment(
            at: breach.at, event: breach.event, kind: .breach, sentence: "\(rule) is broken")
        let place = moments.firstIndex { $0.at > breach.at } ?? moments.endIndex
        moments.insert(moment, at: place)
    }
}
