package import Quantities
package import RunLog

/// The numbers of a run.
package struct Figures: Hashable, Sendable, Codable {
    package var sessions: [SessionFigures] = []
    package var links: [LinkFigures] = []
    /// Other traffic on the links.
    package var shares: [ShareFigures] = []
    /// The flows that the scenario measures, by name.
    package var flows: [NamedFlowFigures]?
    package var captures: [CaptureFigures] = []
    package var connections: [ConnectionFigures] = []
    package var connectionsLeftOut = 0
    /// The phones' interfaces, if the log mentions them.
    package var interfaces: [InterfaceFigures]?
    /// The figures of a recorded server.
    package var service: ServiceFigures?
    package var launches = 0
    package var kills = 0
    package var requests = 0
    package var refusals = 0
    package var publications = 0
    package var durableChanges = 0

    /// Body bytes that left the app a second time, by stream offset.
    package var sentAgain: ByteCount { sessions.reduce(.zero) { $0 + $1.sentAgain } }
    package var retransmitted: UInt64 { links.reduce(0) { $0 + $1.retransmitted.packets } }
    package var dropped: UInt64 { links.reduce(0) { $0 + $1.count.dropped.packets } }
    package var completed: Int { sessions.completed }
    package var queued: [SessionFigures] {
        sessions.filter { $0.session.facade == .queue && $0.paths == nil }
    }
    /// The persistent sessions; they never complete.
    package var persistent: [SessionFigures] { sessions.filter { $0.paths != nil } }
    package var operations: [SessionFigures] {
        sessions.filter { $0.session.facade == .operations }
    }
    package var transfers: [SessionFigures] { sessions.filter { $0.session.facade == .bucket } }
    package var tasks: [SessionFigures] { sessions.filter { $0.task != nil } }
    /// The time from the first activation to the last completion, if all have completed.
    package var completion: TimeSpan? {
        guard let began = sessions.compactMap(\.firstRunningAt).min(), let ended = completedAt
        else { return nil }
        return ended - began
    }
    /// The moment of the last completion, if all have completed.
    package var completedAt: Instant? {
        guard sessions.allSatisfy({ $0.outcome == .completed }) else { return nil }
        return sessions.compactMap(\.endedAt).max()
    }
    package var payload: ByteCount { sessions.reduce(.zero) { $0 + $1.payload } }
    /// The rate of what the server took or gave; `nil` if it refused everything.
    package var goodput: Bitrate? {
        let served = sessions.filter { !$0.isRefused }
        guard !served.isEmpty else { return nil }
        return completion.flatMap { Bitrate(served.reduce(.zero) { $0 + $1.payload }, in: $0) }
    }
}

/// The row of a session, an operation, a resumable transfer or a task.
package struct SessionFigures: Hashable, Sendable, Codable {
    package var session: ItemName
    package var files: [AcceptedTransfer] = []
    package var acceptedAt: Instant
    package var firstRunningAt: Instant?
    package var endedAt: Instant?
    package var outcome: SessionResult?
    /// The total size of its files, as far as it is known.
    package var payload = ByteCount.zero
    package var attempts = 0
    package var resumes = 0
    package var startsOver = 0
    package var sentAgain = ByteCount.zero
    /// The number of files skipped because the destination already had them; `nil` if none were.
    package var filesSkipped: Int?
    /// The time of the payload alone at the link's rate, which may change; no run can be faster.
    package var floor: TimeSpan?
    /// The time from acceptance to the first activation.
    package var waited: TimeSpan?
    /// The time from the first activation to completion, interruptions included.
    package var completion: TimeSpan?
    package var goodput: Bitrate?
    package var times: [StateTime] = []
    package var task: TaskFigures?
    package var paths: PathFigures?

    /// Whether the server refused the task: a task completes with any answer (B8).
    package var isRefused: Bool { (task?.status ?? 0) >= 400 }

    package var isDownload: Bool { files.first?.isDownload == true }

    /// The total time of a session in one state.
    package struct StateTime: Hashable, Sendable, Codable {
        package var state: Timeline.State
        package var time: TimeSpan

        package init(state: Timeline.State, time: TimeSpan) {
            self.state = state
            self.time = time
        }
    }
}

/// The figures of a task of a background session.
package struct TaskFigures: Hashable, Sendable, Codable {
    package var isDownload = false
    /// The status that the app was told.
    package var status: Int?
    package var resumedAt: Instant?
    /// The delay of a task that was made in the background (B11).
    package var delayedFor: TimeSpan?
}

/// The figures of the files that were added to a persistent session.
package struct PathFigures: Hashable, Sendable, Codable {
    package var added = 0
    package var arrived = 0
    package var givenUp = 0
}

/// One direction of a link: its terms and its traffic.
package struct LinkFigures: Hashable, Sendable, Codable {
    package var link: UInt16
    package var terms: LinkTerms?
    /// The world's own counts, or the packets counted one by one.
    package var count: LinkCount
    /// Payload that TCP retransmitted.
    package var retransmitted: LinkCount.Tally
    package var duplicateAcknowledgements: UInt64?
    /// The used share of what the link could carry between the first and the last packet.
    package var use: Double?
    package var transit: TransitFigures?

    package var name: String { terms?.name ?? "link \(link)" }
}

/// The transit times of a link's packets, including their wait in the queue.
package struct TransitFigures: Hashable, Sendable, Codable {
    package var median: TimeSpan
    package var percentile95: TimeSpan
    package var percentile99: TimeSpan
    package var longest: TimeSpan
}

package struct ShareFigures: Hashable, Sendable, Codable {
    package var link: String
    package var flow: UInt16
    package var what: String
    package var sent: LinkCount.Tally
    package var delivered: LinkCount.Tally
    package var dropped: LinkCount.Tally
    /// The rate delivered between the flow's first and last packet, headers included.
    package var rate: Bitrate?
}

/// The packets of a capture in one direction.
package struct CaptureFigures: Hashable, Sendable, Codable {
    package var link: UInt16
    package var name: String
    package var captured: LinkCount.Tally
    package var retransmitted: LinkCount.Tally
}

package struct ConnectionFigures: Hashable, Sendable, Codable {
    package var connection: ConnectionName
    package var peer: String
    package var openedAt: Instant
    /// The end of the TCP handshake, at which TLS began, and the TLS version.
    package var reachedAt: Instant?
    package var security: String?
    package var establishedAt: Instant?
    package var endedAt: Instant?
    package var why: ConnectionEnd?
    package var transmitted: ByteCount?
    package var requests = 0
    package var lastStatus: Int?
    /// The interface; `nil` if there is only one.
    package var interface: UInt16?
}
