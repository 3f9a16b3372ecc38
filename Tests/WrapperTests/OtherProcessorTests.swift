import Foundation
import Testing

/// `lab cpu`: the same runs on every processor.
@Suite struct OtherProcessorTests {
    @Test func `it builds for each processor in a folder of its own, and compares the digests`()
        throws
    {
        let house = try house(elsewhere: "a 1\nb 2\n")
        let answer = try house.lab("cpu", "nehalem", "haswell")
        #expect(answer.status == 0, "\(answer.errors)")
        #expect(answer.output.hasSuffix("flows are the same for: nehalem haswell\n"))
        let path = "--package-path \(house.root.path)"
        let builds = ["nehalem", "haswell"].map {
            "build \(path) \(StandInHouse.optimised) --product transferlab --scratch-path "
                + "\(house.root.path)/.lab/cpu/\($0) -Xswiftc -target-cpu -Xswiftc \($0)"
        }
        #expect(Array(house.compilerCalls.dropFirst()) == builds)
    }

    @Test func `digests that differ are shown, and end it`() throws {
        let house = try house(elsewhere: "a 1\nb 3\n")
        let answer = try house.lab("cpu", "nehalem", "haswell")
        #expect(answer.status == 1)
        #expect(answer.errors.contains("< b 2") && answer.errors.contains("> b 3"))
        #expect(answer.errors.contains("a build for nehalem plays other runs"))
        #expect(answer.output.isEmpty)
    }

    @Test func `a processor that the compiler does not know cannot be built for`() throws {
        let house = try house(elsewhere: "a 1\n")
        _ = try house.lab("setup")
        try house.write("", to: "Sources/broken")
        #expect(try house.lab("cpu", "abacus").status == 2)
    }

    private func house(elsewhere: String) throws -> StandInHouse {
        let house = try StandInHouse()
        for (name, text) in [
            ("digests-release", "a 1\nb 2\n"), ("digests-release-elsewhere", elsewhere),
        ] {
            try Data(text.utf8).write(to: house.folder.appending(path: name))
        }
        return house
    }
}
