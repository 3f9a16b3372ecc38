import Testing

/// A rule over nothing always holds, so what the rules look at is looked at itself.
@Suite struct HouseTests {
    @Test func `this file is among the sources, with all that it says`() throws {
        let file = try #require(
            House.sources.first { $0.path == "Tests/TidyTests/HouseTests.swift" })
        #expect(
            file.tokens.contains {
                $0.text == "this file is among the sources, with all that it says"
            })
        #expect(file.target == "TidyTests" && file.isTest)
    }

    @Test func `the manifest's targets are read, and each has its files`() {
        let names = House.manifest.targets.map(\.name)
        #expect(names.contains("Quantities") && names.contains("TidyTests"))
        for target in House.manifest.targets where Floors.systemLibraries[target.name] == nil {
            let count = House.sources.count { $0.target == target.name }
            #expect(count > 0, "\(target.name) has no source file that the rules see")
        }
    }

    @Test func `texts of every kind are read, and nothing that git ignores`() {
        let paths = House.texts.map(\.path)
        for path in [
            "Package.swift", "lab", ".gitignore", ".ci/run", "Sources/Quantities/Instant.swift",
        ] {
            #expect(paths.contains(path))
        }
        #expect(!paths.contains { $0.hasPrefix(".build/") || $0.hasPrefix(".git/") })
    }

    @Test func `every pure room is a room of the design`() {
        #expect(Floors.pure.subtracting(Floors.rooms.map(\.name)).isEmpty)
    }

    @Test func `the list of rooms runs downwards`() {
        let names = Floors.rooms.map(\.name)
        for (place, room) in Floors.rooms.enumerated() {
            let below = Set(names[(place + 1)...]).union(Floors.systemLibraries.keys)
            #expect(Set(room.arrows).subtracting(below).isEmpty, "\(room.name) points upwards")
        }
    }
}
