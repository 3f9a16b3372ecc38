import Content
import Foundation
import Glibc
import Quantities
import RunLog
import RunPlan
import Testing
import TransferEngine

@testable import Live

/// A shell plays the process: it writes down what it is told.
@Suite final class LiveAppTests {
    private let directory: RunDirectory
    private let app: LiveApp
    private let told: String

    init() throws {
        directory = try RunDirectory()
        told = directory.path + "/told"
        let entry = AppRoll(RunPlan.uploads(1, of: 1, megabits: 1)).entries[0]
        app = try LiveApp(
            entry, index: 0, before: ItemCounts(), in: directory.container(ofApp: 0, onPhone: 0))
        app.process = try PhoneProcess(
            ProcessCommand(program: "/bin/sh", arguments: ["-c", "exec cat >\(told)"]),
            orders: "")
    }

    @Test func `a process that stands still is told afterwards, and all in one`() throws {
        app.suspend()
        app.tell(order(.end(0), isUp: false))
        app.tell(order(.cut(0, answersByReset: false), isUp: true))
        app.goOn()
        var both = order(.end(0), isUp: false)
        both.merge(order(.cut(0, answersByReset: false), isUp: true))
        #expect(try lines(1) == [.network(both)])
    }

    @Test func `one that runs is told at once, and what it has heard is not told again`() throws {
        app.suspend()
        app.tell(order(.end(0), isUp: false))
        app.goOn()
        app.suspend()
        app.goOn()
        app.tell(order(.end(0), isUp: true))
        #expect(
            try lines(2) == [
                .network(order(.end(0), isUp: false)), .network(order(.end(0), isUp: true)),
            ])
    }

    @Test func `what the daemon has for one that stands still waits, and is told in its order`()
        throws
    {
        let news = [DaemonNews.eventsWait(session: "films"), .eventsEnd(session: "films")]
        app.suspend()
        for item in news { app.tell(item) }
        // Nothing of it is on its way: what goes on is told first what became of its network.
        let told = app.process?.told
        #expect(told == 0)
        #expect(app.isSettled)
        app.goOn()
        #expect(!app.isSettled)
        #expect(try lines(2) == news.map { .daemon($0) })
        app.hasHeard = 2
        #expect(app.isSettled)
    }

    private func order(_ act: NetworkOrder.Act, isUp: Bool) -> NetworkOrder {
        NetworkOrder(
            acts: [act],
            standing: NetworkStanding(
                interfaces: [.init(number: 0, isUp: isUp, bitsPerSecond: 1)]))
    }

    private struct TooLate: Error {}

    /// Returns this many lines, once they have come.
    private func lines(_ count: Int) throws -> [PhoneMessage] {
        let deadline = ContinuousClock.now + .seconds(20)
        while ContinuousClock.now < deadline {
            let text = (try? String(contentsOfFile: told, encoding: .utf8)) ?? ""
            let lines = text.split(separator: "\n")
            guard text.hasSuffix("\n"), lines.count >= count else {
                usleep(2_000)
                continue
            }
            return lines.map { PhoneMessage(line: Array($0.utf8)) }
        }
        throw TooLate()
    }
}
