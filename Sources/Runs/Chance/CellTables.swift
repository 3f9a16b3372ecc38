import Reports
import TransferEngine

extension ReachedCells {
    /// Returns the tables of these façades.
    func tables(of facades: [ChanceFacade]) -> [ChanceTable.Cells] {
        facades.flatMap { facade in
            switch facade {
            case .queue: [sessions.table("queue")]
            case .persistent:
                [
                    // A persistent session never completes by itself (P3).
                    persistent.table(
                        "persistent", states: SessionState.allCases.filter { $0 != .completed }
                    ) { state, event in event != .finished && state.canSee(event) }
                ]
            case .operations: [operations.table("operations")]
            case .background:
                [tasks.table("background"), apps.table("background, by what the app is")]
            case .resumable: [entries.table("resumable")]
            }
        }
    }
}

extension StateCells {
    fileprivate func table(
        _ name: String, states: [State] = Array(State.allCases),
        canArise: (State, State.Event) -> Bool = { $0.canSee($1) }
    ) -> ChanceTable.Cells {
        let events = Array(State.Event.allCases)
        var table = ChanceTable.Cells(name: name, events: events.map { "\($0)" })
        for state in states {
            table.rows.append(
                ChanceTable.Cells.Row(
                    state: state.rawValue,
                    counts: events.map { canArise(state, $0) ? self[state, $0] : nil }))
        }
        return table
    }
}
