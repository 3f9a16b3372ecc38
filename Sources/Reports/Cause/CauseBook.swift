import Checks
import Quantities
import RunLog

/// Reads a log up to a breach, and keeps what led to it.
struct CauseBook {
    /// The number of events before a breach.
    private static let length = 8

    private let rule: String
    private let breach: Breach
    private let names: RunNames
    /// The item that the breach names, such as `session 2`.
    private let item: String?
    private var story: (any BreachStory)?
    private var troubles = TroubleBook()
    private var recent: [EventExcerpt.Row] = []
    private var lastMovement: EventExcerpt.Row?
    /// What each file of an item, or each upload, had moved at last.
    private var moved: [String: ByteCount] = [:]
    /// The names of the item and of its transfers.
    private var aliases: Set<String> = []
    /// The connections and uploads of the item.
    private var connections: Set<ConnectionName> = []
    private var resources: Set<ResourceName> = []
    private var isAtEnd = false
    /// Whether flows move bytes, which no event tells.
    private var hasFlows = false

    init(of verdict: Verdict, _ breach: Breach, _ names: RunNames) {
        rule = verdict.rule
        self.breach = breach
        self.names = names
        item = Self.items(in: "\(breach.seen) \(breach.expected)").first
        aliases = Set([item].compactMap(\.self))
        story = verdict.subject?.story(of: breach, names)
    }

    /// Reads an event of the log; events after the breach are no cause.
    mutating func read(_ event: RunEvent, index: Int) {
        guard index <= breach.event else { return }
        follow(event.fact)
        story?.read(event, index: index)
        troubles.read(event, index: index, names)
        if moves(event.fact) {
            lastMovement = EventExcerpt.Row(event, index: index, names)
        }
        if isTelling(event.fact) {
            if recent.count == Self.length { recent.removeFirst() }
            recent.append(EventExcerpt.Row(event, index: index, names))
        }
        if case .run(.ended) = event.fact { isAtEnd = true }
        if case .link(.shared(_, let terms)) = event.fact, terms.named != nil { hasFlows = true }
    }

    var cause: BreachCause {
        let reasons = story?.reasons ?? []
        let origin = isAtEnd && reasons.isEmpty ? lastMovement : nil
        return BreachCause(
            rule: rule, item: item, at: origin?.at ?? breach.at,
            event: origin?.event ?? breach.event, reasons: reasons.isEmpty ? nil : reasons,
            events: recent, troubles: troubles.troubles, lastMovement: lastMovement,
            stillFor: hasFlows && item == nil
                ? .zero : breach.at - (lastMovement?.at ?? .start))
    }

    /// Returns the items and transfers that a text names, such as `session 1`.
    static func items(in text: String) -> [String] {
        let words = text.split { !$0.isLetter && !$0.isNumber }
        return zip(words, words.dropFirst()).compactMap { kind, number in
            Facade(rawValue: String(kind)) != nil && UInt64(number) != nil
                ? "\(kind) \(number)" : nil
        }
    }

    /// Learns which connections and uploads are the item's.
    private mutating func follow(_ fact: Fact) {
        switch fact {
        case .engine(.accepts(let item, _, let transfers)) where concerns("\(item)"):
            aliases.formUnion(transfers.map(\.transfer.description))
        case .connection(.opening(let connection, _, let opener?)) where concerns("\(opener)"):
            connections.insert(connection)
        case .engine(.sends(let transfer, let resource, _, let connection, _))
        where aliases.contains(transfer.description):
            connections.insert(connection)
            resources.insert(resource)
        default: break
        }
    }

    private func concerns(_ name: String) -> Bool { item.map { $0 == name } ?? true }

    /// Whether bytes of the item have moved on, or have all arrived.
    private mutating func moves(_ fact: Fact) -> Bool {
        switch fact {
        case .queue(.callback(let item, .progress(let file, let done, _, _))):
            guard concerns("\(item)") else { return false }
            return grows(to: done, "\(item) \(file)")
        case .operations(.callback(let item, .progress(let done, _))),
            .entries(.callback(let item, .progress(let done, _))),
            .background(.callback(let item, .didSendBodyData(_, let done, _))),
            .background(.callback(let item, .didWriteData(_, let done, _))),
            .engine(.hasMoved(let item, let done, _)):
            guard concerns("\(item)") else { return false }
            return grows(to: done, "\(item)")
        case .server(.appendEnded(let resource, let staged, _)):
            guard item == nil || resources.contains(resource) else { return false }
            return grows(to: staged, resource.path)
        default: return false
        }
    }

    private mutating func grows(to done: ByteCount, _ name: String) -> Bool {
        // A transfer that starts over begins again below what it had moved.
        defer { moved[name] = done }
        return done > moved[name] ?? .zero
    }

    /// Whether the event tells why: it is about the item, or about the world around it.
    private func isTelling(_ fact: Fact) -> Bool {
        switch fact {
        case .device, .link(.down), .link(.up), .network(.path), .network(.happens),
            .server(.fault), .server(.faultSwitched), .file(.touched), .file(.removed),
            .file(.lost), .daemon(.store(.failed, _)), .store(.failed), .store(.setAside):
            true
        case .engine, .connection, .server, .queue, .operations, .entries, .background:
            isOfItem(fact)
        case .run, .file, .link, .network, .shown, .daemon, .store, .packets: false
        }
    }

    private func isOfItem(_ fact: Fact) -> Bool {
        guard !fact.isFrequent, !fact.isRoutine else { return false }
        guard item != nil else { return true }
        switch fact {
        case .connection(let fact): return connections.contains(fact.connection)
        case .server(let fact): return fact.resource.map(resources.contains) ?? false
        default: return Self.items(in: fact.sentence).contains(where: aliases.contains)
        }
    }
}

extension Fact {
    /// Whether the fact only repeats for the app what others tell: progress, and rows of a table.
    fileprivate var isRoutine: Bool {
        switch self {
        case .operations(.callback(_, .progress)), .entries(.callback(_, .progress)),
            .background(.callback(_, .didSendBodyData)), .background(.callback(_, .didWriteData)),
            .engine(.hasMoved), .queue(.callback(_, .row)):
            true
        default: false
        }
    }
}

extension ConnectionFact {
    fileprivate var connection: ConnectionName {
        switch self {
        case .opening(let name, _, _), .securing(let name, _), .bound(let name, _),
            .attempt(let name, _, _, _), .attemptEnded(let name, _, _), .established(let name),
            .request(let name, _, _), .response(let name, _, _), .ended(let name, _, _):
            name
        }
    }
}

extension ServerFact {
    fileprivate var resource: ResourceName? {
        switch self {
        case .created(let name, _, _), .acknowledged(let name, _), .appendBegan(let name, _, _),
            .appendEnded(let name, _, _), .published(let name, _, _, _), .discarded(let name, _):
            name
        default: nil
        }
    }
}
