import Quantities
import RunLog
import Testing

@testable import Checks

/// S17 on doctored logs of one phone: each clause has a log that decides it, and one that fails it.
@Suite struct PhoneObeysItsSystemTests {
    static func enters(_ stage: AppStage, _ app: UInt16? = nil) -> PhoneLog.Entry {
        (app, .appEntered(launch: 1, stage: stage, because: "the test says so"))
    }

    private static let dead: PhoneLog.Entry = (nil, .appKilled(launch: 1, why: .crash))

    private static func forMemory(_ app: UInt16? = nil) -> PhoneLog.Entry {
        (app, .appKilled(launch: 1, why: .memory))
    }

    private static func call(_ isOn: Bool) -> PhoneLog.Entry { (nil, .call(on: isOn)) }

    private static func power(_ step: PowerStep) -> PhoneLog.Entry { (nil, .power(step)) }

    private static let short: PhoneLog.Entry = (nil, .memoryPressure())

    // MARK: In front, and in a call

    @Test func `one app is in front`() {
        let log = PhoneLog([
            Self.enters(.active, 2), Self.enters(.background, 2), Self.enters(.active),
        ])
        #expect(log.answer == .held)
        #expect(log.decided("one app in front") == 1)
        let both = PhoneLog([Self.enters(.active, 2), Self.enters(.active)])
        #expect(
            both.slip
                == .init(
                    expected: "app 2 leaves the front before another app is there",
                    seen: "the app is in front as well"))
        #expect(PhoneLog([Self.enters(.active)]).decided("one app in front") == 0)
    }

    @Test func `an app in front is inactive as long as there is a call`() {
        let start = [Self.enters(.active), Self.call(true)]
        let log = PhoneLog(
            start + [Self.enters(.inactive), Self.call(false), Self.enters(.active)])
        #expect(log.answer == .held)
        #expect(log.decided("inactive in a call") == 1)
        #expect(log.decided("active after a call") == 1)
        #expect(
            PhoneLog(start).slip
                == .init(
                    expected: "the app is inactive while there is a call", seen: "it is active"))
        let stays = PhoneLog(start + [Self.enters(.inactive), Self.call(false)])
        #expect(
            stays.slip
                == .init(expected: "the app is active, as there is no call", seen: "it is inactive")
        )
        let behind = PhoneLog([Self.enters(.background), Self.call(true), Self.call(false)])
        #expect(behind.answer == .held)
        #expect(behind.decided("inactive in a call") == 0)
        #expect(behind.decided("active after a call") == 0)
    }

    @Test func `an app that is shown during a call is inactive`() {
        let start = [Self.enters(.background), Self.call(true), Self.enters(.active)]
        let log = PhoneLog(start + [Self.enters(.inactive)])
        #expect(log.answer == .held)
        #expect(log.decided("shown in a call") == 1)
        #expect(PhoneLog(start).slip?.seen == "it is active")
        #expect(PhoneLog([Self.enters(.active)]).decided("shown in a call") == 0)
    }

    @Test func `a call ends with the phone`() {
        let start = [
            Self.enters(.active), Self.call(true), Self.enters(.inactive), Self.dead,
            Self.power(.restarting), Self.power(.up), Self.enters(.active),
        ]
        #expect(PhoneLog(start).answer == .held)
        #expect(PhoneLog(start).decided("off ends a call") == 1)
        #expect(PhoneLog(start + [Self.enters(.inactive)]).slip?.seen == "it is inactive")
        let without = start.filter { $0.fact != .call(on: true) }
        #expect(PhoneLog(without).decided("off ends a call") == 0)
    }

    // MARK: Held awake, and suspended

    private static let iPhone: PhoneLog.Entry = (nil, .stands(os: "iOS 17", wallNanoseconds: 0))

    /// An app that goes behind, then does these things in turn, 3 s apart.
    private static func behind(_ entries: [PhoneLog.Entry], _ phone: PhoneLog.Entry) -> PhoneLog {
        let entries = [phone, enters(.background)] + entries
        return PhoneLog(entries, apart: .seconds(3), from: entries.count, ending: .limit)
    }

    @Test func `an app that nothing holds is suspended in its time`() {
        let idle: PhoneLog.Entry = (2, .appDataCleared)
        let log = Self.behind([idle, Self.enters(.suspended)], Self.iPhone)
        #expect(log.answer == .held)
        #expect(log.decided("suspended when free") == 1)
        let late = Self.behind([idle, idle, Self.enters(.suspended)], Self.iPhone)
        #expect(
            late.slip
                == .init(
                    expected: "the app is suspended, as nothing holds it awake",
                    seen: "it is still in the background"))
        let early = Self.behind([Self.enters(.suspended)], Self.iPhone)
        #expect(
            early.slip
                == .init(
                    expected: "the app is not suspended before 8 s, as it has 5 s behind",
                    seen: "it is suspended"))
        let android: PhoneLog.Entry = (nil, .stands(os: "Android 14", wallNanoseconds: 0))
        #expect(Self.behind([idle, idle, idle], android).answer == .held)
    }

    @Test(arguments: [
        (
            DeviceFact.taskBegan(launch: 1, task: 1, deadline: nil),
            DeviceFact.taskEnded(launch: 1, task: 1), "holds a background task"
        ),
        (
            .fetchBegan(launch: 1, deadline: .start + .seconds(33)),
            .fetchEnded(launch: 1, .noData), "fetches"
        ),
        (.modeBegan(launch: 1, .location), .modeEnded(launch: 1, .location), "tracks its location"),
        (.modeBegan(launch: 1, .call), .modeEnded(launch: 1, .call), "is in a call of its own"),
    ])
    func `an app that something holds is not suspended`(
        begins: DeviceFact, ends: DeviceFact, holder: String
    ) {
        let idle: PhoneLog.Entry = (2, .appDataCleared)
        let held = [(nil, begins), idle, idle, (nil, ends)]
        let log = Self.behind(held, Self.iPhone)
        #expect(log.answer == .held)
        #expect(log.decided("held awake") == 1)
        let suspended = Self.behind([(nil, begins), idle, Self.enters(.suspended)], Self.iPhone)
        #expect(
            suspended.slip
                == .init(
                    expected: "the app is not suspended while it \(holder)",
                    seen: "it is suspended"))
        let forgotten = Self.behind(held + [idle, idle, idle], Self.iPhone)
        #expect(forgotten.slip?.seen == "it is still in the background")
    }

    @Test func `an app has its time behind anew when a mode ends, and one mode is enough`() {
        let idle: PhoneLog.Entry = (2, .appDataCleared)
        let both: [PhoneLog.Entry] = [
            (nil, .modeBegan(launch: 1, .location)), (nil, .modeBegan(launch: 1, .call)), idle,
            (nil, .modeEnded(launch: 1, .location)), idle, idle,
            (nil, .modeEnded(launch: 1, .call)),
        ]
        #expect(Self.behind(both + [idle, Self.enters(.suspended)], Self.iPhone).answer == .held)
        #expect(
            Self.behind(both + [Self.enters(.suspended)], Self.iPhone).slip?.seen
                == "it is suspended")
    }

    // MARK: Short memory

    private static let three = [
        enters(.active), enters(.background), enters(.active, 2), enters(.background, 2),
        enters(.active, 3), enters(.background, 3), enters(.suspended), enters(.suspended, 2),
    ]

    @Test func `short memory ends who is suspended, and nobody else`() {
        let log = PhoneLog(Self.three + [Self.short, Self.forMemory(), Self.forMemory(2)])
        #expect(log.answer == .held)
        #expect(log.decided("short memory") == 1)
        #expect(log.decided("seen longest ago") == 0)
        let spared = PhoneLog(Self.three + [Self.short, Self.forMemory()])
        #expect(
            spared.slip
                == .init(expected: "short memory ends app 2", seen: "it goes on running"))
        let behind = PhoneLog(Self.three + [Self.short, Self.forMemory(3)])
        #expect(
            behind.slip
                == .init(
                    expected: "short memory ends suspended apps, or else those in the background",
                    seen: "it ends app 3, which is in the background"))
        #expect(PhoneLog([Self.enters(.active), Self.short]).decided("short memory") == 0)
        // A phone without a system tells no stages.
        #expect(PhoneLog([Self.short, Self.forMemory()]).answer == .held)
    }

    @Test func `short memory ends those first who were seen longest ago`() {
        let start = [
            Self.enters(.background, 3), Self.enters(.active, 2), Self.enters(.background, 2),
            Self.enters(.active), Self.enters(.background), Self.short,
        ]
        let log = PhoneLog(
            start + [Self.forMemory(3), Self.forMemory(2), Self.forMemory()], apart: .seconds(5),
            from: start.count)
        #expect(log.answer == .held)
        #expect(log.decided("seen longest ago") == 1)
        let other = PhoneLog(
            start + [Self.forMemory(3), Self.forMemory(), Self.forMemory(2)], apart: .seconds(5),
            from: start.count)
        #expect(
            other.slip
                == .init(
                    expected: "short memory ends app 2 first, which was seen longer ago",
                    seen: "it ends the app first"))
    }

    // MARK: Files, power and the clock

    @Test func `each update moves the container`() {
        let updates = ["a", "b", "c"].map { PhoneLog.Entry(nil, .appUpdated(container: $0)) }
        #expect(PhoneLog(updates).answer == .held)
        #expect(PhoneLog(updates).decided("another container") == 2)
        #expect(
            PhoneLog(updates + updates.prefix(1)).slip
                == .init(
                    expected: "an update moves the app to a container that it never had",
                    seen: "its container is a again"))
        let other = PhoneLog([updates[0], (2, updates[0].fact)])
        #expect(other.answer == .held)
        #expect(other.decided("another container") == 0)
    }

    @Test func `bits flip only behind the back of a process`() {
        let launched = PhoneLog.Entry(nil, .appLaunched(launch: 1))
        let flips = PhoneLog.Entry(nil, .bitsFlipped(count: 3))
        let log = PhoneLog([launched, Self.dead, flips])
        #expect(log.answer == .held)
        #expect(log.decided("bits flip behind a process") == 1)
        #expect(
            PhoneLog([launched, flips]).slip
                == .init(
                    expected: "the bits of a store flip only while its app does not run",
                    seen: "bits of the store of the app flip, which runs"))
    }

    @Test func `a phone that starts is up in the end`() {
        let lost = [Self.power(.lost), Self.power(.back)]
        #expect(PhoneLog(lost + [Self.power(.up)]).answer == .held)
        #expect(PhoneLog(lost + [Self.power(.up)]).decided("a phone starts again") == 1)
        #expect(PhoneLog(Array(lost.prefix(1))).answer == .held)
        #expect(
            PhoneLog(lost).slip
                == .init(
                    expected: "the phone, which starts at 0 s, is up in the end",
                    seen: "nothing is left to happen, and it is not"))
        #expect(PhoneLog(lost, ending: .limit).answer == .held)
        #expect(PhoneLog([Self.power(.up)]).slip?.seen == "the phone is up")
    }

    @Test func `each start takes the same time`() {
        func log(_ second: TimeSpan) -> PhoneLog {
            var log = PhoneLog([])
            log.add([Self.power(.restarting)])
            log.wait(.seconds(30))
            log.add([Self.power(.up), Self.power(.lost), Self.power(.back)])
            log.wait(second)
            log.add([Self.power(.up)])
            return log
        }
        #expect(log(.seconds(30)).answer == .held)
        #expect(log(.seconds(30)).decided("starts take their time") == 1)
        #expect(
            log(.seconds(20)).slip
                == .init(
                    expected: "each start of the phone takes 30 s, as its first",
                    seen: "a start takes 20 s"))
    }

    @Test func `the jumps of a clock add up`() {
        func jump(_ seconds: Int64, to shown: UInt64) -> PhoneLog.Entry {
            (
                nil,
                .wallClockJumped(
                    by: .seconds(seconds), wallNanoseconds: shown * 1_000_000_000, because: "so")
            )
        }
        let stands = PhoneLog.Entry(nil, .stands(os: "iOS 17", wallNanoseconds: 1_000_000_000_000))
        let log = PhoneLog([
            stands, jump(100, to: 1_100), jump(-200, to: 900), jump(-2_000, to: 0),
        ])
        #expect(log.answer == .held)
        #expect(log.decided("jumps add up") == 2)
        #expect(log.decided("a clock set back") == 2)
        #expect(
            PhoneLog([stands, jump(100, to: 1_100), jump(-200, to: 800)]).slip
                == .init(
                    expected: "the wall clock shows 900 s since 1970", seen: "it shows 800 s"))
        #expect(PhoneLog([jump(100, to: 7)]).answer == .held)
    }

    // MARK: The whole log

    @Test func `a log without a phone is not applicable`() {
        #expect(
            answer(of: PhoneObeysItsSystem(), to: [SmallLog.runEnds])
                == .notApplicable(because: "no phone did anything"))
    }
}
