import Foundation
import Reports
import RunLog
import Scenario

@testable import Runs

/// A run that was played into a folder of its own, which goes with it.
final class PlayedRun {
    let model: ReportModel
    private let folder: URL

    init(
        _ scenario: Scenario, seed: UInt64? = nil, ties: UInt64? = nil,
        recordsFlights: Bool = false, packets: PacketCapture? = nil
    ) throws {
        folder = FileManager.default.temporaryDirectory
            .appending(path: "played run \(UUID().uuidString)")
        var run = SimulatedRun(scenario, seed: seed, ties: ties)
        run.recordsFlights = recordsFlights
        run.packets = packets
        model = try run.play(into: RunFolder(creating: folder))
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    var path: String { folder.path }

    func data(of name: String) throws -> Data {
        try Data(contentsOf: folder.appending(path: name))
    }

    func events() throws -> [RunEvent] { try EventLines.events(in: data(of: "events.jsonl")) }

    /// Changes a file as an accident or a hand would.
    func rewrite(_ name: String, _ change: (String) -> String) throws {
        let text = String(decoding: try data(of: name), as: UTF8.self)
        try Data(change(text).utf8).write(to: folder.appending(path: name))
    }
}
