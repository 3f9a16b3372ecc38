import Foundation
import Testing

/// `--packets`: which captures a run leaves, and that the run is the same with them.
@Suite struct PacketFilesTests {
    /// What stands behind `--packets`, and what is then in the run's folder.
    static let places: [(words: [String], files: Set<String>)] = [
        ([], []), (["--packets"], ["capture.pcap"]), (["--packets", "client"], ["capture.pcap"]),
        (["--packets=server"], ["capture-server.pcap"]),
        (["--packets", "both", "--json"], ["capture.pcap", "capture-server.pcap"]),
    ]

    @Test(arguments: places)
    func `captures lie beside the report, and go with the next run without them`(
        words: [String], files: Set<String>
    ) throws {
        let desk = try Desk()
        for name in ["capture.pcap", "capture-server.pcap"] {
            try desk.write("of an earlier run", to: "out/green/\(name)")
        }
        let plain = try desk.lab("run", "green.yaml", "--digests")
        let answer = try Program.run(
            ["run", "green.yaml", "--report", "out"] + words, in: desk.url)
        #expect(answer.code == 0, "\(answer.call): \(answer.errors)")
        let there = ["capture.pcap", "capture-server.pcap"].filter { desk.holds("out/green/\($0)") }
        #expect(Set(there) == files, "\(answer.call)")
        for file in files {
            // An upload of 80 kB, twice over its headers.
            #expect(try desk.data(of: "out/green/\(file)").count > 80_000, "\(answer.call)")
        }
        let report = try desk.text(of: "out/green/report.html")
        for file in ["capture.pcap", "capture-server.pcap"] {
            #expect(report.contains("<a href=\"\(file)\">") == files.contains(file))
        }
        #expect(report.contains("--seed 1 --packets</code>") == files.isEmpty, "\(answer.call)")
        let digest = try #require(plain.lines.first?.split(separator: " ").last)
        #expect(try desk.text(of: "out/green/run.json").contains(digest), "\(answer.call)")
    }

    @Test func `a folder of scenarios has its captures, and a replay makes one afterwards`() throws
    {
        let desk = try Desk()
        try desk.write(Desk.green, to: "server/green.yaml")
        let answer = try desk.lab("run", "--packets", ".", "--report", "out", "--snap-length", "96")
        #expect(answer.code == 1, "\(answer.call): \(answer.errors)")
        for run in ["green", "red", "server/green"] {
            let size = try desk.data(of: "out/\(run)/capture.pcap").count
            #expect((1_000..<30_000).contains(size), "\(run): \(size)")
        }
        let again = try desk.lab("replay", "out/green", "--report", "again", "--packets", "both")
        #expect(again.code == 0, "\(again.call): \(again.errors)")
        #expect(desk.holds("again/green/capture-server.pcap"))
    }

    @Test func `digests may have their packets, if a place is named`() throws {
        let desk = try Desk()
        let answer = try desk.lab("run", "green.yaml", "--digests", "--report", "out", "--packets")
        #expect(answer.code == 0 && desk.holds("out/green/capture.pcap"), "\(answer.call)")
        #expect(answer.output == (try desk.lab("run", "green.yaml", "--digests")).output)
    }
}
