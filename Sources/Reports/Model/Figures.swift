package import Quantities
package import RunLog

/// The numbers of a run.
package struct Figures: Hashable, Sendable, Codable {
    package var sessions: [SessionFigures] = []
    package var links: [LinkFigures] = []
    /// What others sent over the links.
    package var shares: [ShareFigures] = []
    package var captures: [CaptureFigures] = []
    package var connections: [ConnectionFigures] = []
    /// Connections beyond those of the list.
    package var connectionsLeftOut = 0
    /// The phones' ways into the network, where the log tells of them.
    package var interfaces: [InterfaceFigures]?
    /// Of a server that was recorded.
    package var service: ServiceFigures?
    package var launches = 0
    package var kills = 0
    package var requests = 0
    package var refusals = 0
    package var publications = 0
    package var durableChanges = 0

    package init() {}

    /// Body bytes that left the app a second time, by stream offset.
    package var sentAgain: ByteCount { sessions.reduce(.zero) { $0 + $1.sentAgain } }
    package var retransmitted: UInt64 { links.reduce(0) { $0 + $1.retransmitted.packets } }
    package var dropped: UInt64 { links.reduce(0) { $0 + $1.count.dropped.packets } }
    package var completed: Int { sessions.count { $0.outcome == .completed } }
    /// The sessions of the queue, the upload operations, and the tasks of background sessions.
    package var queued: [SessionFigures] {
        sessions.filter { $0.session.facade == .queue && $0.paths == nil }
    }
    /// The sessions that are open for paths, and never complete.
    package var persistent: [SessionFigures] { sessions.filter { $0.paths != nil } }
    package var operations: [SessionFigures] {
        sessions.filter { $0.session.facade == .operations }
    }
    /// The resumable transfers.
    package var transfers: [SessionFigures] { sessions.filter { $0.session.facade == .bucket } }
    package var tasks: [SessionFigures] { sessions.filter { $0.task != nil } }
    /// From the first time any session ran to the last end, once all have completed.
    package var completion: TimeSpan? {
        guard let began = sessions.compactMap(\.firstRunningAt).min(), let ended = completedAt
        else { return nil }
        return ended - began
    }
    /// The last end, once all have completed.
    package var completedAt: Instant? {
        guard sessions.allSatisfy({ $0.outcome == .completed }) else { return nil }
        return sessions.compactMap(\.endedAt).max()
    }
    package var payload: ByteCount { sessions.reduce(.zero) { $0 + $1.payload } }
    package var goodput: Bitrate? { completion.flatMap { Bitrate(payload, in: $0) } }
}

/// The row of a session, an operation, a resumable transfer or a task.
package struct SessionFigures: Hashable, Sendable, Codable {
    package var session: ItemName
    package var files: [AcceptedTransfer] = []
    package var acceptedAt: Instant
    package var firstRunningAt: Instant?
    package var endedAt: Instant?
    package var outcome: SessionResult?
    /// The sizes of its files, as far as the engine has looked at them.
    package var payload = ByteCount.zero
    package var attempts = 0
    package var resumes = 0
    package var startsOver = 0
    package var sentAgain = ByteCount.zero
    /// Files that were not transferred, as what stands where they go is as good; `nil` if all were.
    package var filesSkipped: Int?
    /// The payload alone at the rate of the slowest link on its way: no run can be faster.
    package var floor: TimeSpan?
    /// From its acceptance to the first time it ran.
    package var waited: TimeSpan?
    /// From the first time it ran to its completion, with every interruption.
    package var completion: TimeSpan?
    /// Payload over completion time.
    package var goodput: Bitrate?
    package var times: [StateTime] = []
    /// What only a task of a background session has.
    package var task: TaskFigures?
    /// What only a persistent session has.
    package var paths: PathFigures?

    /// How long a session was in one of its states, in all.
    package struct StateTime: Hashable, Sendable, Codable {
        package var state: Timeline.State
        package var time: TimeSpan

        package init(state: Timeline.State, time: TimeSpan) {
            self.state = state
            self.time = time
        }
    }

    package init(session: ItemName, acceptedAt: Instant) {
        self.session = session
        self.acceptedAt = acceptedAt
        if session.facade == .background { task = TaskFigures() }
    }
}

/// Of a task of a background session.
package struct TaskFigures: Hashable, Sendable, Codable {
    package var isDownload = false
    /// Of the answer that the app was told.
    package var status: Int?
    package var resumedAt: Instant?
    /// As it was made in the background (B11).
    package var delayedFor: TimeSpan?

    package init() {}
}

/// Of the files that were added to a persistent session.
package struct PathFigures: Hashable, Sendable, Codable {
    package var added = 0
    package var arrived = 0
    package var givenUp = 0

    package init() {}
}

/// One direction of a link: what it promised and what it carried.
package struct LinkFigures: Hashable, Sendable, Codable {
    package var link: UInt16
    package var terms: LinkTerms?
    /// The world's own books, or the packets counted one by one where it keeps none.
    package var count: LinkCount
    /// Payload that was sent a second time by TCP.
    package var retransmitted: LinkCount.Tally
    /// Packets that say no more than what their sender has acknowledged before.
    package var duplicateAcknowledgements: UInt64?
    /// Share of its rate that it carried between its first and its last packet.
    package var use: Double?
    package var transit: TransitFigures?

    package var name: String { terms?.name ?? "link \(link)" }
}

/// How long packets were on their way over a link, waiting in its queue included.
package struct TransitFigures: Hashable, Sendable, Codable {
    package var median: TimeSpan
    package var percentile95: TimeSpan
    package var percentile99: TimeSpan
    package var longest: TimeSpan
}

/// Somebody else's traffic on a link.
package struct ShareFigures: Hashable, Sendable, Codable {
    package var link: String
    package var flow: UInt16
    package var what: String
    package var sent: LinkCount.Tally
    package var delivered: LinkCount.Tally
    package var dropped: LinkCount.Tally
    /// What came through between its first packet and its last, headers included.
    package var rate: Bitrate?
}

/// What a capture saw in one direction.
package struct CaptureFigures: Hashable, Sendable, Codable {
    package var link: UInt16
    package var name: String
    package var captured: LinkCount.Tally
    package var retransmitted: LinkCount.Tally
}

/// One connection's row.
package struct ConnectionFigures: Hashable, Sendable, Codable {
    package var connection: ConnectionName
    package var peer: String
    package var openedAt: Instant
    /// When TCP stood and TLS began, and what that TLS is.
    package var reachedAt: Instant?
    package var security: String?
    package var establishedAt: Instant?
    package var endedAt: Instant?
    package var why: ConnectionEnd?
    package var transmitted: ByteCount?
    package var requests = 0
    package var lastStatus: Int?
    /// Said only where there is a choice.
    package var interface: UInt16?

    package init(connection: ConnectionName, peer: String, openedAt: Instant) {
        self.connection = connection
        self.peer = peer
        self.openedAt = openedAt
    }
}

extension Bitrate {
    /// The mean rate of so many bytes in so much time; `nil` where that is no rate.
    package init?(_ count: ByteCount, in time: TimeSpan) {
        guard count > .zero, time > .zero else { return nil }
        let bits = count.bytes.multipliedFullWidth(by: 8_000_000_000)
        let divisor = UInt64(time.nanoseconds)
        guard bits.high < divisor else { return nil }
        let rate = divisor.dividingFullWidth((bits.high, bits.low)).quotient
        guard rate > 0 else { return nil }
        self.init(bitsPerSecond: rate)
    }
}
