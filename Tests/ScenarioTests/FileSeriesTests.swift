import Quantities
import RunLog
import RunPlan
import Scenario
import Testing

/// Many files that are alike, by one line.
@Suite struct FileSeriesTests {
    private static func text(
        _ files: String, _ items: String = "queue: [{ upload: p-*.jpg, to: in/p-*.jpg }]",
        seed: String = "7"
    ) -> String {
        """
        name: many files
        why: a scenario need not list each of them
        seed: \(seed)
        links: { profile: apple-wifi }
        files: \(files)
        \(items)

        """
    }

    private static let twelve = "{ p-*.jpg: { count: 12, size: 1 MB to 6 MB }, b.mov: 2 MB }"

    private static func read(_ text: String) throws -> Scenario {
        try Scenario.read(text: text, path: "x.yaml")
    }

    @Test func `each file has its number, and a size within the bounds`() throws {
        let scenario = try Self.read(Self.text(Self.twelve))
        let names = (1...12).map { "p-\($0 < 10 ? "0" : "")\($0).jpg" }
        #expect(scenario.files.map(\.path) == names + ["b.mov"])
        let sizes = scenario.files.dropLast().map(\.size.bytes)
        #expect(sizes.allSatisfy { (1_000_000...6_000_000).contains($0) })
        #expect(Set(sizes).count > 6 && scenario.files.last?.size == ByteCount(2_000_000))
        #expect(
            scenario.sessions.map(\.work)
                == names.map { .upload([PlannedPath(source: $0, destination: "in/\($0)")]) })
    }

    @Test func `the first seed decides the sizes, and they are the same for all`() throws {
        let once = try Self.read(Self.text(Self.twelve))
        #expect(try Self.read(Self.text(Self.twelve, seed: "[7, 8]")).files == once.files)
        #expect(try Self.read(Self.text(Self.twelve, seed: "7 to 9")).files == once.files)
        #expect(try Self.read(Self.text(Self.twelve, seed: "8")).files != once.files)
        let equal = try Self.read(Self.text("{ p-*.jpg: { count: 3, size: 4 kB } }"))
        #expect(equal.files.map(\.size) == Array(repeating: ByteCount(4_000), count: 3))
    }

    @Test func `operations, tasks, transfers and persistent sessions can name them all`() throws {
        let scenario = try Self.read(
            Self.text(
                "{ p-*.jpg: { count: 3, size: 4 kB } }",
                """
                queue:
                  - persistent: { p-*.jpg: in/p-*.jpg }
                operations: [{ upload: p-*.jpg, to: operations/p-*.jpg }]
                background: [{ upload: p-*.jpg, to: p-*.jpg, session: photos }]
                resumable: [{ upload: p-*.jpg, to: p-*.jpg, bucket: films }]
                """))
        #expect(
            scenario.sessions[0].uploads.map(\.destination) == [
                "in/p-1.jpg", "in/p-2.jpg", "in/p-3.jpg",
            ])
        #expect(scenario.app.operations.map(\.destination).last == "operations/p-3.jpg")
        #expect(scenario.app.tasks.count == 3 && scenario.app.transfers.count == 3)
    }

    @Test func `one session can upload them all, or download the objects of that name`() throws {
        let scenario = try Self.read(
            Self.text(
                "{ p-*.jpg: { count: 3, size: 4 kB }, b.mov: 2 MB }",
                """
                queue:
                  - uploads: { p-*.jpg: in/p-*.jpg, b.mov: in/b.mov }
                  - downloads: { in/p-*.jpg: back/p-*.jpg }
                """))
        #expect(
            scenario.sessions[0].uploads.map(\.destination) == [
                "in/p-1.jpg", "in/p-2.jpg", "in/p-3.jpg", "in/b.mov",
            ])
        #expect(
            scenario.sessions[1].work
                == .download(
                    (1...3).map {
                        PlannedPath(source: "in/p-\($0).jpg", destination: "back/p-\($0).jpg")
                    }))
    }

    @Test func `an app of its own may have a series, too`() throws {
        let scenario = try Self.read(
            Self.text(
                Self.twelve,
                """
                queue: [{ upload: b.mov, to: in/b.mov }]
                device:
                  os: ios-17
                  apps:
                    backup:
                      files: { q-*.bin: { count: 5, size: 1 MB } }
                      operations: [{ upload: q-*.bin, to: in/q-*.bin }]
                """))
        #expect(scenario.device.apps[1].files.map(\.path).last == "q-5.bin")
        #expect(scenario.device.apps[1].app.operations.count == 5)
    }

    @Test(arguments: [
        (
            "{ p.jpg: { count: 3, size: 4 kB } }",
            "“p.jpg” does not say where the number of a file goes"
        ),
        (
            "{ p-*-*.jpg: { count: 3, size: 4 kB } }",
            "“p-*-*.jpg” does not say where the number of a file goes"
        ),
        ("{ p-*.jpg: { count: 0, size: 4 kB } }", "“0” is out of range"),
        ("{ p-*.jpg: { count: 2000, size: 4 kB } }", "“2000” is out of range"),
        ("{ p-*.jpg: { count: 3 } }", "a series of files needs the key “size”"),
        (
            "{ p-*.jpg: { count: 3, size: 4 kB, sizes: 3 kB } }",
            "a series of files has no key “sizes”"
        ),
    ])
    func `a series that cannot be is a mistake`(files: String, message: String) {
        let found = ValidScenario.diagnostics(of: Self.text(files)).map(\.message)
        #expect(found.contains(message), "\(found)")
    }

    @Test(arguments: [
        "{ upload: p-*.jpg, to: in/p.jpg }", "{ uploads: { p-*.jpg: in/p.jpg } }",
        "{ persistent: { p-*.jpg: in/p.jpg } }", "{ downloads: { in/p-*.jpg: back/p.jpg } }",
    ])
    func `files of a series do not go to one place`(entry: String) {
        let text = Self.text(Self.twelve, "queue: [\(entry)]")
        #expect(
            ValidScenario.diagnostics(of: text).map(\.message)
                == ["all files of “p-*.jpg” would go to one place"])
    }

    @Test(arguments: ["downloads", "persistent-downloads"])
    func `objects with a star end with a series of the app`(key: String) {
        let text = Self.text(Self.twelve, "queue: [{ \(key): { in/q-*.jpg: back/q-*.jpg } }]")
        #expect(
            ValidScenario.diagnostics(of: text).map(\.message)
                == ["“in/q-*.jpg” ends with no series of this app's files"])
    }
}
