import Quantities
import RunLog

/// When the server was taking bytes, and what it made of them.
struct ServerBook: Sendable {
    private(set) var refusals = 0
    private(set) var publications = 0
    private var spans = LaneBook()
    /// Appends under way; two writers at one resource are two of them.
    private var appends: [(resource: ResourceName, from: Instant)] = []
    private var faultSpans = LaneBook()
    /// Faults that are on, and since when.
    private var faults: [(name: String, from: Instant)] = []

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

    /// When which faults could take effect.
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
