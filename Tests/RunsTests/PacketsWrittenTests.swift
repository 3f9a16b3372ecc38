import Foundation
import Reports
import RunLog
import Runs
import Scenario
import Testing

@Suite struct PacketsWrittenTests {
    @Test(arguments: HouseScenarios.paths)
    func `writing the packets changes nothing in the run`(path: String) throws {
        let scenario = try HouseScenarios.read(path)
        let silent = try SimulatedRun(scenario).play(into: nil)
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "packets \(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let packets = PacketCapture(at: .both, snapLength: 80)
        let written = try SimulatedRun(scenario, packets: packets)
            .play(into: RunFolder(creating: folder))
        #expect(written.digest == silent.digest, "\(silent.beginning.command)")
        #expect(written.figures == silent.figures)
        for name in ["capture.pcap", "capture-server.pcap"] {
            let size = try Data(contentsOf: folder.appending(path: name)).count
            #expect(size > 2_000, "\(name) of \(path) has \(size) B")
        }
    }
}
