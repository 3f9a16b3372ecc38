import Foundation
import Testing

/// `./lab bench --peer`: what it needs beyond all other commands, and when it is built.
@Suite struct PeerTests {
    private static let source = "Sources/Runs/Benchmark/Peer/ns3-bulk.cc"

    /// Notes that it was called, and leaves a program where it was told.
    private static let compiler = """
        #!/bin/sh
        echo "$*" >>"$STAND_IN/peer-builds"
        [ ! -f "$STAND_IN/peer-broken" ] || { echo "ns3-bulk.cc:1: error: broken"; exit 1; }
        while [ "$1" != -o ]; do shift; done
        echo built >"$2"
        """

    @Test func `only a benchmark with the peer asks for what the peer is built with`() throws {
        let house = try StandInHouse()
        try house.installTool("id", "#!/bin/sh\necho 1000\n")
        try house.installTool("apt-get", "#!/bin/sh\n")
        #expect(try house.lab("bench").status == 0)
        #expect(try house.lab("run", "--peer").status == 0)
        let answer = try house.lab("bench", "bulk", "--peer")
        #expect(answer.status == 2)
        #expect(answer.errors.contains("--no-install-recommends "), "\(answer.errors)")
        #expect(answer.errors.contains("g++\n"), "\(answer.errors)")
    }

    static let hasPeer = FileManager.default.fileExists(atPath: "/usr/include/ns3/core-module.h")

    @Test(.enabled(if: hasPeer, "libns3-dev is not installed; ./lab bench --peer installs it"))
    func `the peer is built when it or the wrapper has changed, and then named`() throws {
        let house = try self.house()
        let answer = try house.lab("bench", "--peer")
        #expect(answer.status == 0, "\(answer.errors)")
        #expect(answer.output.hasSuffix("bench\n--peer\n"))
        #expect(try house.lab("bench", "--peer").status == 0)
        #expect(try builds(of: house) == 1)
        let old = Date(timeIntervalSinceNow: -100)
        let peer = house.root.appending(path: ".lab/ns3-bulk").path
        try FileManager.default.setAttributes([.modificationDate: old], ofItemAtPath: peer)
        #expect(try house.lab("bench", "--peer").status == 0)
        #expect(try builds(of: house) == 2)
    }

    @Test(.enabled(if: hasPeer, "libns3-dev is not installed; ./lab bench --peer installs it"))
    func `a peer that does not build shows why, and leaves nothing`() throws {
        let house = try self.house()
        try Data().write(to: house.folder.appending(path: "peer-broken"))
        let answer = try house.lab("bench", "--peer")
        #expect(answer.status == 2)
        #expect(answer.errors.contains("ns3-bulk.cc:1: error: broken"), "\(answer.errors)")
        let left = try FileManager.default
            .contentsOfDirectory(atPath: house.root.appending(path: ".lab").path)
        #expect(!left.contains { $0.hasPrefix("ns3-bulk") })
    }

    private func house() throws -> StandInHouse {
        let house = try StandInHouse()
        let folder = house.root.appending(path: Self.source).deletingLastPathComponent()
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try house.write("// a peer", to: Self.source)
        try house.installTool("g++", Self.compiler)
        return house
    }

    private func builds(of house: StandInHouse) throws -> Int {
        try house.text(of: "peer-builds").split(separator: "\n").count
    }
}
