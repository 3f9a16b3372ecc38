import Quantities
import Testing

@testable import TransferEngine

/// What a store was asked to keep, and what of it it lacks, where changes are still on their way.
@Suite struct StoreLedgerTests {
    private var ledger = StoreLedger<TaskChange>()
    private let later = Instant.start + .seconds(10)

    private static func change(of app: UInt16, _ seconds: Int64) -> TaskChange {
        .delay(BackgroundDelay(of: app, .seconds(seconds)))
    }

    @Test mutating func `who waits knows a change by its first ticket`() {
        let first = ledger.ask(Self.change(of: 1, 5))
        #expect(ledger.refused(first, at: .start) == first)
        let again = ledger.askAgain(at: later)
        #expect(again.map(\.1) == [Self.change(of: 1, 5)])
        // It is known already that the store refuses this.
        #expect(ledger.refused(again[0].0, at: later) == nil)
        let third = ledger.askAgain(at: later + .seconds(10))
        #expect(ledger.kept(third[0].0, at: later) == first)
        #expect(ledger.deadline == nil && !ledger.lacks(.delay(of: 1)))
    }

    @Test mutating func `a refused change is not missed with a later one of the same on its way`() {
        let first = ledger.ask(Self.change(of: 1, 5))
        let second = ledger.ask(Self.change(of: 1, 6))
        #expect(ledger.refused(first, at: .start) == first)
        #expect(ledger.deadline == nil)
        #expect(ledger.refused(second, at: .start) == second)
        #expect(ledger.askAgain(at: later).map(\.1) == [Self.change(of: 1, 6)])
    }

    @Test mutating func `a change takes the place of one that is being asked for again`() {
        let first = ledger.ask(Self.change(of: 1, 5))
        _ = ledger.refused(first, at: .start)
        let again = ledger.askAgain(at: later)[0].0
        let second = ledger.ask(Self.change(of: 1, 6))
        #expect(ledger.kept(again, at: later) == again)
        #expect(ledger.refused(second, at: later) == second)
        #expect(
            ledger.askAgain(at: later + .seconds(10)).map(\.1) == [Self.change(of: 1, 6)])
    }

    @Test mutating func `nothing is asked for twice at a time`() {
        for app: UInt16 in 1...3 {
            _ = ledger.refused(ledger.ask(Self.change(of: app, 5)), at: .start)
        }
        #expect(ledger.askAgain(at: .start).isEmpty)
        let again = ledger.askAgain(at: later)
        #expect(again.count == 3 && ledger.askAgain(at: later).isEmpty)
        #expect(ledger.refused(again[0].0, at: later) == nil)
        // The second one is kept: the store works, for the first one, too.
        _ = ledger.kept(again[1].0, at: later)
        #expect(ledger.deadline == later)
        #expect(ledger.askAgain(at: later).map(\.1) == [Self.change(of: 1, 5)])
    }

    /// Sixty thousand are as many as apps can have a name here; by looking at all of them for each
    /// it would take minutes.
    @Test(.timeLimit(.minutes(1)))
    mutating func `a store that refuses all there is, is asked for all of it again`() {
        let apps = UInt16.min..<60_000
        let tickets = apps.map { ledger.ask(Self.change(of: $0, 5)) }
        for ticket in tickets { _ = ledger.refused(ticket, at: .start) }
        let again = ledger.askAgain(at: later)
        #expect(again.map(\.1) == apps.map { Self.change(of: $0, 5) })
        for (ticket, _) in again { _ = ledger.refused(ticket, at: later) }
        let third = ledger.askAgain(at: later + .seconds(10))
        for (ticket, _) in third { _ = ledger.kept(ticket, at: later) }
        #expect(third.count == apps.count && ledger.deadline == nil)
    }
}
