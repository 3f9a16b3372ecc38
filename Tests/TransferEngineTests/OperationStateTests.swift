import Testing
import TransferEngine

/// The lists of behaviour U1 as a state table: 4 states and 6 events.
@Suite struct OperationStateTests {
    /// A row for each state; `.` is nothing, `!` an error, `gone`, and `-` cannot arise.
    static let golden = """
        event       cancel  retry    done       error   aged      flush
        ongoing     failed  !        completed  failed  -         .
        completed   .       !        -          -       gone      gone
        failed      .       ongoing  -          -       unlisted  unlisted
        unlisted    .       ongoing  -          -       -         .
        """

    struct Cell: CustomTestStringConvertible, Sendable {
        var state: OperationState
        var event: OperationState.Event
        var word: String
        var testDescription: String { "\(state) \(event): \(word)" }
    }

    static let cells: [Cell] = {
        let rows = golden.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
        return rows.dropFirst().flatMap { row in
            zip(rows[0], row).dropFirst().compactMap { event, word in
                guard let state = OperationState(rawValue: row[0]),
                    let event = OperationState.Event.allCases.first(where: { "\($0)" == event })
                else { return nil }
                return Cell(state: state, event: event, word: word)
            }
        }
    }()

    @Test func `the table has all cells`() {
        #expect(
            Self.cells.count == OperationState.allCases.count
                * OperationState.Event.allCases.count)
    }

    @Test(arguments: cells.filter { $0.word != "-" })
    func `each cell is as written`(cell: Cell) {
        let expected: OperationState.Effect =
            switch cell.word {
            case ".": .nothing
            case "!": .refused
            case "gone": .gone
            default: .goes(to: OperationState(rawValue: cell.word) ?? .ongoing)
            }
        #expect(cell.state.after(cell.event) == expected)
    }

    @Test func `what cannot reach a state is our own mistake, and traps`() async {
        await #expect(processExitsWith: .failure) { _ = OperationState.ongoing.after(.aged) }
        await #expect(processExitsWith: .failure) { _ = OperationState.completed.after(.done) }
        await #expect(processExitsWith: .failure) { _ = OperationState.unlisted.after(.error) }
    }
}
