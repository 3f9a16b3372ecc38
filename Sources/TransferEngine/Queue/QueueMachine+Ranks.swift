/// Ranks, which order the sessions of the queue.
///
/// Sessions that the store has yet to keep have ranks, too: the order follows from the commands,
/// however long the store takes.
extension QueueMachine {
    /// The number of sessions in the queue and on their way into it.
    var countWithEntering: Int { sessions.count + enteringQueue.count }

    /// The rank after all others.
    var nextRank: Int64 {
        let last = enteringQueue.map(\.rank).max()
        let rank = sessions.rank(at: sessions.count) ?? 0
        return last.map { max(rank, $0 + SessionRecord.rankStep) } ?? rank
    }

    /// Returns a rank for a new session at this index among all sessions of the queue; `nil` means
    /// the end.
    mutating func rank(at index: Int?, in turn: inout Turn) -> Int64 {
        guard let index, index < countWithEntering else { return nextRank }
        return makeRoom(at: index, in: &turn)
    }

    /// Returns a rank for a session that moves to this index of the visible ones: it comes right
    /// after its predecessor there.
    mutating func rank(movingTo index: Int, in turn: inout Turn) -> Int64 {
        guard index > 0 else { return makeRoom(at: 0, in: &turn) }
        let predecessor = sessions[sessions.id(at: index - 1)]
        let before = enteringQueue.count { $0.comesBefore(predecessor) }
        return makeRoom(at: index + before, in: &turn)
    }

    /// Returns a rank for this index among all sessions; ranks them all anew if there is no room.
    private mutating func makeRoom(at index: Int, in turn: inout Turn) -> Int64 {
        let order = orderAround(index)
        if let rank = SessionRecord.rank(between: order.before, and: order.after) { return rank }
        rankAnew(in: &turn)
        let anew = orderAround(index)
        guard let rank = SessionRecord.rank(between: anew.before, and: anew.after) else {
            preconditionFailure("there is no room between new ranks")
        }
        return rank
    }

    /// Returns the ranks of the neighbours of a place among all sessions.
    private func orderAround(_ index: Int) -> (before: Int64?, after: Int64?) {
        let entering = enteringQueue.sorted { $0.comesBefore($1) }
        let places = entering.enumerated().map { $0 + sessions.place(of: $1) }
        func rank(at index: Int) -> Int64? {
            if let place = places.firstIndex(of: index) { return entering[place].rank }
            let own = index - places.count { $0 < index }
            return (0..<sessions.count).contains(own) ? sessions[sessions.id(at: own)].rank : nil
        }
        return (rank(at: index - 1), rank(at: index))
    }

    /// Ranks all sessions as far apart as new ones, and has the store keep that.
    private mutating func rankAnew(in turn: inout Turn) {
        let order = entering.indices.filter { entering[$0].record.isEnqueued }
            .sorted { entering[$0].record.comesBefore(entering[$1].record) }
        let places = order.enumerated().map { $0 + sessions.place(of: entering[$1].record) }
        sessions.rankAnew(leaving: places)
        for id in sessions.ids { turn.persist(.put(sessions[id])) }
        for (entry, place) in zip(order, places) {
            entering[entry].record.rank = Int64(place) * SessionRecord.rankStep
            entering[entry].wasMoved = true
            turn.persist(.put(entering[entry].record))
        }
    }

    /// Sessions on their way into the queue.
    private var enteringQueue: [SessionRecord] { entering.map(\.record).filter(\.isEnqueued) }
}

extension SessionRecord {
    /// The distance between new ranks, which leaves room for many between.
    static let rankStep: Int64 = 1 << 32

    /// Returns a rank between two neighbours; `nil` if they leave no room.
    static func rank(between before: Int64?, and after: Int64?) -> Int64? {
        switch (before, after) {
        case (nil, nil): return 0
        case (let before?, nil): return before + rankStep
        case (nil, let after?): return after - rankStep
        case (let before?, let after?):
            let middle = before + (after - before) / 2
            return middle > before && middle < after ? middle : nil
        }
    }

    /// Sessions are ordered by rank. Those of an older store have equal ranks, and are ordered by
    /// number.
    var standing: (Int64, SessionID) { (rank, id) }

    func comesBefore(_ other: SessionRecord) -> Bool { standing < other.standing }
}
