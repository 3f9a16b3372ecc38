import Foundation
import Testing

/// `./lab test --long`: one bar that takes minutes, and nothing else.
@Suite struct LongTests {
    @Test func `an unknown one is an error that names all`() throws {
        let answer = try StandInHouse().lab("test", "--long", "kils")
        #expect(answer.status == 2)
        #expect(
            answer.errors.contains("there is no long test “kils”; there are kills, get, package,"))
    }

    @Test(arguments: [(0, 0), (1, 1)])
    func `what came of it is written only when it has held`(
        testStatus: Int32, status: Int32
    ) throws {
        let house = try StandInHouse()
        try Data("\(testStatus)".utf8).write(to: house.folder.appending(path: "test-status"))
        #expect(try house.lab("test", "--long", "kills").status == status)
        #expect(
            house.compilerCalls.last
                == "test --package-path \(house.root.path) \(StandInHouse.optimised) --skip-build "
                + "--disable-xctest --no-parallel --ignore-lock --filter KilledServerTests")
        let result = house.root.appending(path: "Reports/baselines/long/kills.json")
        #expect(FileManager.default.fileExists(atPath: result.path) == (status == 0))
    }

    @Test func `a fuzzer that does not build shows why`() throws {
        let house = try StandInHouse()
        try house.installTool("swiftc", "#!/bin/sh\necho 'a.swift:1: error: broken'\nexit 1\n")
        let answer = try house.lab("test", "--long", "fuzz-tus")
        #expect(answer.status == 2)
        #expect(answer.errors.contains("a.swift:1: error: broken"), "\(answer.errors)")
        #expect(answer.errors.contains("Quantities could not be built"), "\(answer.errors)")
    }
}
