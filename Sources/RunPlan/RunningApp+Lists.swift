package import RunLog
import TransferClient
import TransferEngine

/// What the lists of the app's interfaces show now. Interfaces that the plan does not use are left
/// out.
extension RunningApp {
    package var shown: [ShownFact] {
        var shown: [ShownFact] = []
        if !script.sessions.isEmpty { shown.append(shownQueue) }
        if !script.plan.operations.isEmpty { shown.append(shownOperations) }
        if !counters.isEmpty { shown.append(.observers(counters.map(\.heard))) }
        if !script.plan.transfers.isEmpty { shown.append(shownTransfers) }
        return shown
    }

    private var shownQueue: ShownFact {
        .queue(
            faces.queue.standings.map(ShownSession.init),
            saved: faces.queue.savedSessions.map { ItemName($0.id.number) },
            accounts: faces.queue.accounts.map { AccountName($0.id.number) },
            runs: faces.queue.mode == .running)
    }

    private var shownOperations: ShownFact {
        func shown(_ list: [UploadOperation]) -> [ShownOperation] {
            list.map {
                ShownOperation(
                    ItemName($0.number, of: .operations), percent: Int($0.fraction * 100),
                    done: $0.progress.completed, error: $0.error?.code)
            }
        }
        let operations = faces.operations
        return .operations(
            ongoing: shown(operations.ongoing), completed: shown(operations.completed),
            failed: shown(operations.failed))
    }

    private var shownTransfers: ShownFact {
        .transfers(
            buckets.flatMap {
                faces.resumable.manager(ofBucket: $0, in: PlannedTransfer.app).transfers
            }
            .map {
                ShownTransfer(
                    ItemName($0.number, of: .bucket), isOngoing: $0.status == .ongoing,
                    done: $0.info.done, total: $0.info.total)
            })
    }

    /// The buckets of the plan's transfers, each once.
    private var buckets: [String] {
        var buckets: [String] = []
        for planned in script.plan.transfers where !buckets.contains(planned.bucket) {
            buckets.append(planned.bucket)
        }
        return buckets
    }
}

extension ShownSession {
    fileprivate init(_ standing: SessionStanding) {
        let wait: ShownWait? =
            switch standing.wait {
            case .pause(let until): .pause(until: until)
            case .network(let because): .network(because: because)
            case nil: nil
            }
        self.init(
            standing.id.name, standing.state.stage,
            arrived: standing.files.count(where: \.isComplete),
            done: standing.progress.done, error: standing.error?.code, wait: wait)
    }
}
