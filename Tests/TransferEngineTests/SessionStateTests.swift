import Testing
import TransferEngine

/// The state table of behaviour A: every state against every event (A4 to A8, A10, A11).
@Suite struct SessionStateTests {
    /// A row for each state; `-` nothing, `x` a typed error and no change, `gone` deleted, `!`
    /// cannot arise.
    static let table = """
        state           itsTurn run     runOther        cancel    stop    pause  resume  remove
        waiting         running -       -               cancelled -       x      x       gone
        running         !       -       preempted       cancelled waiting paused x       x
        retrying        !       running preempted       cancelled waiting paused x       x
        paused          -       waiting preemptedPaused cancelled waiting -      running x
        preempted       running waiting -               cancelled waiting x      x       gone
        preemptedPaused paused  waiting -               cancelled waiting x      x       gone
        cancelled       !       waiting -               -         -       x      x       gone
        failed          !       waiting -               -         -       x      x       gone
        completed       !       waiting -               -         -       x      x       gone

        state           finished  retryableError fatalError networkLost pauseOver
        waiting         !         !              !          !           !
        running         completed retrying       failed     retrying    !
        retrying        !         !              !          !           running
        paused          !         !              !          !           !
        preempted       !         !              !          !           !
        preemptedPaused !         !              !          !           !
        cancelled       !         !              !          !           !
        failed          !         !              !          !           !
        completed       !         !              !          !           !

        state           queueStops expiry  relaunch
        waiting         -          -       -
        running         waiting    waiting waiting
        retrying        waiting    waiting waiting
        paused          -          -       -
        preempted       waiting    waiting waiting
        preemptedPaused paused     paused  paused
        cancelled       -          -       -
        failed          -          -       -
        completed       -          -       -
        """

    struct Cell: Hashable, Sendable, CustomStringConvertible {
        var state: SessionState
        var event: SessionState.Event
        /// `nil`: it cannot arise.
        var effect: SessionState.Effect?

        var description: String { "\(state) × \(event)" }
    }

    static let cells: [Cell] = {
        var cells: [Cell] = []
        var events: [SessionState.Event] = []
        for line in table.split(separator: "\n") {
            let words = line.split(separator: " ").map(String.init)
            guard words[0] != "state" else {
                events = words.dropFirst().map { word in
                    SessionState.Event.allCases.first { "\($0)" == word } ?? .itsTurn
                }
                continue
            }
            guard let state = SessionState(rawValue: words[0]) else { continue }
            for (event, word) in zip(events, words.dropFirst()) {
                cells.append(Cell(state: state, event: event, effect: effect(word)))
            }
        }
        return cells
    }()

    private static func effect(_ word: String) -> SessionState.Effect? {
        switch word {
        case "!": nil
        case "-": .nothing
        case "x": .refused
        case "gone": .gone
        default: SessionState(rawValue: word).map { .goes(to: $0) }
        }
    }

    @Test func `the table has a cell for every state and event, once`() {
        #expect(Self.cells.count == SessionState.allCases.count * SessionState.Event.allCases.count)
        #expect(Set(Self.cells.map(\.description)).count == Self.cells.count)
    }

    @Test(arguments: cells.filter { $0.effect != nil })
    func `every cell of the table holds`(cell: Cell) {
        #expect(cell.state.after(cell.event) == cell.effect)
    }

    @Test func `what cannot reach a state is our own mistake, and traps`() async {
        await #expect(processExitsWith: .failure) { _ = SessionState.waiting.after(.finished) }
        await #expect(processExitsWith: .failure) { _ = SessionState.running.after(.itsTurn) }
        await #expect(processExitsWith: .failure) { _ = SessionState.retrying.after(.fatalError) }
        await #expect(processExitsWith: .failure) { _ = SessionState.paused.after(.pauseOver) }
        await #expect(processExitsWith: .failure) { _ = SessionState.preempted.after(.finished) }
        await #expect(processExitsWith: .failure) { _ = SessionState.completed.after(.itsTurn) }
    }
}
