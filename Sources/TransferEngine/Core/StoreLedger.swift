import Quantities

/// A change of one thing that a store keeps. It says all that is to be kept of it: who has the last
/// change needs none before it.
protocol ChangeOfOne: Hashable, Sendable {
    associatedtype Item: Hashable, Sendable
    var item: Item { get }
}

/// What a store was asked to keep, and what of it it has refused and so still lacks (S7).
///
/// A disk is full for a while, and then it is not: what was refused is asked for again as soon as
/// the store keeps anything, and after a pause, until it is kept or another change of the same item
/// takes its place. A launch would find an older state otherwise, long after the disk was well.
///
/// A queue may be a hundred thousand sessions that all get new places at once: nothing here looks
/// at more than the one that is spoken of, but for asking again.
struct StoreLedger<Change: ChangeOfOne>: Hashable, Sendable {
    private var lastTicket = PersistTicket(0)
    /// Not answered yet, and not asked for before.
    private var asked: [PersistTicket: Change] = [:]
    /// In how many of these each is.
    private var timesAsked: [Change.Item: Int] = [:]
    private var lacking: [Change.Item: Lack] = [:]
    /// What is being asked for again, by the ticket of its answer.
    private var repeated: [PersistTicket: Change.Item] = [:]
    /// When the store is asked again for what it lacks.
    private(set) var deadline: Instant?

    private struct Lack: Hashable, Sendable {
        /// Under which it was asked for first: whoever waits for it knows it by this.
        let first: PersistTicket
        let change: Change
        /// Under which it is asked for again, until the store answers.
        var again: PersistTicket?
    }

    /// How long a store is let be that has refused a change.
    private static var pause: TimeSpan { .seconds(10) }

    // MARK: What is asked for

    /// The ticket under which the store is to answer.
    mutating func ask(_ change: Change) -> PersistTicket {
        forget(change.item)
        let ticket = nextTicket()
        asked[ticket] = change
        timesAsked[change.item, default: 0] += 1
        return ticket
    }

    /// What it lacks, if it is time to ask for that again: each with the ticket of its answer.
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

    /// Nobody wants it kept any more; `true` if it is on its way to the store nevertheless.
    @discardableResult
    mutating func forget(_ item: Change.Item) -> Bool {
        if let lack = lacking.removeValue(forKey: item), let ticket = lack.again {
            repeated[ticket] = nil
        }
        if !hasToAsk { deadline = nil }
        return timesAsked[item] != nil
    }

    // MARK: What the store answers

    /// It keeps this change; the ticket under which it was asked for first.
    mutating func kept(_ ticket: PersistTicket, at now: Instant) -> PersistTicket {
        var first = ticket
        if takeAsked(ticket) == nil, let item = repeated.removeValue(forKey: ticket) {
            first = lacking.removeValue(forKey: item)?.first ?? ticket
        }
        deadline = hasToAsk ? now : nil
        return first
    }

    /// The ticket, if nobody knows of that refusal yet.
    mutating func refused(_ ticket: PersistTicket, at now: Instant) -> PersistTicket? {
        defer { deadline = hasToAsk ? now + Self.pause : nil }
        guard let change = takeAsked(ticket) else {
            if let item = repeated.removeValue(forKey: ticket) { lacking[item]?.again = nil }
            return nil
        }
        // A later change of the same is on its way, and says all that this one would have.
        if timesAsked[change.item] == nil {
            lacking[change.item] = Lack(first: ticket, change: change)
        }
        return ticket
    }

    // MARK: Where it stands

    /// It has refused the last change of this, and not kept it since.
    func lacks(_ item: Change.Item) -> Bool { lacking[item] != nil }

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
