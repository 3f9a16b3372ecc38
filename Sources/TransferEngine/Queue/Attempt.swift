import Quantities

/// An attempt of the active session: its connections, and the file that moves on each.
///
/// A session has one connection. A persistent session keeps it when idle, and opens others while
/// several of its paths move at once (P3).
struct Attempt: Hashable, Sendable {
    private var own: Carrier
    private var others: [Carrier] = []
    /// Paths that wait for a connection.
    var waiting: ArraySlice<TransferRecord> = []
    /// Whether the paced transport is not to be had, and all connections are TCP's.
    var isOverTCP = false
    /// The channels of its session of the paced transport, if that has channels.
    var channels: ChannelAllowance?
    /// How far all files of the session are.
    var tally: SessionTally

    /// Enough that a long file delays no short ones, and few enough to be no burden (P6).
    static let mostConnections = 4

    /// A connection, and the file that is open on it.
    struct Carrier: Hashable, Sendable {
        var lane: Lane
        var load: Load?

        /// Whether the connection waits for its next file: silence is then no stall.
        var isIdle: Bool {
            load == nil && lane.isEstablished && lane.phase == .idle && lane.identity != .awaited
        }

        /// Lets the connection wait for its next file.
        mutating func clear() {
            lane.clear()
            load = nil
        }
    }

    enum Load: Hashable, Sendable {
        /// A file of the session, by its index.
        case file(Int)
        /// A path that was added to a persistent session. It is kept only here (P4).
        case path(TransferRecord)
    }

    init(_ lane: Lane, for transfers: [TransferRecord]) {
        own = Carrier(lane: lane)
        tally = SessionTally(transfers)
    }

    /// The carrier at a place; place 0 is the session's own connection. It is changed where it is,
    /// because every input of a transfer comes by here. It is read as a copy: with `_read`,
    /// optimised code has used it after its storage was freed.
    subscript(place: Int) -> Carrier {
        get { place == 0 ? own : others[place - 1] }
        _modify {
            if place == 0 { yield &own } else { yield &others[place - 1] }
        }
    }

    /// Lets a connection do something with its file.
    mutating func with<Result>(_ place: Int, _ work: (inout Carrier) -> Result) -> Result {
        work(&self[place])
    }

    // MARK: Its connections

    mutating func add(_ lane: Lane) { others.append(Carrier(lane: lane)) }

    /// Removes a connection unless it is the session's own; returns the one to close.
    mutating func removeOther(_ place: Int) -> ConnectionID? {
        place == 0 ? nil : others.remove(at: place - 1).lane.connection
    }

    var places: Range<Int> { 0..<others.count + 1 }

    func place(on connection: ConnectionID) -> Int? {
        if own.lane.connection == connection || own.lane.opening == connection { return 0 }
        return others.indices.first {
            others[$0].lane.connection == connection || others[$0].lane.opening == connection
        }.map { $0 + 1 }
    }

    /// The place of the file or path for which this is so.
    func place(carrying isIt: (Load) -> Bool) -> Int? {
        if let load = own.load, isIt(load) { return 0 }
        return others.firstIndex { $0.load.map(isIt) ?? false }.map { $0 + 1 }
    }

    func place(saving ticket: PersistTicket) -> Int? {
        places.first { self[$0].lane.isSaving(ticket) }
    }

    /// Whether more paths wait than connections are being opened, and there may be another.
    var wantsAnother: Bool {
        guard !waiting.isEmpty, places.count < mostConnections, channels?.isSpent != true else {
            return false
        }
        return places.count { !self[$0].lane.isEstablished } < waiting.count
    }

    private var mostConnections: Int { channels?.allowed ?? Self.mostConnections }

    /// Takes the path that moves next on a connection; `nil` if none waits, or the connection is
    /// one too many because files have become longer.
    mutating func takePath(for place: Int) -> TransferRecord? {
        if place > 0, places.count > mostConnections { return nil }
        return waiting.popFirst()
    }

    /// A connection that waits for its next file.
    var idlePlace: Int? {
        if own.isIdle { return 0 }
        return others.firstIndex { $0.isIdle }.map { $0 + 1 }
    }

    /// A connection of the session of the paced transport beside which another channel can be
    /// opened: not the one at this place, unless that is still open.
    func companion(of place: Int, isOpen: Bool) -> ConnectionID? {
        guard let channels, !channels.isSpent else { return nil }
        return places.first { other in
            (other != place || isOpen) && self[other].lane.isPaced && self[other].lane.isEstablished
        }.map { self[$0].lane.connection }
    }

    /// Whether the session's own connection has ever opened: then there are inner spans to close
    /// (A2).
    private(set) var isEstablished = false

    mutating func established() { isEstablished = true }

    /// Puts another connection in the place of one that was stale. Its path is the next to move;
    /// returns it.
    mutating func renew(_ place: Int, by lane: Lane) -> TransferRecord? {
        defer { self[place] = Carrier(lane: lane) }
        guard case .path(let path) = self[place].load else { return nil }
        waiting.insert(path, at: waiting.startIndex)
        return path
    }

    // MARK: What is said of all of them

    /// Unfinished paths: moving ones first, in the order of the connections.
    var unfinishedPaths: [TransferRecord] {
        let moving = places.compactMap { place -> TransferRecord? in
            if case .path(let path) = self[place].load { path } else { nil }
        }
        return moving + waiting
    }

    /// How long the server asked to be left alone.
    var askedToWait: TimeSpan { places.map { self[$0].lane.askedToWait }.max() ?? .zero }

    /// When the first connection has been silent for too long. Asked for after every input, so it
    /// copies no carrier.
    var deadline: Instant? {
        var earliest = own.isIdle ? nil : own.lane.deadline
        for place in others.indices {
            let deadline = others[place].lane.deadline
            if deadline < earliest ?? .end, !others[place].isIdle { earliest = deadline }
        }
        return earliest
    }

    /// The first connection that has been silent for too long, and its error.
    func stall(at now: Instant) -> (place: Int, error: TransferError)? {
        let late = places.first { !self[$0].isIdle && self[$0].lane.deadline <= now }
        return late.map { ($0, self[$0].lane.isEstablished ? .stalled : .connectionTimeout) }
    }
}
