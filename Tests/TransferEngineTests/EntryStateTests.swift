import Testing
import TransferEngine

/// The state table of behaviour K: NOENTRY stands in four rows, as what `transfer()` means there
/// hangs on how it came to it.
@Suite struct EntryStateTests {
    /// A row for each state; `.` is nothing, a number an error, and `-` cannot arise.
    static let golden = """
        event       transfer  suspend    terminate   complete   recoverableError  otherError  \
        leavesFront  processDeath
        fresh       ongoing   807        808         -          -                 -           \
        -            -
        ongoing     811       suspended  terminated  completed  suspended         failed      \
        suspended    suspended
        suspended   ongoing   807        terminated  -          -                 -           \
        .            .
        completed   801       807        808         -          -                 -           \
        .            -
        terminated  810       807        808         -          -                 -           \
        .            -
        failed      810       807        808         -          -                 -           \
        .            -
        """

    struct Cell: CustomTestStringConvertible, Sendable {
        var state: EntryState
        var event: EntryState.Event
        var word: String
        var testDescription: String { "\(state) \(event): \(word)" }
    }

    static let cells: [Cell] = {
        let rows = golden.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
        return rows.dropFirst().flatMap { row in
            zip(rows[0], row).dropFirst().compactMap { event, word in
                guard let state = EntryState(rawValue: row[0]),
                    let event = EntryState.Event.allCases.first(where: { "\($0)" == event })
                else { return nil }
                return Cell(state: state, event: event, word: word)
            }
        }
    }()

    @Test func `the table has all cells`() {
        #expect(Self.cells.count == EntryState.allCases.count * EntryState.Event.allCases.count)
    }

    @Test(arguments: cells.filter { $0.word != "-" })
    func `each cell is as written (K1, K11)`(cell: Cell) {
        let expected: EntryState.Effect =
            if cell.word == "." {
                .nothing
            } else if let number = Int(cell.word), let error = KiiError(rawValue: number) {
                .refused(error)
            } else {
                .goes(to: EntryState(rawValue: cell.word) ?? .fresh)
            }
        #expect(cell.state.after(cell.event) == expected)
    }

    @Test func `the app sees three of them (K1)`() {
        let seen = EntryState.allCases.map { "\($0) \($0.status.rawValue)" }
        #expect(
            seen == [
                "fresh NOENTRY", "ongoing ONGOING", "suspended SUSPENDED", "completed NOENTRY",
                "terminated NOENTRY", "failed NOENTRY",
            ])
    }

    @Test func `what cannot reach a state is our own mistake, and traps`() async {
        await #expect(processExitsWith: .failure) { _ = EntryState.fresh.after(.complete) }
        await #expect(processExitsWith: .failure) { _ = EntryState.suspended.after(.otherError) }
        await #expect(processExitsWith: .failure) { _ = EntryState.completed.after(.complete) }
    }
}
