import Device
import Quantities
import RunPlan
import Scenario
import Testing

/// The keys `disk` and `start-time` of a phone, and what can happen to the disks of other phones.
@Suite struct DiskReadingTests {
    static let tablet = """
        devices:
          tablet:
            os: ios-16
            disk: 9 MB
            apps:
              drawing: { files: { sketch.mov: 9 MB }, queue: [{ upload: sketch.mov, to: s }] }

        """

    @Test func `a phone says what room it has, and so do its sentences`() throws {
        let text = DeviceReadingTests.text(
            "{ os: ios-17, disk: 64 MB }", ["4 s: disk full on tablet"]
        ).replacing("links:\n", with: Self.tablet + "links:\n")
        let scenario = try Scenario.read(text: text, path: "x.yaml")
        let plan = scenario.plan()
        #expect(plan.device.diskCapacity == ByteCount(64_000_000))
        #expect(plan.otherDevices.map(\.plan.diskCapacity) == [ByteCount(9_000_000)])
        #expect(
            plan.timeline == [
                TimelineEntry(at: .start + .seconds(4), .device(.disk(.full(true)), on: 1))
            ])
        let sentences = scenario.sentences
        #expect(sentences.contains("Its disk has 64 MB for the files and stores of all apps."))
        #expect(sentences.contains("Its disk has 9 MB for the files and stores of all apps."))
        #expect(
            sentences.contains("At 4 s the disk is full, and nothing on it can grow (“tablet”)."))
    }

    @Test func `a phone says how long it takes to start, and so do its sentences`() throws {
        let text = DeviceReadingTests.text(
            "{ os: ios-17, start-time: 90 s }", ["4 s: app to background"])
        let scenario = try Scenario.read(text: text, path: "x.yaml")
        #expect(scenario.plan().device.startTime == .seconds(90))
        #expect(scenario.sentences.contains("It takes 90 s to start."))
    }

    @Test func `a phone starts within ten minutes`() {
        let text = DeviceReadingTests.text(
            "{ os: ios-17, start-time: 11 min }", ["4 s: app to background"])
        let diagnostics = ValidScenario.diagnostics(of: text)
        #expect(diagnostics.map(\.message) == ["a phone that takes 11 min to start"])
        #expect(diagnostics.map(\.expected) == ["at most 10 min"])
    }

    /// It may have crashed, or not.
    @Test(arguments: ["app launched", "app to foreground", "app killed"])
    func `after a launch on a disk in trouble nobody knows whether the app runs`(
        words: String
    ) throws {
        let entries = [
            "1 s: app killed", "2 s: disk reads fail", "3 s: app launched", "4 s: \(words)",
        ]
        let text = DeviceReadingTests.text("{ os: ios-17 }", entries)
        #expect(ValidScenario.diagnostics(of: text) == [])
    }

    @Test(arguments: DiskCondition.Change.healing.indices)
    func `what is over is said of other phones as of the first`(place: Int) throws {
        let words = ["disk has space again", "disk writes work again", "disk reads work again"]
        let text = DeviceReadingTests.text(
            "{ os: ios-17 }", ["4 s: \(words[place]) on tablet"]
        ).replacing("links:\n", with: Self.tablet + "links:\n")
        let change = DiskCondition.Change.healing[place]
        #expect(
            try Scenario.read(text: text, path: "x.yaml").plan().timeline
                == [TimelineEntry(at: .start + .seconds(4), .device(.disk(change), on: 1))])
    }

    @Test func `bits flip in the store of an app that lies still`() throws {
        let text = DeviceReadingTests.text(
            "{ os: ios-17 }",
            [
                "4 s: power lost", "5 s: disk flips 1 bits",
                "6 s: disk flips 9 bits of app drawing",
            ]
        ).replacing("links:\n", with: Self.tablet + "links:\n")
        let scenario = try Scenario.read(text: text, path: "x.yaml")
        #expect(
            scenario.plan().timeline.suffix(2) == [
                TimelineEntry(at: .start + .seconds(5), .device(.bitsFlip(0, count: 1))),
                TimelineEntry(at: .start + .seconds(6), .device(.bitsFlip(0, count: 9), on: 1)),
            ])
        #expect(scenario.sentences.contains("At 5 s the disk flips a bit of the app's store."))
        #expect(
            scenario.sentences.contains(
                "At 6 s the disk flips 9 bits of the app's store (“drawing”)."))
    }

    @Test func `files that do not fit from the start are a mistake, with its place`() throws {
        let text = DeviceReadingTests.text(
            "{ os: ios-17, disk: 7999 kB }", ["4 s: app killed"])
        let found = try #require(ValidScenario.diagnostics(of: text).first)
        #expect(found.message == "the files take 8 MB, but the disk has only 7.999 MB")
        #expect(found.expected?.hasSuffix("more than 8 MB") == true)
        #expect((found.line, found.column) == (6, 29))
        let fits = text.replacing("7999 kB", with: "8 MB")
        #expect(ValidScenario.diagnostics(of: fits) == [])
    }

    @Test func `the files of all apps of a phone count, and only those`() throws {
        let apps =
            "{ os: ios-17, disk: 8500 kB, apps: { backup: { files: { a.bin: SIZE }, "
            + "queue: [{ upload: a.bin, to: a }] } } }"
        for (size, isGood) in [("500 kB", true), ("501 kB", false)] {
            let text = DeviceReadingTests.text(
                apps.replacing("SIZE", with: size), ["4 s: app killed"]
            ).replacing("links:\n", with: Self.tablet + "links:\n")
            let diagnostics = ValidScenario.diagnostics(of: text)
            #expect(diagnostics.isEmpty == isGood, "\(diagnostics)")
        }
        let small = DeviceReadingTests.text("{ os: ios-17 }", ["4 s: app killed"])
            .replacing(
                "links:\n", with: Self.tablet.replacing("disk: 9", with: "disk: 8") + "links:\n")
        let found = try #require(ValidScenario.diagnostics(of: small).first)
        #expect(found.message == "the files take 9 MB, but the disk has only 8 MB")
    }
}
