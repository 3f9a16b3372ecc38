import Quantities

/// An attempt of the active session: its connections, and the file that moves on each.
///
/// A session has one connection. A persistent one has others beside it while several of its paths
/// move at once, and keeps its own when none does (P3).
struct Attempt: Hashable, Sendable {
    private var own: Carrier
    private var others: [Carrier] = []
    /// Paths whose turn has not come.
    var waiting: [TransferRecord] = []

    /// Enough that a long file holds up no short ones, and few enough to be no burden (P6).
    static let mostConnections = 4

    /// A connection, and the file whose span is open on it.
    struct Carrier: Hashable, Sendable {
        var lane: Lane
        var load: Load?

        /// It waits for its next file: no sign of life is owed.
        var isIdle: Bool { load == nil && lane.isEstablished }
    }

    enum Load: Hashable, Sendable {
        /// A file of the session's own, by its place there.
        case file(Int)
        /// One that was added to a persistent session: nobody else keeps it (P4).
        case path(TransferRecord)
    }

    init(_ lane: Lane) { own = Carrier(lane: lane) }

    /// At place 0 is the session's own connection.
    subscript(place: Int) -> Carrier {
        get { place == 0 ? own : others[place - 1] }
        set {
            if place == 0 {
                own = newValue
            } else {
                others[place - 1] = newValue
            }
        }
    }

    // MARK: Its connections

    mutating func add(_ lane: Lane) { others.append(Carrier(lane: lane)) }

    /// The connection that has to be closed, if it is not the session's own.
    mutating func removeOther(_ place: Int) -> ConnectionID? {
        place == 0 ? nil : others.remove(at: place - 1).lane.connection
    }

    var places: Range<Int> { 0..<others.count + 1 }

    func place(on connection: ConnectionID) -> Int? {
        places.first { self[$0].lane.connection == connection }
    }

    func place(saving ticket: PersistTicket) -> Int? {
        places.first { self[$0].lane.isSaving(ticket) }
    }

    /// Whether more wait than connections are on their way for.
    var wantsAnother: Bool {
        let coming = places.count { !self[$0].lane.isEstablished }
        return coming < waiting.count && places.count < Self.mostConnections
    }

    /// It has connected once: there are inner spans to close (A2).
    var isEstablished: Bool { own.lane.isEstablished }

    // MARK: What is said of all of them

    /// Moving first, in the order of the connections.
    var unfinishedPaths: [TransferRecord] {
        let moving = places.compactMap { place -> TransferRecord? in
            if case .path(let path) = self[place].load { path } else { nil }
        }
        return moving + waiting
    }

    /// The server asked to be left alone for so long.
    var askedToWait: TimeSpan { places.map { self[$0].lane.askedToWait }.max() ?? .zero }

    /// When the first connection has been silent for too long.
    var deadline: Instant? {
        places.filter { !self[$0].isIdle }.map { self[$0].lane.deadline }.min()
    }

    /// What is wrong with the first connection of which nothing was heard for too long.
    func stall(at now: Instant) -> TransferError? {
        let late = places.first { !self[$0].isIdle && self[$0].lane.deadline <= now }
        return late.map { self[$0].lane.isEstablished ? .stalled : .connectionTimeout }
    }
}
