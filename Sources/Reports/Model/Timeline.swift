package import Quantities

/// A run over time: lanes of activity, and the turning points.
package struct Timeline: Hashable, Sendable, Codable {
    package var lanes: [Lane] = []
    package var moments: [Moment] = []
    package var momentsLeftOut = 0

    package struct Lane: Hashable, Sendable, Codable {
        package enum Kind: String, Hashable, Sendable, Codable, CaseIterable {
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
        /// How many spans are drawn as one, because they are near to each other; `nil`: one.
        package var count: Int?

        /// The label, with the number of spans that are drawn as one.
        package var words: String { count.map { "\(label) and \($0 - 1) more" } ?? label }
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
        package enum Kind: String, Hashable, Sendable, Codable, CaseIterable {
            case killed, launched, resumed, startedOver, published, failed, refused, lost, fault,
                breach
        }

        package var at: Instant
        /// The index of its event in the log, counted from 0.
        package var event: Int
        package var kind: Kind
        package var sentence: String
        /// How many events of the kind are merged in it, and when the last one was; `nil`: one.
        package var count: Int?
        package var until: Instant?

        /// The sentence, with the number of events that are merged in it.
        package var words: String {
            guard let count, let until else { return sentence }
            return "×\(count) until \(until.told); the first: \(sentence)"
        }
    }

    /// Adds the moment to which breaches are traced, in order of time; breaches with the same
    /// origin share a moment.
    mutating func addBreaches(_ causes: [BreachCause]) {
        var rest = causes[...]
        while let cause = rest.first {
            let same = rest.filter { $0.at == cause.at && $0.event == cause.event }
            rest = rest.filter { $0.at != cause.at || $0.event != cause.event }[...]
            let isStill = cause.at == cause.lastMovement?.at && cause.stillFor > .zero
            let rules = same.map(\.rule).joined(separator: ", ")
            let moment = Moment(
                at: cause.at, event: cause.event, kind: .breach,
                sentence: "\(rules) failed" + (isStill ? ": nothing moved from here on" : ""))
            let place = moments.firstIndex { $0.at > cause.at } ?? moments.endIndex
            moments.insert(moment, at: place)
        }
    }
}
