import Quantities
import RunLog
import Testing

@testable import Checks

@Suite struct PerAppTests {
    @Test func `two apps may each have a session active`() {
        #expect(
            verdict([(nil, accepted(1)), (2, accepted(2)), (nil, begins(1)), (2, begins(2))])
                == .held)
    }

    @Test func `one app with two active sessions falls, and the event is counted through the log`()
    {
        let answer = verdict([
            (2, accepted(1)), (2, accepted(2)), (nil, .server(.removed(object: "o"))),
            (2, begins(1)), (2, begins(2)),
        ])
        #expect(
            answer
                == .broken(
                    Breach(
                        event: 5, at: .start + .milliseconds(5),
                        expected: "session 1 is deactivated before another session is activated",
                        seen: "“backup”: session 2 is activated beside it")))
    }

    @Test func `the kill of one app is none of the other`() {
        let log: [(UInt16?, RunEvent.Fact)] = [
            (nil, accepted(1)), (2, accepted(2)), (nil, begins(1)), (2, SmallLog.killed),
            (nil, begins(1)),
        ]
        #expect(verdict(log) != .held)
        #expect(verdict(log.map { ($0.1 == SmallLog.killed ? nil : $0.0, $0.1) }) == .held)
    }

    @Test func `the network of one phone is none of an app's on another`() {
        var terms = PathTerms(
            interface: nil, name: nil, isMetered: false, isLowData: false, alive: [])
        let ofFirst = RunEvent.Fact.network(.path(terms))
        terms.apps = [2]
        let ofSecond = RunEvent.Fact.network(.path(terms, device: 2))
        let log: [(UInt16?, RunEvent.Fact)] = [
            (nil, ofFirst), (nil, ofSecond), (nil, ofSecond), (nil, ofFirst),
        ]
        // An app's phone is unknown before the first report on its network.
        #expect(read(Array(log.dropFirst()), by: PerApp(PathsSeen())).verdict() == .held)
        var alone = PathsSeen()
        for entry in log { alone.read(RunEvent(at: .start, entry.1)) }
        #expect(alone.verdict() != .held)
    }

    /// As a battery saver does, which leaves the network to the app in front.
    @Test func `the network of one app is none of another's on its phone`() {
        var terms = PathTerms(
            interface: 0, name: "Wi-Fi", isMetered: false, isLowData: false, alive: [0])
        let log = [UInt16(1), 2].map { app -> (UInt16?, RunEvent.Fact) in
            terms.apps = [app]
            return (nil, .network(.path(terms)))
        }
        #expect(read(log, by: PerApp(OneNetwork())).verdict() == .held)
    }

    /// Fails when an app hears of a second network.
    private struct OneNetwork: Check {
        var count = 0
        var rule: String { "networks" }
        var statement: String { "an app hears of its own network" }

        mutating func read(_ event: RunEvent) {
            if case .network(.path) = event.fact { count += 1 }
        }

        func verdict() -> Verdict.Answer {
            count < 2
                ? .held
                : .broken(Breach(event: 0, at: .start, expected: "one network", seen: "\(count)"))
        }
    }

    /// Fails as soon as an app has heard of the networks of two phones.
    private struct PathsSeen: Check {
        var devices: [UInt16?] = []
        var rule: String { "paths" }
        var statement: String { "an app hears of its own phone's network" }

        mutating func read(_ event: RunEvent) {
            if case .network(.path(_, let device)) = event.fact { devices.append(device) }
        }

        func verdict() -> Verdict.Answer {
            guard let first = devices.first, devices.contains(where: { $0 != first }) else {
                return .held
            }
            return .broken(
                Breach(event: 0, at: .start, expected: "one phone", seen: "\(devices)"))
        }
    }

    @Test func `with one app it is that app's check`() {
        var check = PerApp(QueueKeepsOrder())
        #expect(check.verdict() == QueueKeepsOrder().verdict())
        check.read(RunEvent(at: .start, SmallLog.accepted(1)))
        check.read(RunEvent(at: .start, begins(1)))
        #expect(check.verdict() == .held)
    }

    private func accepted(_ session: UInt64) -> RunEvent.Fact { SmallLog.accepted(session) }

    private func begins(_ session: UInt64) -> RunEvent.Fact {
        SmallLog.told(session, .willActivate)
    }

    private func verdict(_ log: [(app: UInt16?, fact: RunEvent.Fact)]) -> Verdict.Answer {
        read(log, by: PerApp(QueueKeepsOrder())).verdict()
    }

    private func read<Single: Check>(
        _ log: [(app: UInt16?, fact: RunEvent.Fact)], by check: PerApp<Single>
    ) -> PerApp<Single> {
        var check = check
        guard case .run(.began(var beginning)) = SmallLog.begins(sessions: 2) else {
            preconditionFailure("a log begins with its beginning")
        }
        beginning.apps = 2
        beginning.names = RunNames(apps: ["backup"])
        check.read(RunEvent(at: .start, .run(.began(beginning))))
        for (order, entry) in log.enumerated() {
            check.read(
                RunEvent(
                    at: .start + .milliseconds(Int64(order + 1)), app: entry.app, entry.fact))
        }
        return check
    }
}
