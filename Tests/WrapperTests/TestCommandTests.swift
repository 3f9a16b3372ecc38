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
            answer.output == """
                \(said)
                baselines in \(root)
                crash points in \(root): crash \(crashes) \(root)/.lab/crashes

                """)
        let path = "--package-path \(house.root.path)"
        #expect(
            house.compilerCalls == [
                "build \(path) \(StandInHouse.optimised) --product transferlab",
                "build \(path) --build-tests",
                "test \(path) --skip-build --disable-xctest",
            ])
    }

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

    @Test func `digests that differ name the first scenario and how to see the event`() throws {
        let house = try house(
            testStatus: 0, debug: "a 11\nb c 22\nd 3\n", release: "a 11\nb c 23\nd 4\n")
        let answer = try house.lab("test")
        #expect(answer.status == 1)
        #expect(answer.errors.contains("first in the scenario: b c\n"))
        #expect(answer.errors.contains("./lab diff '"))
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
    func `tests that fail end it with their kind of failure`(
        testStatus: Int32, status: Int32
    ) throws {
        let house = try house(testStatus: testStatus, debug: "a 1\n", release: "a 1\n")
        #expect(try house.lab("test").status == status)
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
