import RunLog
import RunPlan

/// How many of each kind a file has of what apps see of their transfers.
struct ItemCounts: Hashable {
    var sessions = 0
    var operations = 0
    var tasks = 0
    var transfers = 0

    init() {}

    init(_ sessions: [PlannedSession], _ app: AppPlan) {
        self.sessions = sessions.count
        operations = app.operations.count
        tasks = app.tasks.count
        transfers = app.transfers.count
    }

    mutating func add(_ other: ItemCounts) {
        sessions += other.sessions
        operations += other.operations
        tasks += other.tasks
        transfers += other.transfers
    }

    subscript(facade: Facade) -> Int {
        switch facade {
        case .queue: sessions
        case .operations: operations
        case .background: tasks
        case .bucket: transfers
        }
    }
}
