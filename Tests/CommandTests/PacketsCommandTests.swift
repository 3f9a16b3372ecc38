import Foundation
import Testing

/// `packets`: where tshark and the log differ about a capture, in front of a user.
@Suite(
    .enabled(
        if: FileManager.default.isExecutableFile(atPath: "/usr/bin/tshark"),
        "tshark is not installed; ./lab test installs it"))
struct PacketsCommandTests {
    @Test func `each frame that tshark takes for something else is named, with the reason`() throws
    {
        let desk = try Desk()
        let text = Desk.green.replacing("loss: 1 %", with: "queue: 200 kB, loss: 3 %")
            .replacing("80 kB", with: "1 MB").replacing("delay: 20 ms", with: "delay: 60 ms")
        try desk.write(text, to: "rough.yaml")
        try expectSuccess(desk.lab("run", "rough.yaml", "--packets", "both", "--report", "out"))
        let answer = try desk.lab("packets", "out/rough")
        #expect(answer.code == 0, "\(answer.call): \(answer.errors)")
        for file in ["capture.pcap, as seen at the client", "capture-server.pcap, as seen at"] {
            #expect(answer.output.contains(file), "\(answer.output)")
        }
        let counts = answer.lines.first { $0.hasPrefix("retransmission") }
        #expect(counts?.split(separator: " ").count == 3, "\(answer.output)")
        // Lost on the way, and so the first that the server sees of it.
        let frames = answer.lines.filter { $0.contains("within a first round trip after") }
        #expect(!frames.isEmpty, "\(answer.output)")
        #expect(!answer.output.contains("unknown"), "\(answer.output)")
    }

    @Test func `the page shows what is printed`() throws {
        let desk = try Desk()
        let root = PrintedCommandTests.root
        let scenario = root.appending(path: "Scenarios/queue/first-upload-with-loss.yaml").path
        let printed = try Program.shell(
            """
            "$lab" run "\(scenario)" --packets --report out >/dev/null || exit 1
            capture=$(find out -name capture.pcap)
            tshark -r "$capture" 2>/dev/null | sed -n 62,66p | cut -c-118
            "$lab" packets "${capture%/*}" | sed -n 1,7p
            """, in: desk.url)
        #expect(printed.code == 0, "\(printed.errors)")
        #expect(printed.lines.count == 12)
        let page = try String(
            contentsOf: root.appending(path: "Sources/Capture/Capture.docc/Packets.md"),
            encoding: .utf8)
        for line in printed.lines { #expect(page.contains(line), "the page lacks: \(line)") }
    }

    @Test func `a run whose packets were not kept says how to have them`() throws {
        let desk = try Desk()
        try expectSuccess(desk.lab("run", "green.yaml", "--report", "out"))
        let answer = try desk.lab("packets", "out/green")
        #expect(answer.code == 2)
        #expect(
            answer.errors.contains("play it again with: ./lab run green.yaml --seed 1 --packets"))
    }

    @Test func `a capture of another run is not explained by this one`() throws {
        let desk = try Desk()
        try expectSuccess(desk.lab("run", "green.yaml", "--packets", "--report", "out"))
        try expectSuccess(
            desk.lab("run", "green.yaml", "--packets", "--report", "other", "--seed", "2"))
        let other = try desk.data(of: "other/green/capture.pcap")
        try other.write(to: desk.url.appending(path: "out/green/capture.pcap"))
        let answer = try desk.lab("packets", "out/green")
        #expect(answer.code == 2)
        #expect(answer.errors.contains("does not match this run"))
    }

    private func expectSuccess(_ answer: Program.Answer) {
        #expect(answer.code == 0, "\(answer.call): \(answer.errors)")
    }
}
