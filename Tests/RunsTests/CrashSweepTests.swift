import Foundation
import Quantities
import Reports
import RunLog
import Scenario
import Testing

@testable import Runs

/// A crash falls on every point of a scenario, and the table says what became of it.
@Suite struct CrashSweepTests {
    private static func sweep(
        _ lines: String = "", device: String = "ios-17", limit: String = "5 min"
    ) throws -> CrashSweep {
        let text = """
            name: an upload and a task
            why: every point of a short run can be tried
            device: { os: \(device) }
            links:
              uplink: { rate: 10 Mbit/s, delay: 5 ms }
              downlink: { rate: 10 Mbit/s, delay: 5 ms }
            files: { a.bin: 400 kB, b.bin: 3 kB }
            queue:
              - upload: a.bin
                to: in/a.bin
            background:
              - upload: b.bin
                to: b.bin
            limit: \(limit)
            \(lines)
            """
        return CrashSweep(try Scenario.read(text: text, path: "small.yaml"))
    }

    @Test func `each event that is no packet is a point, and so is each write to a store`() throws {
        let points = try Self.sweep().rehearse().points
        let writes = { (how: CrashTable.Crash) in
            points.count { point in
                if case .write = point.place { point.how == how } else { false }
            }
        }
        // The daemon's store is written to as well, and dies with the power alone.
        #expect(writes(.appKilled) > 50)
        #expect(writes(.powerLost) > writes(.appKilled) + 20)
        let moments = points.compactMap { point -> Instant? in
            guard case .event(let at, _, false) = point.place, point.how == .appKilled else {
                return nil
            }
            return at
        }
        #expect(moments.count > 30 && moments == Set(moments).sorted())
    }

    @Test func `all rules hold at all points, and the table says what the crashes meant`() throws {
        let sweep = try Self.sweep()
        let rehearsal = try sweep.rehearse()
        let table = try sweep.play(rehearsal, jobs: 2)
        #expect(table.isGreen, "\(CrashText(isColoured: false).text(for: table))")
        #expect(table.rows.map(\.number) == Array(1...rehearsal.points.count))
        for how in CrashTable.Crash.allCases {
            #expect(table.count(how, .resumed) > 0)
            #expect(table.count(how, .unharmed) > 0)
            // Before the app's first wish was durable.
            #expect(table.count(how, .needsTheUser) > 0)
        }
        let again = try sweep.play(rehearsal, jobs: 1)
        #expect(again == table)
    }

    @Test func `a point is played alone by its number`() throws {
        let sweep = try Self.sweep()
        let rehearsal = try sweep.rehearse()
        let number = try #require(
            rehearsal.points.lastIndex { if case .write = $0.place { true } else { false } })
        let row = try sweep.play(number, of: rehearsal, into: nil)
        #expect(row.number == number + 1 && row.how == .powerLost)
        #expect(row.command == "./lab crash small.yaml --seed 1 --point \(number + 1)")
    }

    @Test func `a write that is not made leaves the store as it was before the change`() throws {
        let sweep = try Self.sweep()
        let rehearsal = try sweep.rehearse()
        var outcomes: [CrashTable.Outcome] = []
        for (index, point) in rehearsal.points.enumerated() where point.how == .appKilled {
            guard case .write(let number) = point.place, number < 20 else { continue }
            outcomes.append(try sweep.play(index, of: rehearsal, into: nil).outcome)
        }
        #expect(outcomes.contains(.needsTheUser))
    }

    /// What it had asked of the system is heard, and the answers are for nobody (S9).
    @Test func `an app that dies as the system has just started it leaves nothing to the next`()
        throws
    {
        let sweep = try Self.sweep("timeline: [10 ms: app crashes]")
        let rehearsal = try sweep.rehearse()
        var played = 0
        for (index, point) in rehearsal.points.enumerated() where point.how == .appKilled {
            guard case .event(_, let sentence, true) = point.place,
                sentence.contains("by the system")
            else { continue }
            let row = try sweep.play(index, of: rehearsal, into: nil)
            #expect(row.judgement.isGreen, "\(CrashText(isColoured: false).text(for: row))")
            played += 1
        }
        #expect(played > 0)
    }

    @Test func `a scenario that is red without a crash is red`() throws {
        let sweep = try Self.sweep(limit: "200 ms")
        let table = try sweep.play(sweep.rehearse(), jobs: 2)
        #expect(!table.reference.isGreen && !table.isGreen)
        #expect(
            CrashPage.document(for: [table]).contains("is red without a crash"))
    }

    @Test func `the page and the lines tell a red point with its command`() throws {
        let sweep = try Self.sweep()
        let rehearsal = try sweep.rehearse()
        var row = try sweep.play(40, of: rehearsal, into: nil)
        row.judgement.isGreen = false
        row.judgement.sentence = "S1 failed"
        var table = CrashTable(
            scenario: "s", path: "small.yaml", seed: 1, reference: row.judgement)
        table.reference.isGreen = true
        table.rows = [row]
        let page = CrashPage.document(for: [table])
        let command = "./lab crash small.yaml --seed 1 --point 41"
        #expect(page.contains(command) && page.contains("Invariants failed at 1 of 1 crash points"))
        let text = CrashText(isColoured: false)
        #expect(text.text(for: table).contains("reproduce  \(command)"))
        #expect(text.total(of: [table]) == "1 crash points: 0 green, ✘ 1 red")
        let json = String(decoding: CrashJSON.data(for: [table]), as: UTF8.self)
        #expect(json.contains("\"outcome\" : \"\(row.outcome.rawValue)\""))
    }
}
