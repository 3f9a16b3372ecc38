import Device
import Testing

@Suite struct AppStateTests {
    typealias Cell = (from: AppState, event: AppState.Event, to: AppState)

    /// The cells that can arise; every other one traps.
    static let table: [Cell] = [
        (.notRunning, .opened, .active),
        (.notRunning, .started, .background),
        (.active, .covered, .inactive),
        (.inactive, .uncovered, .active),
        (.active, .left, .background),
        (.inactive, .left, .background),
        (.background, .stilled, .suspended),
        (.suspended, .woken, .background),
        (.background, .shown, .active),
        (.suspended, .shown, .active),
        (.inactive, .ended, .notRunning),
        (.active, .ended, .notRunning),
        (.background, .ended, .notRunning),
        (.suspended, .ended, .notRunning),
    ]

    @Test(arguments: table) func `every cell of the table holds`(cell: Cell) {
        #expect(cell.from.after(cell.event) == cell.to)
    }

    private static let events = AppState.Event.allCases

    /// The other cells, by the places of their state and their event: an exit test is given nothing
    /// that cannot be encoded.
    static let impossible: [[Int]] = AppState.allCases.indices.flatMap { state in
        events.indices.map { [state, $0] }
    }.filter { cell in
        !table.contains {
            $0.from == AppState.allCases[cell[0]] && $0.event == events[cell[1]]
        }
    }

    @Test(arguments: impossible)
    func `what cannot reach an app is the device's own mistake, and traps`(cell: [Int]) async {
        await #expect(processExitsWith: .failure) { [cell] in
            _ = AppState.allCases[cell[0]].after(AppState.Event.allCases[cell[1]])
        }
    }

    @Test func `an app is in front while it is active or covered`() {
        #expect(AppState.allCases.filter(\.isInFront) == [.inactive, .active])
    }

    @Test func `every state is left and reached, and every event moves something`() {
        #expect(Set(Self.table.map(\.from)) == Set(AppState.allCases))
        #expect(Set(Self.table.map(\.to)) == Set(AppState.allCases))
        #expect(Set(Self.table.map(\.event)) == Set(AppState.Event.allCases))
    }
}
