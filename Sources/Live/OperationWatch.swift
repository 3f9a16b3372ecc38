import RunLog
import RunPlan

/// Knows from the app's events whether any of its upload operations is still to be done.
struct OperationWatch {
    private let app: AppPlan
    private var operationsBefore: UInt64
    private var open: Set<ItemName> = []
    /// Those that the app begins, or retries, for what it has heard: its events have not said so
    /// yet.
    private var owed = 0

    init(_ app: AppPlan, operationsBefore: UInt64) {
        self.app = app
        self.operationsBefore = operationsBefore
    }

    /// `launch` counts from the first on which the app found nothing of its own.
    mutating func launched(_ launch: UInt32) {
        owed = app.stepsOnOperations(onLaunch: launch).count(where: \.beginsOperation)
    }

    /// Nothing of it survives (U7).
    mutating func appEnded() {
        open = []
        owed = 0
    }

    mutating func dataCleared(operationsBefore: UInt64) {
        self.operationsBefore = operationsBefore
        appEnded()
    }

    mutating func read(_ event: RunEvent) {
        switch event.fact {
        case .engine(.accepts(let operation, _, _)) where operation.facade == .operations:
            begin(operation)
        case .operations(.asked(let operation, .retry)): begin(operation)
        case .operations(.refused): owed = max(0, owed - 1)
        case .operations(.callback(let operation, .completed)):
            end(operation, .completed(own(operation)))
        case .operations(.callback(let operation, .failed)):
            end(operation, .failed(own(operation)))
        default: break
        }
    }

    var isIdle: Bool { open.isEmpty && owed == 0 }

    private mutating func begin(_ operation: ItemName) {
        open.insert(operation)
        owed = max(0, owed - 1)
    }

    private mutating func end(_ operation: ItemName, _ occasion: AppPlan.Occasion) {
        open.remove(operation)
        owed += app.commands(on: occasion).count(where: \.beginsOperation)
    }

    /// In its script an app counts its operations from 1.
    private func own(_ operation: ItemName) -> ItemName {
        ItemName(operation.number - operationsBefore, of: .operations)
    }
}

extension AppPlan.Command {
    fileprivate var beginsOperation: Bool {
        switch self {
        case .operation(.added, _), .operation(.retried, _): true
        case .operation(.cancelled, _), .emptyLists, .start, .doNotStart, .stop, .enqueue,
            .save, .deleteAccount, .session, .move, .change, .addPath, .task, .transfer:
            false
        }
    }
}
