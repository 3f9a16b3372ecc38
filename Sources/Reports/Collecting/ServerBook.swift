import Quantities
import RunLog

/// When the server was taking bytes, and what it made of them.
struct ServerBook: Sendable {
    private(set) var refusals = 0
    private(set) var publications = 0
    private var spans = LaneBook()
    /// Appends under way; two writers at one resource are two of them.
    private var appends: [(resource: ResourceName, from: Instant)] = []

    mutating func read(_ fact: ServerFact, at now: Instant) {
        switch fact {
        case .appendBegan(let resource, _, _):
            appends.append((resource, now))
        case .appendEnded(let resource, _, _):
            guard let place = appends.firstIndex(where: { $0.resource == resource }) else { return }
            let append = appends.remove(at: place)
            spans.add(Self.span(of: append.resource, from: append.from, to: now))
        case .published: publications += 1
        case .refused: refusals += 1
        case .created, .acknowledged, .discarded, .reading, .readingBroken, .removed, .answered,
            .listening:
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

    private static func span(
        of resource: ResourceName, from: Instant, to: Instant
    ) -> Timeline.Span {
        .init(from: from, to: to, state: .receiving, label: "appends to \(resource)")
    }
}
