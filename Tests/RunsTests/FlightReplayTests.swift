import Foundation
import Reports
import Scenario
import Testing

@testable import Runs

/// What the processes of a run were told, replayed one process at a time.
@Suite struct FlightReplayTests {
    private static func flights(of path: String) throws -> [URL] {
        try FileManager.default.contentsOfDirectory(
            at: URL(filePath: path).appending(path: "flights"), includingPropertiesForKeys: nil
        ).sorted { $0.lastPathComponent < $1.lastPathComponent }
    }

    /// One of each façade, each with launches that end by a kill or a loss of power.
    @Test(arguments: [
        "queue/app-killed-and-started-again", "persistent/killed-and-started-again",
        "operations/lost-with-the-process", "background/power-lost-in-a-download",
        "resumable/power-lost",
    ])
    func `every process does the same again`(name: String) throws {
        let run = try PlayedRun(
            HouseScenarios.read("Scenarios/\(name).yaml"), recordsFlights: true)
        let flights = try Self.flights(of: run.path)
        #expect(flights.count > 1)
        for flight in flights {
            let outcome = try FlightReplay(of: flight.path).play()
            #expect(outcome.steps > 1 && !outcome.isCut, "\(flight.lastPathComponent)")
            #expect(outcome.firstDifference == nil, "\(flight.lastPathComponent)")
        }
    }

    @Test func `no recorder changes a run, and it costs some bytes for each input`() throws {
        let scenario = try HouseScenarios.readShort(SeedTests.lossy)
        let plain = try PlayedRun(scenario)
        let recorded = try PlayedRun(scenario, recordsFlights: true)
        #expect(plain.model.digest == recorded.model.digest)
        let flight = try #require(try Self.flights(of: recorded.path).first)
        let size = try Data(contentsOf: flight).count
        let steps = try FlightReplay(of: flight.path).play().steps
        #expect(size < 100 * steps, "\(size) B for \(steps) inputs")
        #expect(throws: (any Error).self) { try Self.flights(of: plain.path) }
    }
}
