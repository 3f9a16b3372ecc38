import Quantities
import Reports
import RunLog
import Testing

/// Events stand in the log in the order in which they happened.
@Suite struct LogOrderTests {
    @Test(arguments: HouseScenarios.paths)
    func `time never goes back in a log`(path: String) throws {
        let run = try PlayedRun(HouseScenarios.read(path))
        var latest = Instant.start
        for (index, event) in try run.events().enumerated() {
            #expect(event.at >= latest, "event \(index): \(event); \(run.model.beginning.command)")
            latest = event.at
        }
    }

    @Test(arguments: HouseScenarios.paths)
    func `a log begins with the run's beginning and ends with its end`(path: String) throws {
        let run = try PlayedRun(HouseScenarios.read(path))
        let events = try run.events()
        #expect(events.first?.fact == .run(.began(run.model.beginning)))
        #expect(events.last?.fact == .run(.ended(.quiet)), "\(run.model.beginning.command)")
        #expect(run.model.duration == events.last?.at.sinceStart)
    }
}
