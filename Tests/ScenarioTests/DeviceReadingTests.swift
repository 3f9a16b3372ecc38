import Device
import Facts
import Quantities
import RunPlan
import Scenario
import Testing

/// The key `device`, and what a timeline can do to a phone.
@Suite struct DeviceReadingTests {
    static func text(_ device: String, _ timeline: [String]) -> String {
        var text = ValidScenario.text
        text.replace("links:\n", with: "device: \(device)\nlinks:\n")
        text.replace(
            "  - 4 s: app killed\n  - 7 s: app launched\n",
            with: timeline.map { "  - \($0)\n" }.joined())
        return text
    }

    static let systems: [(String, OperatingSystem)] = [
        ("ios-4", .iOS(4)), ("ios-18", .iOS(18)), ("android-5", .android(5)),
        ("android-16", .android(16)),
    ]

    @Test(arguments: systems)
    func `a system is named with its version`(name: String, system: OperatingSystem) throws {
        let text = Self.text("{ os: \(name) }", ["4 s: app to background"])
        let scenario = try Scenario.read(text: text, path: "x.yaml")
        #expect(scenario.plan().device.system == system)
    }

    @Test func `the app may go without time in the background`() throws {
        let text = Self.text(
            "{ os: ios-17, background-task: off }", ["4 s: app to background"])
        let scenario = try Scenario.read(text: text, path: "x.yaml")
        #expect(!scenario.plan().device.asksForBackgroundTime)
        #expect(
            scenario.sentences.first
                == "The app is on a phone with iOS 17, and asks for no time in the background.")
    }

    static let happenings: [(String, DeviceEvent)] = [
        ("app to background", .home), ("app woken by the system", .appWoken(0)),
        ("app force-quit", .forceQuit(0)), ("app crashes", .crash(0)),
        ("app data cleared", .dataCleared(0)), ("app updated", .updated(0)),
        ("screen locked", .locked), ("call comes in", .callComes),
        ("app tracks its location", .mode(0, .location, isOn: true)),
        ("app begins a call of its own", .mode(0, .call, isOn: true)),
        ("memory pressure", .memoryPressure), ("phone reboots", .reboot),
        ("power lost", .powerLost), ("low-power mode on", .lowPower(true)),
        ("low-power mode off", .lowPower(false)), ("disk full", .disk(.full(true))),
        ("disk writes fail", .disk(.writesFail(true))),
        ("disk reads fail", .disk(.readsFail(true))),
        ("clock jumps 2 h ahead", .clockJumps(.seconds(7_200), .user)),
        ("clock corrected by 3 s back", .clockJumps(.seconds(-3), .network)),
        ("time zone moves 1 h back", .clockJumps(.seconds(-3_600), .timeZone)),
    ]

    @Test(arguments: happenings)
    func `a sentence says what happens to the phone`(words: String, event: DeviceEvent) throws {
        let text = Self.text("{ os: ios-17 }", ["4 s: \(words)"])
        let scenario = try Scenario.read(text: text, path: "x.yaml")
        #expect(
            scenario.plan().timeline == [TimelineEntry(at: .start + .seconds(4), .device(event))])
    }

    @Test func `what has a way back can be undone, and done again`() throws {
        let timeline = [
            "app to background", "app to foreground", "call comes in", "call ends",
            "screen locked", "screen unlocked", "power lost", "power back", "app launched",
            "app to background", "disk full", "disk has space again", "disk writes fail",
            "disk writes work again", "disk reads fail", "disk reads work again", "disk full",
        ]
        let entries = timeline.enumerated().map { "\($0.offset + 1) s: \($0.element)" }
        let text = Self.text("{ os: android-9 }", entries)
        #expect(ValidScenario.diagnostics(of: text) == [])
    }

    static let mistakes: [(device: String, timeline: [String], message: String)] = [
        ("{ os: ios-3 }", ["4 s: app killed"], "there is no system “ios-3”"),
        ("{ os: ios }", ["4 s: app killed"], "there is no system “ios”"),
        ("ios-17", ["4 s: app killed"], "a single value where a mapping"),
        ("{ background-task: off }", ["4 s: app killed"], "the device needs the key “os”"),
        ("{ os: ios-17, background-task: maybe }", ["4 s: app killed"], "maybe"),
        ("{ os: ios-17, version: 2 }", ["4 s: app killed"], "the device has no key “version”"),
        (
            "{ os: ios-17 }", ["4 s: app to backgroud"],
            "“app to backgroud” is not something that can happen"
        ),
        (
            "{ os: ios-17 }", ["4 s: app to background", "5 s: app to background"],
            "the app is not in the foreground then"
        ),
        ("{ os: ios-17 }", ["4 s: app to foreground"], "the app is in the foreground then"),
        (
            "{ os: ios-17 }", ["4 s: app force-quit", "5 s: app crashes"],
            "the app is not running then"
        ),
        ("{ os: ios-17 }", ["4 s: screen unlocked"], "the screen is not locked then"),
        (
            "{ os: ios-17 }", ["4 s: screen locked", "5 s: screen locked"],
            "the screen is locked then"
        ),
        ("{ os: ios-17 }", ["4 s: call ends"], "there is no call then"),
        (
            "{ os: ios-17 }", ["4 s: call comes in", "5 s: call comes in"],
            "there is a call then"
        ),
        (
            "{ os: ios-17 }", ["4 s: app tracks its location no more"],
            "the app does not do that then"
        ),
        (
            "{ os: ios-17 }",
            ["4 s: app begins a call of its own", "5 s: app begins a call of its own"],
            "the app does that already"
        ),
        (
            "{ os: ios-17 }", ["4 s: app crashes", "5 s: app tracks its location"],
            "the app is not running then"
        ),
        ("{ os: ios-17 }", ["4 s: power back"], "the phone has power then"),
        ("{ os: ios-17 }", ["4 s: disk has space again"], "the disk is not full then"),
        ("{ os: ios-17 }", ["4 s: disk full", "5 s: disk full"], "the disk is full then"),
        (
            "{ os: ios-17 }", ["4 s: disk writes fail", "5 s: disk writes fail"],
            "its writes fail then"
        ),
        (
            "{ os: ios-17 }", ["4 s: disk writes work again"], "its writes do not fail then"
        ),
        (
            "{ os: ios-17 }", ["4 s: disk reads fail", "5 s: disk reads fail"],
            "its reads fail then"
        ),
        ("{ os: ios-17 }", ["4 s: disk reads work again"], "its reads do not fail then"),
        ("{ os: ios-17 }", ["4 s: disk is full"], "“disk is full” is not something"),
        ("{ os: ios-17, disk: much }", ["4 s: app killed"], "“much” does not begin with a number"),
        (
            "{ os: ios-17 }", ["4 s: healing within 1 min", "5 s: disk full"],
            "something would go wrong after the healing at 4 s"
        ),
        (
            "{ os: ios-17 }", ["4 s: power lost", "5 s: app to foreground"],
            "the phone has no power then"
        ),
        ("{ os: ios-17 }", ["4 s: clock jumps far ahead"], "“far” does not begin with a number"),
        ("{ os: ios-17 }", ["4 s: disk flips 3 bits"], "the app is running then, and has read"),
        (
            "{ os: ios-17 }", ["4 s: app killed", "5 s: disk flips 0 bits"], "“0” is out of range"
        ),
        (
            "{ os: ios-17 }", ["4 s: app killed", "5 s: disk flips 10001 bits"],
            "“10001” is out of range"
        ),
        (
            "{ os: ios-17 }", ["4 s: app killed", "5 s: disk flips 3 bits of app backup"],
            "there is no app “backup”"
        ),
    ]

    @Test(arguments: mistakes)
    func `a mistake has its place and a way out`(
        device: String, timeline: [String], message: String
    ) throws {
        let diagnostics = ValidScenario.diagnostics(of: Self.text(device, timeline))
        let found = try #require(diagnostics.first)
        #expect(diagnostics.count == 1, "\(diagnostics)")
        #expect(found.message.contains(message), "\(found)")
        #expect(found.expected?.isEmpty == false)
    }

    @Test func `without a phone nothing can happen to one`() throws {
        let text = ValidScenario.text.replacing("4 s: app killed", with: "4 s: screen locked")
        let found = try #require(ValidScenario.diagnostics(of: text).first)
        #expect(found.message == "the scenario has no phone to which this could happen")
        #expect(found.expected?.contains("device: { os: ios-17 }") == true)
    }
}
