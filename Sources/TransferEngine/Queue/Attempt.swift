import Quantities

/// An attempt of the active session: its connections, and the file that moves on each.
struct Attempt: Hashable, Sendable {
    private var own: Carrier
    private var others: [Carrier] = []

    /// A connection, and the file whose span is open on it.
    struct Carrier: Hashable, Sendable {
        var lane: Lane
        /// By its place in the session.
        var file: Int?

        /// It waits for its next file: no sign of life is owed.
        var isIdle: Bool { file == nil && lane.isEstablished }
    }

    init(_ lane: Lane) { own = Carrier(lane: lane) }

    /// At place 0 is the connection with which the attempt began.
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

    var places: Range<Int> { 0..<others.count + 1 }

    func place(on connection: ConnectionID) -> Int? {
        places.first { self[$0].lane.connection == connection }
    }

    func place(saving ticket: PersistTicket) -> Int? {
        places.first { self[$0].lane.isSaving(ticket) }
    }

    /// It has connected once: there are inner spans to close (A2).
    var isEstablished: Bool { own.lane.isEstablished }

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
