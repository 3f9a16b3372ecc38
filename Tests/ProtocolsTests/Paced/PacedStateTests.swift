import Quantities
import Testing

@testable import Protocols

/// The state diagram of a sender: what each event makes of each state.
@Suite struct PacedStateTests {
    enum Event: String, CaseIterable {
        case report, completeReport, abortedReport, abort, silence
    }

    /// States in the order of `PacedSender.State`, events in the order of `Event`.
    private static let table = """
                    report    complete  aborted   abort     silence
        opening     sending   opening   aborted   aborted   silent
        sending     sending   sending   aborted   aborted   silent
        closing     closing   complete  aborted   aborted   silent
        complete    complete  complete  complete  complete  complete
        aborted     aborted   aborted   aborted   aborted   aborted
        silent      silent    silent    silent    silent    silent
        """

    @Test(arguments: PacedSender.State.allCases, Event.allCases)
    func `each event leads on as the table says`(
        state: PacedSender.State, event: Event
    ) throws {
        let rows = Self.table.split(separator: "\n").dropFirst().map { $0.split(separator: " ") }
        let row = try #require(rows.first { $0[0] == "\(state)" })
        let place = try #require(Event.allCases.firstIndex(of: event))
        var path = try Self.path(in: state)
        #expect(path.sender.state == state)
        switch event {
        case .report: path.sender.heard(Self.report(path), at: path.now)
        case .completeReport:
            path.sender.heard(Self.report(path, ending: .complete), at: path.now)
        case .abortedReport:
            path.sender.heard(Self.report(path, ending: .aborted), at: path.now)
        case .abort: path.sender.abort(at: path.now)
        case .silence:
            path.now = path.now + .seconds(60)
            _ = path.sender.next(at: path.now)
        }
        #expect("\(path.sender.state)" == row[place + 1])
    }

    /// Returns a path whose sender waits for a report in this state.
    private static func path(in state: PacedSender.State) throws -> PacedPath {
        var path = PacedPath()
        path.sender.add(file: 1, to: 20_000)
        switch state {
        case .opening: path.play(until: .start + .milliseconds(1))
        case .sending: path.play(until: .start + .milliseconds(46))
        case .closing:
            path.sender.finish()
            var moment = path.now
            while path.sender.state != .closing, moment < .start + .seconds(9) {
                moment = moment + .milliseconds(1)
                path.play(until: moment)
            }
            while let packet = path.sender.next(at: path.now + .milliseconds(10)) {
                #expect(packet.kind == .close)
            }
            path.now = path.now + .milliseconds(10)
        case .complete:
            path.sender.finish()
            path.play()
        case .aborted:
            path.play(until: .start + .milliseconds(46))
            path.sender.abort(at: path.now)
        case .silent:
            path.fate = { _, _ in [] }
            path.play()
        }
        return path
    }

    /// Returns a report that could have come.
    private static func report(
        _ path: PacedPath, ending: PacedReport.Ending = .none
    ) -> PacedReport {
        var report =
            path.reports.last
            ?? PacedReport(
                number: 0, contiguous: 1, end: 1, told: 1..<1, missing: [], echo: .start,
                held: .zero, shortestWay: .milliseconds(20), received: .zero, span: .zero,
                packets: 1, unneeded: 0)
        report.number += 1_000
        report.ending = ending
        return report
    }
}
