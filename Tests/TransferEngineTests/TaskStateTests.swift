import Testing
import TransferEngine

/// The state table of behaviour B.
@Suite struct TaskStateTests {
    typealias Cell = (from: TaskState, event: TaskState.Event, to: TaskState)

    /// The cells in which a task goes somewhere or stays; the app gets an error in two, and two
    /// cannot arise.
    static let table: [Cell] = [
        (.suspended, .resume, .running), (.suspended, .suspend, .suspended),
        (.suspended, .cancel, .finished), (.suspended, .appGone, .suspended),
        (.suspended, .forceQuit, .finished), (.suspended, .reboot, .suspended),
        (.running, .resume, .running), (.running, .suspend, .suspended),
        (.running, .cancel, .finished), (.running, .appGone, .running),
        (.running, .forceQuit, .finished), (.running, .reboot, .running),
        (.running, .done, .finished),
        (.finished, .cancel, .finished), (.finished, .appGone, .finished),
        (.finished, .forceQuit, .finished), (.finished, .reboot, .finished),
    ]

    @Test(arguments: table)
    func `every cell of the table holds (B1, B5, B6)`(cell: Cell) throws {
        #expect(try cell.from.after(cell.event) == cell.to)
    }

    @Test(arguments: [TaskState.Event.resume, .suspend])
    func `what has finished refuses, and says what to do`(event: TaskState.Event) {
        #expect(throws: TaskRefusal.hasFinished) { try TaskState.finished.after(event) }
        #expect(TaskRefusal.hasFinished.message.contains("make a new one"))
    }

    @Test func `what cannot reach a state is our own mistake, and traps`() async {
        await #expect(processExitsWith: .failure) { _ = try TaskState.suspended.after(.done) }
        await #expect(processExitsWith: .failure) { _ = try TaskState.finished.after(.done) }
    }

    @Test func `the table, the errors and the traps are all cells that there are`() {
        #expect(
            Self.table.count + 2 + 2 == TaskState.allCases.count * TaskState.Event.allCases.count)
    }
}
