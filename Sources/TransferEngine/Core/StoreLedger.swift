import Quantities

/// A change of one item in a store. It contains the whole item, so that a later change replaces all
/// earlier ones.
protocol ChangeOfOne: Hashable, Sendable {
    associatedtype Item: Hashable, Sendable
    var item: Item { get }
}

/// The changes that a store was asked to keep, and those that it refused and still lacks (S7).
///
/// A full disk has room again later. Refused changes are retried after a pause, and as soon as the
/// store keeps anything, until they are kept or replaced by another change of the same item.
/// Otherwise a launch would find an old state long after the disk recovered.
///
/// A queue may have a hundred thousand sessions that all get new places at once. So only a retry
/// may look at more than one item.
struct StoreLedger<Change: ChangeOfOne>: Hashable, Sendable {
    private(set) var lastTicket = PersistTicket(0)
    /// First requests that the store has not answered.
    private var asked: [PersistTicket: Change] = [:]
    /// How often each item is among them.
    private var timesAsked: [Change.Item: Int] = [:]
    private var lacking: [Change.Item: Lack] = [:]
    /// Retries that the store has not answered.
    private var repeated: [PersistTicket: Change.Item] = [:]
    /// When the store is next asked for what it lacks.
    private(set) var deadline: Instant?

    private struct Lack: Hashable, Sendable {
        /// The ticket of the first request, which its requester waits for.
        let first: PersistTicket
        let change: Change
        /// The ticket of the retry, until the store answers.
        var again: PersistTicket?
    }

    /// The pause after a refusal.
    private static var pause: TimeSpan { .seconds(10) }

    // MARK: What is asked for

    /// Adds a change; returns the ticket for the store's answer.
    @specialized(where Change == StoreChange)
    @specialized(where Change == TaskChange)
    mutating func ask(_ change: Change) -> PersistTicket {
        forget(change.item)
        let ticket = nextTicket()
        asked[ticket] = change
        timesAsked[change.item, default: 0] += 1
        return ticket
    }

    /// Returns the changes to retry if it is time, each with the ticket for its answer.
    mutating func askAgain(at now: Instant) -> [(PersistTicket, Change)] {
        guard let due = deadline, due <= now else { return [] }
        deadline = nil
        // any order: they are sorted
        let resting = lacking.values.filter { $0.again == nil }.sorted { $0.first < $1.first }
        return resting.map { lack in
            let ticket = nextTicket()
            lacking[lack.change.item]?.again = ticket
            repeated[ticket] = lack.change.item
            return (ticket, lack.change)
        }
    }

    /// Drops an item from the retries; `true` if a change of it is still on its way to the store.
    @discardableResult
    mutating func forget(_ item: Change.Item) -> Bool {
        if let lack = lacking.removeValue(forKey: item), let ticket = lack.again {
            repeated[ticket] = nil
        }
        if !hasToAsk { deadline = nil }
        return timesAsked[item] != nil
    }

    // MARK: What the store answers

    /// Notes that a change is durable; returns the ticket of its first request.
    @specialized(where Change == StoreChange)
    @specialized(where Change == TaskChange)
    mutating func kept(_ ticket: PersistTicket, at now: Instant) -> PersistTicket {
        var first = ticket
        if takeAsked(ticket) == nil, let item = repeated.removeValue(forKey: ticket) {
            first = lacking.removeValue(forKey: item)?.first ?? ticket
        }
        deadline = hasToAsk ? now : nil
        return first
    }

    /// Notes a refusal; returns its ticket, or `nil` for a retry, whose refusal is known.
    mutating func refused(_ ticket: PersistTicket, at now: Instant) -> PersistTicket? {
        defer { deadline = hasToAsk ? now + Self.pause : nil }
        guard let change = takeAsked(ticket) else {
            if let item = repeated.removeValue(forKey: ticket) { lacking[item]?.again = nil }
            return nil
        }
        // A later change of the same item is on its way, and replaces this one.
        if timesAsked[change.item] == nil {
            lacking[change.item] = Lack(first: ticket, change: change)
        }
        return ticket
    }

    // MARK: Where it stands

    /// Whether the store refused the item's last change and has not kept it since.
    func lacks(_ item: Change.Item) -> Bool { !lacking.isEmpty && lacking[item] != nil }

    private var hasToAsk: Bool { lacking.count > repeated.count }

    private mutating func takeAsked(_ ticket: PersistTicket) -> Change? {
        guard let change = asked.removeValue(forKey: ticket) else { return nil }
        let times = timesAsked[change.item] ?? 0
        timesAsked[change.item] = times > 1 ? times - 1 : nil
        return change
    }

    private mutating func nextTicket() -> PersistTicket {
        lastTicket.number += 1
        return lastTicket
    }
}

extension StoreChange: ChangeOfOne {
    enum Item: Hashable, Sendable {
        case session(SessionID)
        case entry(EntryID)
        case account(AccountID)
        case setAside
    }

    var item: Item {
        switch self {
        case .put(let record): .session(record.id)
        case .remove(let id): .session(id)
        case .putEntry(let record): .entry(record.id)
        case .removeEntry(let id): .entry(id)
        case .putAccount(let record): .account(record.id)
        case .removeAccount(let id): .account(id)
        case .forgetSetAside: .setAside
        }
    }
}

extension TaskChange: ChangeOfOne {
    enum Item: Hashable, Sendable {
        case task(TaskID)
        case delay(of: UInt16)
        case told(UInt16)
    }

    var item: Item {
        switch self {
        case .put(let record): .task(record.id)
        case .remove(let id): .task(id)
        case .delay(let delay): .delay(of: delay.app)
        case .told(let app): .told(app)
        }
    }
}
