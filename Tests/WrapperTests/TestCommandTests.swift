import Foundation
import Testing

@Suite struct TestCommandTests {
    @Test func `it builds both ways, runs the tests, and compares and crashes what it plays`()
        throws
    {
        let house = try house(
            testStatus: 0, debug: "queue/a 11\nb 22\n", release: "queue/a 11\nb 22\n")
        let answer = try house.lab("test")
        #expect(answer.status == 0)
        let said =
            "Digests of 2 scenarios are the same in debug and release, in separate processes."
        let (root, crashes) = (house.root.path, "Scenarios --filter crash-points --report")
        #expect(
            answer.output.hasSuffix(
                """
                \(said)
                baselines in \(root)
                crash points in \(root): crash \(crashes) \(root)/.lab/crashes

                """))
        let path = "--package-path \(house.root.path)"
        let optimised = StandInHouse.optimised
        let tests = "test \(path) \(optimised) --skip-build --disable-xctest --no-parallel"
        // The targets run side by side, in any order.
        let calls = house.compilerCalls
        #expect(
            calls.prefix(2) == [
                "build \(path) \(optimised) --product transferlab",
                "build \(path) \(optimised) --build-tests",
            ])
        #expect(
            calls.dropFirst(2).dropLast().sorted() == [
                "\(tests) --ignore-lock --filter ^LinkTests.",
                "\(tests) --ignore-lock --filter ^QueueTests.",
            ])
        #expect(
            calls.last
                == "build \(path) \(StandInHouse.unoptimised) --product transferlab")
    }

    @Test func `a target that passes is a line, and the slowest tests come last`() throws {
        let house = try house(testStatus: 0, debug: "a 1\n", release: "a 1\n")
        try house.write(testOutput: Self.passed)
        let answer = try house.lab("test")
        #expect(answer.status == 0)
        for target in ["LinkTests ", "QueueTests"] {
            #expect(answer.output.contains("✔ \(target)               2 tests     7.5 s\n"))
        }
        #expect(answer.output.contains(" 0 failed, 2 skipped\n  skipped 2: nginx is missing\n"))
        let slowest = """
            The slowest:
                6.1 s  one by one
                6.1 s  one by one
                0.2 s  all of them

            """
        #expect(answer.output.contains(slowest), "\(answer.output)")
    }

    @Test func `a target that fails shows each failure with all that is said of it`() throws {
        let house = try house(testStatus: 1, debug: "a 1\n", release: "a 1\n")
        try house.write(testOutput: Self.failed)
        let answer = try house.lab("test")
        #expect(answer.status == 1)
        let shown = """
             3 tests     0.5 s; all of it is in \(house.root.path)/.lab/tests/LinkTests.log
            ✘ Test "a packet is lost" recorded an issue at LossTests.swift:3:9: It came
            ↳ it came
            and came again
            ✘ LinkTests
            """
            .replacing("\n✘ LinkTests", with: "\n")
        #expect(answer.output.contains(shown), "\(answer.output)")
        #expect(answer.output.contains("6 tests in "))
        #expect(answer.output.contains(": 2 failed, 0 skipped\n"))
        #expect(!answer.output.contains("Digests"))
    }

    @Test func `of a failure with a whole page in it the first lines are shown`() throws {
        let house = try house(testStatus: 1, debug: "a 1\n", release: "a 1\n")
        let page = (1...300).map { "line \($0)\n" }.joined()
        try house.write(testOutput: Self.failed.replacing("and came again\n", with: page))
        let answer = try house.lab("test")
        let log = "\(house.root.path)/.lab/tests/LinkTests.log"
        #expect(answer.output.contains("\nline 10\n  … 290 more lines in \(log)\n"))
        #expect(!answer.output.contains("line 11\n"))
    }

    @Test func `a target that crashes shows its last words`() throws {
        let house = try house(testStatus: 139, debug: "a 1\n", release: "a 1\n")
        try house.write(testOutput: "◇ Test \"one\" started.\nFatal error: Index out of range\n")
        let answer = try house.lab("test")
        #expect(answer.status == 1)
        #expect(answer.output.contains("\nFatal error: Index out of range\n"))
    }

    @Test func `of chosen tests the failures and the totals are shown`() throws {
        let house = try house(testStatus: 1, debug: "", release: "")
        try house.write(testOutput: Self.failed)
        let answer = try house.lab("test", "--filter", "LossTests")
        #expect(answer.status == 1)
        #expect(
            answer.output == """
                ✘ Test "a packet is lost" recorded an issue at LossTests.swift:3:9: It came
                ↳ it came
                and came again
                ✘ Test run with 3 tests in 2 suites failed after 0.500 seconds with 1 issue.

                """)
    }

    /// What swift-testing prints for tests that pass, and for one that does not.
    private static let passed = """
        ◇ Test run started.
        ↳ Testing Library Version: 6.3.1
        ◇ Test "all of them" started.
        ◇ Test case passing 1 argument seed → 1 to "all of them" started.
        ✔ Test "all of them" with 1 test case passed after 0.200 seconds.
        ◇ Test "one by one" started.
        what a test prints
        ✔ Test "one by one" passed after 6.120 seconds.
        ➜ Test "as fast as nginx" skipped: "nginx is missing"
        ✔ Test run with 2 tests in 1 suite passed after 7.500 seconds.

        """
    private static let failed = """
        ◇ Test run started.
        ◇ Test "a packet is lost" started.
        ✘ Test "a packet is lost" recorded an issue at LossTests.swift:3:9: It came
        ↳ it came
        and came again
        ✘ Test "a packet is lost" failed after 0.100 seconds with 1 issue.
        ◇ Test "one more" started.
        what a test prints
        ✔ Test "one more" passed after 0.200 seconds.
        ✘ Suite LossTests failed after 0.300 seconds with 1 issue.
        ✘ Test run with 3 tests in 2 suites failed after 0.500 seconds with 1 issue.

        """

    @Test(arguments: [(1, 1), (2, 2), (139, 2)])
    func `figures that differ from the committed ones end it`(
        baselinesStatus: Int32, status: Int32
    ) throws {
        let house = try house(testStatus: 0, debug: "a 1\n", release: "a 1\n")
        try Data("\(baselinesStatus)".utf8)
            .write(to: house.folder.appending(path: "baselines-status"))
        #expect(try house.lab("test").status == status)
    }

    @Test(arguments: [(1, 1), (2, 2)])
    func `a crash point at which a rule falls ends it`(
        crashesStatus: Int32, status: Int32
    ) throws {
        let house = try house(testStatus: 0, debug: "a 1\n", release: "a 1\n")
        try Data("\(crashesStatus)".utf8)
            .write(to: house.folder.appending(path: "crashes-status"))
        #expect(try house.lab("test").status == status)
    }

    @Test func `the longest target is run in two halves, and nothing of it is left out`() throws {
        let house = try house(testStatus: 0, debug: "a 1\n", release: "a 1\n")
        try FileManager.default.createDirectory(
            at: house.root.appending(path: "Tests/CommandTests"),
            withIntermediateDirectories: true)
        #expect(try house.lab("test").status == 0)
        let filters = house.compilerCalls.filter { $0.contains("CommandTests") }
            .compactMap { $0.split(separator: " ").last }
        #expect(filters.sorted() == ["^CommandTests.[A-R]", "^CommandTests.[^A-R]"])
    }

    @Test func `digests that differ name the first scenario and how to see the event`() throws {
        let house = try house(
            testStatus: 0, debug: "a 11\nb c 22\nd 3\n", release: "a 11\nb c 23\nd 4\n")
        let answer = try house.lab("test")
        #expect(answer.status == 1)
        #expect(answer.errors.contains("first in the scenario: b c\n"))
        #expect(answer.errors.contains("./lab diff '"))
        #expect(answer.errors.contains("writing the reports of both\n"))
        #expect(!answer.output.contains("are the same"))
    }

    @Test func `a scenario that one build does not run is a difference`() throws {
        let house = try house(testStatus: 0, debug: "a 11\nb 22\n", release: "a 11\n")
        let answer = try house.lab("test")
        #expect(answer.status == 1)
        #expect(answer.errors.contains("first in the scenario: b\n"))
    }

    @Test func `no digests at all prove nothing`() throws {
        let house = try house(testStatus: 0, debug: "", release: "")
        let answer = try house.lab("test")
        #expect(answer.status == 2)
        #expect(answer.errors.contains("printed no digests"))
    }

    @Test(arguments: [(1, 1), (64, 2), (139, 1)])
    func `chosen tests that fail end it with their kind of failure`(
        testStatus: Int32, status: Int32
    ) throws {
        let house = try house(testStatus: testStatus, debug: "a 1\n", release: "a 1\n")
        #expect(try house.lab("test", "--filter", "a").status == status)
    }

    @Test func `arguments choose tests, and the comparisons are said to be left out`() throws {
        let house = try house(testStatus: 0, debug: "", release: "")
        let answer = try house.lab("test", "--filter", "Queue order")
        #expect(answer.status == 0)
        #expect(house.compilerCalls.last?.hasSuffix("--filter Queue order") == true)
        #expect(answer.errors.contains("not compared"))
    }

    private func house(testStatus: Int32, debug: String, release: String) throws -> StandInHouse {
        let house = try StandInHouse()
        for (name, text) in [
            ("test-status", "\(testStatus)"), ("digests-debug", debug),
            ("digests-release", release), ("baselines-status", "0"),
            ("crashes-status", "0"),
        ] {
            try Data(text.utf8).write(to: house.folder.appending(path: name))
        }
        return house
    }
}
