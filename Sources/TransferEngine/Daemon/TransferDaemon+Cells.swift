/// What reaches a task without asking for it: its app is gone, or the phone has started again; and
/// what apps ask for, by what they are then.
extension TransferDaemon {
    /// From now on the cells of state tables are counted that it reaches.
    package mutating func countCells() { cells = ReachedCells() }

    mutating func countCells(of input: DaemonInput) {
        switch input {
        case .app(let app, .suspended), .app(let app, .dead):
            for task in tasks where task.record.id.app == app {
                countCell(of: task.record, .appGone)
            }
        case .asked(let app, .create): countAsked(.create, by: app)
        case .asked(let app, .resume): countAsked(.resume, by: app)
        case .asked(let app, .suspend): countAsked(.suspend, by: app)
        case .asked(let app, .cancel): countAsked(.cancel, by: app)
        case .restored, .storeWasSetAside, .asked, .app, .persisted, .persistFailed, .attempt,
            .network, .charger, .wake:
            break
        }
    }

    private mutating func countAsked(_ event: TaskAppState.Event, by app: UInt16) {
        guard let client = clients.first(where: { $0.app == app }),
            let state = TaskAppState(client.stage)
        else { return }
        cells?.apps.count(state, event)
    }
}
