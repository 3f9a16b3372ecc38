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

    @Test func `what cannot reach an app is the device's own mistake, and traps`() async {
        await #expect(processExitsWith: .failure) { _ = AppState.notRunning.after(.left) }
        await #expect(processExitsWith: .failure) { _ = AppState.active.after(.stilled) }
        await #expect(processExitsWith: .failure) { _ = AppState.suspended.after(.covered) }
    }

    @Test func `every state is left and reached, and every event moves something`() {
        #expect(Set(Self.table.map(\.from)) == Set(AppState.allCases))
        #expect(Set(Self.table.map(\.to)) == Set(AppState.allCases))
        #expect(Set(Self.table.map(\.event)) == Set(AppState.Event.allCases))
    }
}
