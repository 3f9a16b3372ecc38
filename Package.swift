// swift-tools-version: 6.3
import PackageDescription

let house: [SwiftSetting] = [
    .swiftLanguageMode(.v6), .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

/// Settings of rooms that do little per event, or wait for the kernel: not optimised in release
/// builds either. They would take a third of the compiler's time.
let unhurried = house + [.unsafeFlags(["-Onone"], .when(configuration: .release))]

/// Settings of the engine and its tests, which change most often: after a change of one file only
/// that file is compiled again, and a build from nothing can use all cores. No function is
/// optimised across files, which costs a run a few per cent.
let fileByFile: [SwiftSetting] = [
    .unsafeFlags(
        ["-no-whole-module-optimization", "-incremental", "-enable-batch-mode"],
        .when(configuration: .release))
]

/// A room of the house. Its arrows go to rooms further down this file only; `TidyTests` holds them.
/// What it excludes is there for others than the compiler.
func room(
    _ name: String, uses: [String] = [], excludes: [String] = [],
    settings: [SwiftSetting] = house
) -> Target {
    .target(
        name: name, dependencies: uses.map { .init(stringLiteral: $0) }, exclude: excludes,
        swiftSettings: settings)
}

/// Tests of rooms. `./lab test` runs optimised rooms; to optimise the tests, too, would only make
/// the build longer.
func tests(
    _ name: String, uses: [String], excludes: [String] = [], settings: [SwiftSetting] = []
) -> Target {
    .testTarget(
        name: name, dependencies: uses.map { .init(stringLiteral: $0) }, exclude: excludes,
        swiftSettings: unhurried + settings)
}

/// A program that the README shows and tests run.
func testedProgram(_ name: String, uses: [String]) -> Target {
    .executableTarget(
        name: name, dependencies: uses.map { .init(stringLiteral: $0) }, path: "Tests/\(name)",
        swiftSettings: unhurried)
}

let package = Package(
    name: "TransferLab",
    // The library's locks are those of the standard library, which these systems have.
    platforms: [.iOS(.v18), .macOS(.v15), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [
        .executable(name: "transferlab", targets: ["transferlab"]),
        // The engine and its faces for an app; the others are what their words are made of.
        .library(
            name: "TransferEngine",
            targets: ["TransferEngine", "TransferClient", "Protocols", "Content", "Quantities"]),
        // A queue with its store, files and sockets, for a process on Linux.
        .library(
            name: "TransferHost",
            targets: [
                "TransferHost", "TransferEngine", "TransferClient", "Protocols", "Content",
                "Quantities",
            ]),
    ],
    targets: [
        .executableTarget(name: "transferlab", dependencies: ["Runs"], swiftSettings: unhurried),
        room(
            "Runs", uses: ["Scenario", "Reports", "Simulation", "Live"],
            excludes: ["Benchmark/Peer"], settings: unhurried),
        room("Reports", uses: ["Checks", "RunLog"]),
        room("Scenario", uses: ["RunPlan", "Checks", "CYAML"], settings: unhurried),
        room(
            "Simulation",
            uses: ["RunPlan", "Recording", "QueueStorage", "Capture", "CProcessor"]),
        room(
            "Live", uses: ["RunPlan", "Recording", "TransferHost", "Capture"],
            settings: unhurried),
        room(
            "RunPlan", uses: ["TransferClient", "DocrootServer", "LinkModels", "Device", "RunLog"],
            settings: unhurried),
        room("Recording", uses: ["TransferClient", "DocrootServer", "Device", "RunLog"]),
        room(
            "TransferHost", uses: ["TransferClient", "QueueStorage", "CLinux", "COpenSSL"]),
        room("TransferClient", uses: ["TransferEngine"]),
        room("QueueStorage", uses: ["TransferEngine", "CSQLite"]),
        room("TransferEngine", uses: ["Protocols", "Facts"], settings: house + fileByFile),
        room("DocrootServer", uses: ["Protocols", "Facts"]),
        room("Checks", uses: ["RunLog"]),
        room("Protocols", uses: ["Content"]),
        room("LinkModels", uses: ["Quantities"]),
        room("Device", uses: ["Facts"]),
        room("Capture", uses: ["RunLog", "CPcap"]),
        room("RunLog", uses: ["Facts"]),
        room("Facts", uses: ["Content"]),
        room("Content", uses: ["Quantities"]),
        room("Quantities"),
        .systemLibrary(name: "CLinux"),
        .systemLibrary(name: "CProcessor"),
        .systemLibrary(name: "CPcap", pkgConfig: "libpcap", providers: [.apt(["libpcap-dev"])]),
        .systemLibrary(
            name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
        .systemLibrary(
            name: "COpenSSL", pkgConfig: "openssl", providers: [.apt(["libssl-dev"])]),
        .systemLibrary(name: "CYAML", pkgConfig: "yaml-0.1", providers: [.apt(["libyaml-dev"])]),
        tests("TidyTests", uses: []),
        tests("CommandTests", uses: ["TransferHost"], excludes: ["Recomputed"]),
        tests("RunsTests", uses: ["Runs"]),
        tests("Mutants", uses: ["Runs"], excludes: ["Bugs", "README.md"]),
        tests("LiveTests", uses: ["Live"]),
        tests("CaptureTests", uses: ["Capture"]),
        tests("WrapperTests", uses: []),
        tests("ScenarioTests", uses: ["Scenario"]),
        tests("QueueStorageTests", uses: ["Simulation", "QueueStorage", "Device"]),
        tests("DeviceTests", uses: ["Device"]),
        tests("RecordingTests", uses: ["Recording"]),
        tests("TransferClientTests", uses: ["TransferClient"]),
        testedProgram("Uploader", uses: ["TransferHost"]),
        tests(
            "TransferEngineTests", uses: ["TransferEngine", "DocrootServer", "Protocols"],
            settings: fileByFile),
        tests("DocrootServerTests", uses: ["Simulation", "DocrootServer"]),
        tests("ProtocolsTests", uses: ["Protocols"]),
        tests("ChecksTests", uses: ["Checks"]),
        tests("SimulationTests", uses: ["Simulation"]),
        tests("LinkModelsTests", uses: ["LinkModels"]),
        tests("ReportsTests", uses: ["Reports", "Checks", "RunLog"]),
        tests("RunLogTests", uses: ["RunLog"]),
        tests("ContentTests", uses: ["Content"]),
        tests("QuantitiesTests", uses: ["Quantities"]),
    ]
)

// SwiftPM compiles a target anew only when one that it names has changed, and a stored property
// more, two arrows away, changes the size of what a target holds: so each names all that it can
// reach.
let arrows = Dictionary(
    uniqueKeysWithValues: package.targets.map { target in
        (target.name, target.dependencies.compactMap(\.targetName))
    })
for target in package.targets {
    var reached: [String] = []
    var next = arrows[target.name] ?? []
    while let name = next.popLast() {
        guard !reached.contains(name) else { continue }
        reached.append(name)
        next += arrows[name] ?? []
    }
    target.dependencies = reached.sorted().map { .byName(name: $0) }
}

extension Target.Dependency {
    fileprivate var targetName: String? {
        guard case .byNameItem(let name, _) = self else { return nil }
        return name
    }
}
