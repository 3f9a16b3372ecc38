import Quantities
import RunLog
import Testing

@testable import Checks

/// S17 with background tasks whose time is up, and with several phones.
@Suite struct PhonesObeyTheirSystemsTests {
    private static let deadline = Instant.start + .seconds(5)

    private static func begins(_ task: UInt32) -> PhoneLog.Entry {
        (nil, .taskBegan(launch: 1, task: task, deadline: deadline))
    }

    private static func expires(_ task: UInt32) -> PhoneLog.Entry {
        (nil, .taskExpires(launch: 1, task: task, deadline: deadline))
    }

    private static func ends(_ task: UInt32) -> PhoneLog.Entry {
        (nil, .taskEnded(launch: 1, task: task))
    }

    private static func killed(_ why: ProcessEnd) -> PhoneLog.Entry {
        (nil, .appKilled(launch: 1, why: why))
    }

    private static let suspended = PhoneObeysItsSystemTests.enters(.suspended)

    @Test func `all tasks expire together`() {
        let start = [Self.begins(1), Self.begins(2), Self.expires(1)]
        let log = PhoneLog(start + [Self.expires(2), Self.ends(1), Self.ends(2)])
        #expect(log.answer == .held)
        #expect(log.decided("every handler runs") == 1)
        let expected = "all background tasks of the app expire when its time is up"
        #expect(PhoneLog(start).slip == .init(expected: expected, seen: "task 2 does not"))
        #expect(
            PhoneLog(start + [Self.ends(1), Self.ends(2)]).slip
                == .init(expected: expected, seen: "task 2 ends without that"))
        let single = PhoneLog([Self.begins(1), Self.expires(1), Self.ends(1)])
        #expect(single.answer == .held)
        #expect(single.decided("every handler runs") == 0)
    }

    @Test func `an app that begins a task when its time is up is killed for it`() {
        func log(_ last: [PhoneLog.Entry]) -> PhoneLog {
            var log = PhoneLog([Self.begins(1), Self.expires(1), Self.begins(2), Self.ends(1)])
            log.wait(.seconds(5))
            log.add(last)
            log.wait(.seconds(5))
            return log
        }
        #expect(log([Self.killed(.taskBegunAtExpiry)]).answer == .held)
        #expect(log([Self.killed(.taskBegunAtExpiry)]).decided("no time after expiry") == 1)
        #expect(
            log([Self.killed(.taskOverdue)]).slip
                == .init(
                    expected: "the app is killed because it began a task when its time was up",
                    seen: "it is killed because it did not end one"))
        #expect(
            log([Self.ends(2), Self.suspended]).slip
                == .init(
                    expected:
                        "the app is killed at 5 s, because it began a task when its time was up",
                    seen: "it goes on running"))
        #expect(log([PhoneObeysItsSystemTests.enters(.active)]).answer == .held)
        let early = PhoneLog([Self.begins(1), Self.expires(1), Self.ends(1), Self.suspended])
        #expect(early.decided("no time after expiry") == 0)
    }

    @Test func `each phone has a front and a clock of its own`() {
        let stands = PhoneLog.Entry(
            nil, .stands(os: "iOS 16", wallNanoseconds: 9, device: 2, apps: [2, 3]))
        let (first, second) = (
            PhoneObeysItsSystemTests.enters(.active), PhoneObeysItsSystemTests.enters(.active, 2)
        )
        #expect(PhoneLog([stands, first, second]).answer == .held)
        let both = PhoneLog([stands, first, second, PhoneObeysItsSystemTests.enters(.active, 3)])
        #expect(both.slip?.seen == "phone 2: app 3 is in front as well")
        let jump = DeviceFact.wallClockJumped(
            by: .seconds(1), wallNanoseconds: 9_000_000_000, because: "so", device: 2)
        #expect(
            PhoneLog([stands, (nil, jump)]).slip?.seen == "phone 2: it shows 9 s")
    }
}
