import Testing

/// `Package.swift` declares the arrows of the design, no more of them than a room needs.
@Suite struct ManifestTests {
    @Test func `every declared arrow is one of the design's`() {
        Self.arrowsAgainstTheDesign(in: House.manifest).expectNone()
    }

    @Test func `a target stands above everything it uses`() {
        Self.arrowsUpwards(in: House.manifest).expectNone()
    }

    @Test func `every declared arrow is needed by an import`() {
        Self.idleArrows(in: House.manifest, sources: House.sources).expectNone()
    }

    @Test func `every folder is a target and every target has a folder`() {
        Self.foldersAgainstTargets(in: House.manifest, folders: House.folders).expectNone()
    }

    @Test func `the manifest is read as it is written`() {
        #expect(
            Self.doctored.targets.map { "\($0.maker) \($0.name) \($0.uses)" } == [
                #"executableTarget transferlab ["Runs"]"#,
                #"room Checks ["RunLog", "Simulation"]"#,
                #"room RunLog ["Content"]"#,
                #"room Attic []"#,
                #"systemLibrary CYAML []"#,
                #"tests ChecksTests ["Checks"]"#,
            ])
        #expect(
            Self.doctored.reach(of: "ChecksTests") == ["Checks", "RunLog", "Simulation", "Content"])
    }

    @Test func `an arrow that the design does not draw is found, and a room it does not know`() {
        let findings = Self.arrowsAgainstTheDesign(in: Self.doctored)
        #expect(findings.map(\.line) == [8, 10])
    }

    @Test func `a shortcut may stand only while the way it shortens does not`() {
        let text = """
            let package = Package(targets: [
                room("Simulation", uses: ["RunPlan", "RunLog", "Capture"]),
                room("Reports", uses: ["Content"]),
                room("RunPlan", uses: ["RunLog"]),
            ])
            """
        let manifest = Manifest(SourceFile(path: "Package.swift", text: text))
        #expect(Self.arrowsAgainstTheDesign(in: manifest).map(\.line) == [2])
    }

    @Test func `an arrow to a room further up is found`() {
        let text = """
            let package = Package(targets: [
                room("RunLog", uses: ["Content"]),
                room("Checks", uses: ["RunLog"]),
                room("Content"),
            ])
            """
        let findings = Self.arrowsUpwards(
            in: Manifest(SourceFile(path: "Package.swift", text: text)))
        #expect(findings.map(\.line) == [3])
    }

    @Test func `an arrow that no import needs is found, one that opens the way is not`() {
        let sources = [
            SourceFile(path: "Sources/RunLog/A.swift", text: "// import Content\n"),
            SourceFile(path: "Sources/Checks/A.swift", text: "package import Content\n"),
            SourceFile(path: "Sources/Checks/B.swift", text: "import Simulation\n"),
            SourceFile(path: "Sources/transferlab/A.swift", text: "import Runs\n"),
            SourceFile(path: "Tests/ChecksTests/A.swift", text: "import Checks\n"),
        ]
        let findings = Self.idleArrows(in: Self.doctored, sources: sources)
        #expect(findings.map(\.line) == [9])
    }

    @Test func `a folder without a target and a target without a folder are found`() {
        let folders = [
            "Sources/", "Sources/Checks/", "Sources/Checks/Invariants/", "Sources/RunLog/",
            "Sources/CYAML/", "Sources/transferlab/", "Sources/Cellar/", "Tests/",
            "Tests/ChecksTests/",
        ]
        let findings = Self.foldersAgainstTargets(in: Self.doctored, folders: folders)
        #expect(findings.map(\.path) == ["Sources/Cellar/", "Package.swift"])
        #expect(findings.map(\.line) == [1, 10])
    }

    static let doctored = Manifest(
        SourceFile(
            path: "Package.swift",
            text: """
                func room(_ name: String, uses: [String] = []) -> Target {
                    .target(name: name, dependencies: uses.map { .init(stringLiteral: $0) })
                }
                let package = Package(
                    name: "Doctored",
                    targets: [
                        .executableTarget(name: "transferlab", dependencies: ["Runs"], path: "x"),
                        room("Checks", uses: ["RunLog", "Simulation"]),  // upwards
                        room("RunLog", uses: ["Content"]),
                        room("Attic"),
                        .systemLibrary(
                            name: "CYAML", pkgConfig: "yaml-0.1",
                            providers: [.apt(["libyaml-dev"])]),
                        tests("ChecksTests", uses: ["Checks"]),
                    ]
                )
                """))

    static func arrowsAgainstTheDesign(in manifest: Manifest) -> [Finding] {
        manifest.targets.filter { !$0.isTest && Floors.systemLibraries[$0.name] == nil }
            .flatMap { target -> [Finding] in
                guard let room = Floors.room(named: target.name) else {
                    return [
                        finding(
                            target, "the design has no room \(target.name)",
                            remedy: "draw it into the design and into Floors first")
                    ]
                }
                return target.uses.filter { arrow in
                    !room.arrows.contains(arrow)
                        && !isShortcut(arrow, from: target, in: manifest)
                }
                .map { arrow in
                    finding(
                        target, "\(target.name) → \(arrow) is not an arrow of the design",
                        remedy: "allowed are \(room.arrows), and what they lead to where they lack")
                }
            }
    }

    /// An arrow straight to what the design reaches through rooms between, while none of those is
    /// declared: a room that is still growing need not depend on what it does not use yet.
    private static func isShortcut(
        _ arrow: String, from target: Manifest.Target, in manifest: Manifest
    ) -> Bool {
        Floors.reach(of: target.name).contains(arrow)
            && !target.uses.contains { manifest.reach(of: $0).contains(arrow) }
    }

    static func arrowsUpwards(in manifest: Manifest) -> [Finding] {
        let names = manifest.targets.map(\.name)
        return manifest.targets.enumerated().flatMap { place, target in
            target.uses.filter { names[..<place].contains($0) }
                // System libraries stand apart, at whichever end of the list.
                .filter { Floors.systemLibraries[$0] == nil && !target.isTest }
                .map { arrow in
                    finding(
                        target, "\(target.name) stands under \(arrow), which it uses",
                        remedy: "keep the order of the design, arrows go down")
                }
        }
    }

    /// An arrow is idle if no file imports what it points to, nor anything that only it opens.
    static func idleArrows(in manifest: Manifest, sources: [SourceFile]) -> [Finding] {
        manifest.targets.flatMap { target in
            let imports = sources.filter { $0.target == target.name }
                .flatMap { ImportTests.imports(of: $0).map(\.module) }
            return target.uses.filter { arrow in
                let others = target.uses.filter { $0 != arrow }
                let openToOthers = others.reduce(into: Set(others)) { open, other in
                    open.formUnion(manifest.reach(of: other))
                }
                let opensAlone = manifest.reach(of: arrow).subtracting(openToOthers)
                return !imports.contains { $0 == arrow || opensAlone.contains($0) }
            }
            .map { arrow in
                finding(
                    target, "\(target.name) → \(arrow) is declared, but no import needs it",
                    remedy: "delete the arrow until one does")
            }
        }
    }

    static func foldersAgainstTargets(in manifest: Manifest, folders: [String]) -> [Finding] {
        let places = folders.filter {
            $0.split(separator: "/").count == 2
                && ($0.hasPrefix("Sources/") || $0.hasPrefix("Tests/"))
        }
        let names = places.compactMap { $0.split(separator: "/").last.map(String.init) }
        let strays = zip(places, names).filter { manifest.target(named: $0.1) == nil }
            .map { place, name in
                Finding(
                    path: place, line: 1, fault: "Package.swift has no target \(name)",
                    remedy: "declare it or delete the folder")
            }
        let missing = manifest.targets.filter { !names.contains($0.name) }
            .map { finding($0, "\($0.name) has no folder", remedy: "delete the target") }
        return strays + missing
    }

    private static func finding(
        _ target: Manifest.Target, _ fault: String, remedy: String
    ) -> Finding {
        Finding(path: "Package.swift", line: target.line, fault: fault, remedy: remedy)
    }
}
