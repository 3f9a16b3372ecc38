import Quantities
import Testing
import TransferEngine

/// The state table of behaviour A, as far as its events exist.
@Suite struct SessionStateTests {
    typealias Cell = (from: SessionState, event: SessionState.Event, to: SessionState)

    /// The cells that can arise; every other one traps.
    static let table: [Cell] = [
        (.waiting, .itsTurn, .running),
        (.waiting, .relaunch, .waiting),
        (.running, .finished, .completed),
        (.running, .retryableError, .retrying),
        (.running, .fatalError, .failed),
        (.running, .networkLost, .retrying),
        (.running, .relaunch, .waiting),
        (.retrying, .pauseOver, .running),
        (.retrying, .relaunch, .waiting),
        (.completed, .relaunch, .completed),
        (.failed, .relaunch, .failed),
        (.waiting, .expiry, .waiting),
        (.running, .expiry, .waiting),
        (.retrying, .expiry, .waiting),
        (.completed, .expiry, .completed),
        (.failed, .expiry, .failed),
    ]

    @Test(arguments: table) func `every cell of the table holds`(cell: Cell) {
        #expect(cell.from.after(cell.event) == cell.to)
    }

    @Test func `what cannot reach a state is our own mistake, and traps`() async {
        await #expect(processExitsWith: .failure) { _ = SessionState.waiting.after(.finished) }
        await #expect(processExitsWith: .failure) { _ = SessionState.completed.after(.itsTurn) }
        await #expect(processExitsWith: .failure) { _ = SessionState.failed.after(.pauseOver) }
    }

    @Test(arguments: [SessionState.Event.relaunch, .expiry])
    func `the table holds each state that a launch or an expiry can find`(
        event: SessionState.Event
    ) {
        let found = Self.table.filter { $0.event == event }.map(\.from)
        #expect(found == SessionState.allCases)
    }
}
