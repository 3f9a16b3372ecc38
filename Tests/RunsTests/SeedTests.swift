import Reports
import RunLog
import Scenario
import Testing

@testable import Runs

/// The seed decides what is lost, and the first sequence numbers of TCP. Whatever it decides, the
/// promises of a scenario hold.
@Suite struct SeedTests {
    static let lossy = "Scenarios/queue/first-upload-with-loss.yaml"
    static let lossless = "Scenarios/queue/first-upload.yaml"

    @Test(arguments: (1...20).map { (lossy, $0) } + (1...5).map { (lossless, $0) })
    func `a scenario is green with any seed`(path: String, seed: UInt64) throws {
        let model = try SimulatedRun(HouseScenarios.read(path), seed: seed).play(into: nil)
        #expect(
            model.judgement.isGreen,
            "\(model.judgement.sentence); reproduce with: \(model.beginning.command)")
    }

    @Test func `where packets are lost, another seed is another course of events`() throws {
        let (one, other) = try (happenings(Self.lossy, seed: 1), happenings(Self.lossy, seed: 2))
        #expect(one != other)
    }

    /// Only the packets differ, by the sequence numbers that TCP begins with.
    @Test func `where nothing is left to chance, another seed is the same course of events`() throws
    {
        let (one, other) = try (
            happenings(Self.lossless, seed: 1), happenings(Self.lossless, seed: 2)
        )
        #expect(one == other)
        #expect(one.count > 50)
    }

    @Test func `another seed is another digest, with or without chance`() throws {
        for path in [Self.lossy, Self.lossless] {
            let scenario = try HouseScenarios.read(path)
            let digests = try (1...3).map { seed in
                try SimulatedRun(scenario, seed: seed).play(into: nil).digest
            }
            #expect(Set(digests).count == 3, "\(path): \(digests)")
        }
    }

    @Test func `without a seed of the caller's, the scenario's own is played`() throws {
        let scenario = try HouseScenarios.read(Self.lossy)
        let own = try SimulatedRun(scenario).play(into: nil)
        let asked = try SimulatedRun(scenario, seed: scenario.seed).play(into: nil)
        #expect(own == asked)
    }

    /// What happened above the packets, after the event that names the seed.
    private func happenings(_ path: String, seed: UInt64) throws -> [RunEvent] {
        try PlayedRun(HouseScenarios.read(path), seed: seed).events().dropFirst().filter { event in
            if case .packets = event.fact { false } else { true }
        }
    }
}
