import Quantities
import RunLog

/// What the systems of the phones know of the server's addresses, and what they have asked.
///
/// Each network of a phone has answers of its own, and they go with it: Android's resolver keeps a
/// cache per network, and mDNSResponder purges its records when the network changes. An answer
/// without an address is kept as well (RFC 2308 §2.2), a failure is not.
struct AddressBook: Sendable {
    private let keep: TimeSpan
    private var entries: [Entry] = []
    private(set) var lookups: [Lookup] = []
    private var lastTransaction: UInt32 = 0

    private struct Entry {
        let question: NameQuestion
        let hasAddress: Bool
        let until: Instant
    }

    /// A question that has not been answered.
    struct Lookup: Sendable {
        let question: NameQuestion
        let transaction: UInt32
        fileprivate(set) var attempt: UInt32 = 1
        fileprivate(set) var deadline: Instant
    }

    /// The usual `timeout` and `attempts` of resolv.conf(5), which Android has as well.
    static let patience = TimeSpan.seconds(5)
    static let mostAttempts: UInt32 = 2

    init(keep: TimeSpan) { self.keep = keep }

    /// Returns whether there is an address; `nil` if nobody knows.
    func knows(_ question: NameQuestion, at now: Instant) -> Bool? {
        entries.first { $0.question == question && now < $0.until }?.hasAddress
    }

    /// Returns the lookup to begin, unless there is one already.
    mutating func ask(_ question: NameQuestion, at now: Instant) -> Lookup? {
        guard !lookups.contains(where: { $0.question == question }) else { return nil }
        lastTransaction += 1
        let lookup = Lookup(
            question: question, transaction: lastTransaction, deadline: now + Self.patience)
        lookups.append(lookup)
        return lookup
    }

    /// Ends the lookup that an answer belongs to; returns false if nobody waits for the answer.
    mutating func take(
        _ answer: NameAnswer, to question: NameQuestion, _ transaction: UInt32, at now: Instant
    ) -> Bool {
        let known = lookups.firstIndex {
            $0.question == question && $0.transaction == transaction
        }
        guard let place = known else { return false }
        lookups.remove(at: place)
        if answer == .address || answer == .noAddress {
            entries.removeAll { $0.question == question }
            entries.append(
                Entry(
                    question: question, hasAddress: answer == .address, until: now + keep))
        }
        return true
    }

    /// Returns a lookup that has waited long enough: to repeat it, or to give it up.
    mutating func takeOverdue(at now: Instant) -> (lookup: Lookup, isOver: Bool)? {
        guard let place = lookups.firstIndex(where: { $0.deadline <= now }) else { return nil }
        guard lookups[place].attempt < Self.mostAttempts else {
            return (lookups.remove(at: place), true)
        }
        lookups[place].attempt += 1
        lookups[place].deadline = now + Self.patience
        return (lookups[place], false)
    }

    /// Forgets what a network has answered.
    mutating func forget(_ interface: UInt16) {
        entries.removeAll { $0.question.interface == interface }
    }

    /// Drops the lookups over an interface, because nobody needs them any more.
    mutating func dropLookups(over interface: UInt16) {
        lookups.removeAll { $0.question.interface == interface }
    }

    var deadline: Instant? { lookups.map(\.deadline).min() }
}
