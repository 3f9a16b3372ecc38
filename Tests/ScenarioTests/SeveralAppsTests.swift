import Content
import Device
import Quantities
import RunPlan
import Scenario
import Testing

/// Apps and phones beside the first ones.
@Suite struct SeveralAppsTests {
    static let apps = """
        device:
          os: ios-17
          apps:
            backup: { files: { a.bin: 1 MB }, queue: [{ upload: a.bin, to: in/a.bin }] }
        devices:
          tablet:
            os: ios-16
            apps:
              camera: { files: { b.bin: 2 MB }, queue: [{ upload: b.bin, to: in/b.bin }] }
        links:

        """

    static func text(_ timeline: String, _ apps: String = apps) -> String {
        ValidScenario.text.replacing("links:\n", with: apps)
            .replacing(
                "  - 4 s: app killed\n  - 7 s: app launched\n", with: "  - 4 s: \(timeline)\n")
    }

    @Test func `apps are counted through the run, and so are their sessions and files`() throws {
        let text = Self.text("app camera killed").replacing(
            "incoming/video.mov is published once", with: "session 3 completes within 20 s")
        let scenario = try Scenario.read(text: text, path: "x.yaml")
        #expect(scenario.sessionCount == 3)
        let roll = AppRoll(scenario.plan()).entries
        #expect(roll.map(\.plan.name) == [nil, "backup", "camera"])
        #expect(roll.map(\.device) == [0, 0, 1])
        #expect(roll.map(\.place) == [0, 1, 0])
        #expect(roll.flatMap(\.plan.files).map(\.version.file) == [1, 2, 3])
        #expect(
            scenario.sentences.contains("Session 3, of “camera”, uploads b.bin to in/b.bin."))
    }

    static let happenings: [(String, DeviceEvent, Int)] = [
        ("app backup killed", .kill(1), 0), ("app camera killed", .kill(0), 1),
        ("app backup to foreground", .appOpened(1), 0), ("app camera updated", .updated(0), 1),
        ("screen locked on tablet", .locked, 1), ("power lost on tablet", .powerLost, 1),
    ]

    @Test(arguments: happenings)
    func `an app and a phone are spoken of by name`(
        words: String, event: DeviceEvent, device: Int
    ) throws {
        let scenario = try Scenario.read(text: Self.text(words), path: "x.yaml")
        #expect(
            scenario.plan().timeline
                == [TimelineEntry(at: .start + .seconds(4), .device(event, on: device))])
    }

    static let slips: [(written: String, instead: String, message: String)] = [
        ("  app:", "  apps:", "the device has no key “app”"),
        ("    aps:", "    apps:", "another phone has no key “aps”"),
        ("    - backup:", "    backup:", "a list where a mapping of keys to values is needed"),
        ("Back up:", "backup:", "“Back up” is not a name"),
        ("{ file: { a.bin", "{ files: { a.bin", "an app has no key “file”"),
        ("uplod: b.bin", "upload: b.bin", "an entry of the queue has no key “uplod”"),
        ("devcies:", "devices:", "a scenario has no key “devcies”"),
    ]

    @Test(arguments: slips)
    func `of a slip alone is told, and not of all that hangs on it`(
        written: String, instead: String, message: String
    ) {
        let apps = Self.apps.replacing(instead, with: written, maxReplacements: 1)
        let text = Self.text("app backup killed\n  - 5 s: a.bin edited", apps).replacing(
            "incoming/video.mov is published once",
            with: "session 3 completes within 20 s\n  - in/b.bin holds version 1 of b.bin")
        let seen = ValidScenario.diagnostics(of: text).map(\.message)
        #expect(seen == [message], "\(text)")
    }

    static let mistakes: [(String, String)] = [
        ("app bakcup killed", "there is no app “bakcup”"),
        ("screen locked on tabelt", "there is no phone “tabelt”"),
    ]

    @Test(arguments: mistakes)
    func `a name that nobody has is answered with the nearest`(
        words: String, message: String
    ) throws {
        let found = try #require(ValidScenario.diagnostics(of: Self.text(words)).first)
        #expect(found.message == message)
        #expect(found.suggestion != nil)
    }

    @Test(arguments: [
        ("backup:", "Backup:", "“Backup” is not a name"),
        ("camera:", "backup:", "there are two apps “backup”"),
        (
            "a.bin: 1 MB }, queue: [{ upload: a.bin", "b.bin: 1 MB }, queue: [{ upload: b.bin",
            "another app also has a file “b.bin”"
        ),
        ("upload: b.bin", "upload: c.bin", "there is no file “c.bin”"),
        ("files: { a.bin: 1 MB }, ", "", "an app needs the key “files”"),
    ])
    func `a mistake in an app is told`(part: String, instead: String, message: String) throws {
        let apps = Self.apps.replacing(part, with: instead)
        let found = ValidScenario.diagnostics(of: Self.text("app killed", apps))
        #expect(found.map(\.message).contains(message), "\(found)")
    }

    @Test func `a phone without an app is a mistake`() {
        let apps = "devices:\n  tablet: { os: ios-16 }\nlinks:\n"
        let found = ValidScenario.diagnostics(of: Self.text("app killed", apps))
        #expect(found.map(\.message) == ["no app is installed on “tablet”"])
    }
}
