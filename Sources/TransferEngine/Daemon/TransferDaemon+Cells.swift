/// Cells of the state tables: events that reach tasks by themselves, such as an app's death or a
/// restart of the phone, and requests by the state of their app.
extension TransferDaemon {
    /// Starts counting the cells of state tables that the daemon reaches.
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
