package import Quantities

/// The lists of an app's interfaces, as the app reads them: after each launch and each command,
/// when the user has the app in front again, and when the run ends.
package enum ShownFact: Hashable, Sendable, Codable {
    /// The rows of the queue's table, what is saved outside the queue, and whether the queue runs.
    case queue([ShownSession], saved: [ItemName], accounts: [AccountName], runs: Bool)
    case operations(
        ongoing: [ShownOperation], completed: [ShownOperation], failed: [ShownOperation])
    /// The transfers of all managers.
    case transfers([ShownTransfer])
    /// How many changes of operations each further observer has heard of since the launch.
    case observers([Int])

    // The names in `events.jsonl`, also of values without a label.
    private enum CodingKeys: CodingKey, CaseIterable {
        case queue, operations, transfers, observers
    }
    private enum QueueCodingKeys: String, CodingKey {
        case _0 = "sessions", saved, accounts, runs
    }
    private enum TransfersCodingKeys: String, CodingKey { case _0 = "transfers" }
    private enum ObserversCodingKeys: String, CodingKey { case _0 = "heard" }

    package var sentence: String {
        switch self {
        case .queue(let sessions, let saved, let accounts, let runs):
            "the app shows its queue, which \(runs ? "runs" : "stands"): "
                + (sessions.isEmpty ? "no session" : sessions.listed)
                + (saved.isEmpty ? "" : "; saved: \(saved.listed)")
                + (accounts.isEmpty ? "" : "; \(accounts.listed)")
        case .operations(let ongoing, let completed, let failed):
            "the app shows its operations: "
                + [("ongoing", ongoing), ("completed", completed), ("failed", failed)]
                .map { "\($0) \($1.isEmpty ? "none" : $1.listed)" }.joined(separator: "; ")
        case .transfers(let transfers):
            "the app shows its transfers: " + (transfers.isEmpty ? "none" : transfers.listed)
        case .observers(let heard):
            "the app's observers of operations have heard of "
                + heard.map(String.init).listed + " changes"
        }
    }
}

/// A session of the queue, as its row shows it.
package struct ShownSession: Hashable, Sendable, Codable, CustomStringConvertible {
    package var session: ItemName
    package var stage: ItemStage
    /// The number of files that have arrived.
    package var arrived: Int
    /// The bytes of all files that have arrived.
    package var done: ByteCount
    /// The code of the session's last error.
    package var error: Int?
    package var wait: ShownWait?

    package init(
        _ session: ItemName, _ stage: ItemStage = .waiting, arrived: Int = 0,
        done: ByteCount = .zero, error: Int? = nil, wait: ShownWait? = nil
    ) {
        self.session = session
        self.stage = stage
        self.arrived = arrived
        self.done = done
        self.error = error
        self.wait = wait
    }

    package var description: String {
        "\(session) (\(stage.rawValue)"
            + (arrived > 0 ? ", \(arrived) arrived, \(done)" : "")
            + (error.map { ", error \($0)" } ?? "") + (wait.map { ", \($0)" } ?? "") + ")"
    }
}

/// What a session waits for, as its row shows it.
package enum ShownWait: Hashable, Sendable, Codable, CustomStringConvertible {
    case pause(until: Instant)
    case network(because: String)

    private enum CodingKeys: CodingKey, CaseIterable { case pause, network }

    package var description: String {
        switch self {
        case .pause(let until): "until \(until)"
        case .network(let because): "for a network: \(because)"
        }
    }
}

/// An upload operation, as its list shows it.
package struct ShownOperation: Hashable, Sendable, Codable, CustomStringConvertible {
    package var operation: ItemName
    /// Progress in hundredths, rounded down.
    package var percent: Int
    /// The bytes that the operation's progress object tells.
    package var done: ByteCount
    /// The code of the operation's error.
    package var error: Int?

    package init(_ operation: ItemName, percent: Int, done: ByteCount, error: Int?) {
        self.operation = operation
        self.percent = percent
        self.done = done
        self.error = error
    }

    package var description: String {
        "\(operation) at \(percent) %, \(done)" + (error.map { ", error \($0)" } ?? "")
    }
}

/// A resumable transfer, as its manager lists it.
package struct ShownTransfer: Hashable, Sendable, Codable, CustomStringConvertible {
    package var transfer: ItemName
    package var isOngoing: Bool
    package var done: ByteCount
    package var total: ByteCount?

    package init(_ transfer: ItemName, isOngoing: Bool, done: ByteCount, total: ByteCount?) {
        self.transfer = transfer
        self.isOngoing = isOngoing
        self.done = done
        self.total = total
    }

    package var description: String {
        "\(transfer) \(isOngoing ? "ONGOING" : "SUSPENDED") at \(done)"
            + (total.map { " of \($0)" } ?? "")
    }
}
