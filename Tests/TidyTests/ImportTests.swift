import Testing

/// A file imports only what its target may know. SwiftPM lets through any import of a target that
/// happens to be built, so the arrows would hold nothing without this.
@Suite struct ImportTests {
    /// Modules from outside that a room which is not pure may use.
    static let outsideModules: Set<String> = [
        "Foundation", "Glibc", "Synchronization", "Dispatch", "SystemPackage",
    ]

    /// Files of pure rooms that may use Foundation, each with its reason.
    static let foundationInPureRooms = [
        "Sources/RunLog/EventLines.swift": "JSON Lines; no file of a world imports it",
        "Sources/TransferClient/TokenAnswer.swift":
            "JSON of any server; the engine does not see it",
    ]

    @Test func `every import goes along the arrows of the manifest`() {
        House.sources.flatMap { Self.strayImports(in: $0, manifest: House.manifest) }.expectNone()
    }

    @Test func `a system library is imported by its own room only`() {
        House.sources.flatMap(Self.strayLibraries).expectNone()
    }

    @Test func `every exception for Foundation is still needed`() {
        for path in Self.foundationInPureRooms.keys.sorted() {
            let file = House.sources.first { $0.path == path }
            let modules = file.map { Self.imports(of: $0).map(\.module) } ?? []
            #expect(modules.contains("Foundation"), "\(path) does not need its exception")
        }
    }

    @Test func `imports are read in every spelling, but not from comments and literals`() {
        let text = """
            package import RunLog
            @testable import Checks
            import struct Foundation.URL  // import Reports
            let text = "import Live"
            """
        let imports = Self.imports(of: SourceFile(path: "B.swift", text: text))
        #expect(imports.map(\.module) == ["RunLog", "Checks", "Foundation"])
        #expect(imports.map(\.line) == [1, 2, 3])
    }

    @Test(arguments: [
        ("Sources/RunLog/A.swift", "Content", true),
        ("Sources/RunLog/A.swift", "Checks", false),
        ("Sources/RunLog/A.swift", "Foundation", false),
        ("Sources/RunLog/EventLines.swift", "Foundation", true),
        ("Sources/RunLog/A.swift", "Glibc", false),
        ("Sources/RunLog/A.swift", "Testing", false),
        ("Sources/Reports/A.swift", "Foundation", true),
        ("Sources/TransferClient/A.swift", "Synchronization", true),
        ("Sources/TransferEngine/A.swift", "Synchronization", false),
        ("Sources/Reports/A.swift", "FoundationNetworking", false),
        ("Tests/ChecksTests/A.swift", "Content", true),
        ("Tests/ChecksTests/A.swift", "Reports", false),
        ("Tests/ChecksTests/A.swift", "Testing", true),
        ("Tests/ChecksTests/A.swift", "Foundation", true),
    ])
    func `an import is judged by the target it stands in`(
        path: String, module: String, mayStand: Bool
    ) {
        let file = SourceFile(path: path, text: "\nimport \(module)\n")
        let findings = Self.strayImports(in: file, manifest: ManifestTests.doctored)
        #expect(findings.map(\.line) == (mayStand ? [] : [2]))
    }

    @Test func `a system library in another room is found`() {
        let right = SourceFile(path: "Sources/Scenario/A.swift", text: "import CYAML\n")
        let wrong = SourceFile(path: "Sources/Runs/A.swift", text: "import CYAML\n")
        #expect(Self.strayLibraries(in: right).isEmpty)
        #expect(Self.strayLibraries(in: wrong).map(\.line) == [1])
    }

    static func imports(of file: SourceFile) -> [(module: String, line: Int)] {
        let kinds: Set<String> = ["struct", "class", "enum", "protocol", "func", "let", "var"]
        let tokens = file.tokens
        return tokens.indices.dropLast().compactMap { index in
            guard tokens[index].isWord("import") else { return nil }
            let next = kinds.contains(tokens[index + 1].text) ? index + 2 : index + 1
            return next < tokens.count ? (tokens[next].text, tokens[index].line) : nil
        }
    }

    static func strayImports(in file: SourceFile, manifest: Manifest) -> [Finding] {
        guard file.path != "Package.swift" else { return [] }
        let houseTargets = Set(Floors.rooms.map(\.name)).union(Floors.systemLibraries.keys)
        let reach = manifest.reach(of: file.target)
        return imports(of: file).compactMap { module, line in
            if reach.contains(module) { return nil }
            if houseTargets.contains(module) {
                return file.finding(
                    line: line, "\(file.target) cannot reach \(module)",
                    remedy: "its arrows lead to \(reach.sorted()); see the design's list")
            }
            if file.isTest { return nil }
            // Thread safety lives there.
            if module == "Synchronization" && file.target == "TransferClient" { return nil }
            if module == "Foundation" && foundationInPureRooms[file.path] != nil { return nil }
            let isPure = Floors.pure.contains(file.target)
            if !isPure && outsideModules.contains(module) { return nil }
            return file.finding(
                line: line, "\(file.target) may not import \(module)",
                remedy: isPure ? "a pure room has the house only" : "see the list in ImportTests")
        }
    }

    static func strayLibraries(in file: SourceFile) -> [Finding] {
        imports(of: file).compactMap { module, line in
            guard !file.isTest, let owners = Floors.systemLibraries[module],
                !owners.contains(file.target)
            else { return nil }
            let names = owners.joined(separator: " and ")
            return file.finding(
                line: line, "\(module) is imported outside \(names)",
                remedy: "call \(names), which alone may wrap it")
        }
    }
}
