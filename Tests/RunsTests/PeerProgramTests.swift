import Foundation
import Testing

@testable import Runs

/// The benchmark's peer: how it is called, and, where ns-3 is installed, the program itself.
@Suite struct PeerProgramTests {
    @Test func `what it says becomes a sample`() throws {
        let folder = try Folder()
        try folder.write(
            """
            #!/bin/sh
            [ "$1" = --seconds=5 ] || exit 9
            echo '{"receivedBytes": 2896, "dataPacketsDelivered": 2, "events": 7,'
            echo '"wallSeconds": 0.5, "userSeconds": 0.25, "peakBytes": 4096, "more": 1}'
            """)
        let sample = try folder.peer().sample(seconds: 5)
        #expect(sample.counts == ["dataPackets": 2, "events": 7])
        #expect(sample.perUserSecond("dataPackets") == 8)
        #expect(sample.exact["receivedBytes"] == .whole(2_896))
        #expect(sample.cost.peakBytes == 4_096 && sample.cost.heapBytes == nil)
    }

    @Test(arguments: [
        ("#!/bin/sh\nexit 3\n", "peer/ns-3 ended with exit code 3 and printed no figures"),
        ("#!/bin/sh\necho hello\n", "peer/ns-3 printed no figures"),
    ])
    func `a peer that fails is named`(script: String, words: String) throws {
        let folder = try Folder()
        try folder.write(script)
        let error = #expect(throws: RunFailure.self) { try folder.peer().sample(seconds: 1) }
        #expect(error?.description.contains(words) == true, "\(error as Any)")
    }

    @Test func `a peer that is not there is named, with the remedy`() throws {
        let folder = try Folder()
        let gone = #expect(throws: RunFailure.self) { try folder.peer().sample(seconds: 1) }
        #expect(gone?.description.contains("peer/ns-3 could not be started") == true)
        let unknown = #expect(throws: RunFailure.self) { try PeerProgram(environment: [:]) }
        #expect(
            unknown?.description.contains("./lab bench --peer, which installs libns3-dev") == true)
    }

    /// Nobody downloads sixty megabytes for a test: `./lab bench --peer` does, for who wants it.
    static let hasPeer =
        FileManager.default.fileExists(atPath: "/usr/include/ns3/core-module.h")
        && FileManager.default.isExecutableFile(atPath: "/usr/bin/g++")

    @Test(.enabled(if: hasPeer, "libns3-dev is not installed; ./lab bench --peer installs it"))
    func `the ns-3 program builds, and its flow fills the link`() throws {
        let folder = try Folder()
        let source = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Sources/Runs/Benchmark/Peer/ns3-bulk.cc")
        let libraries = [
            "applications", "point-to-point", "internet", "traffic-control", "network", "core",
        ]
        _ = try MeasuredProcess.output(
            of: "/usr/bin/g++",
            ["-std=c++17", source.path, "-o", folder.program.path]
                + libraries.map { "-lns3-\($0)" }, doing: "the compiler")
        let sample = try folder.peer().sample(seconds: 5)
        let received = sample.exact["receivedBytes"]?.number ?? 0
        // Five seconds at 100 Mbit/s, with the headers and with slow start.
        #expect((40e6...60.4e6).contains(received), "\(sample)")
        let packets = Double(sample.counts["dataPackets"] ?? 0)
        #expect(packets >= received / 1448 && packets < received / 1448 + 700, "\(sample)")
        #expect(sample.cost.userSeconds > 0 && sample.cost.peakBytes > 1_000_000)
    }

    /// A folder for one program, which goes with it.
    private final class Folder {
        private let url = FileManager.default.temporaryDirectory
            .appending(path: "peer \(UUID().uuidString)")
        var program: URL { url.appending(path: "peer") }

        init() throws {
            try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
        }

        deinit { try? FileManager.default.removeItem(at: url) }

        func write(_ script: String) throws {
            try Data(script.utf8).write(to: program)
            try FileManager.default.setAttributes(
                [.posixPermissions: 0o755], ofItemAtPath: program.path)
        }

        func peer() throws -> PeerProgram {
            try PeerProgram(environment: ["TRANSFERLAB_PEER": program.path])
        }
    }
}
