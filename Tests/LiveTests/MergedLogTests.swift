import Quantities
import RunLog
import Testing

@testable import Live

@Suite struct MergedLogTests {
    @Test func `events of several processes come out by their stamps`() {
        var merged = MergedLog()
        for milliseconds in [5, 1, 9, 1, 3] as [Int64] { merged.read(event(milliseconds)) }
        var log = RunLogSink()
        merged.releaseAll(into: &log)
        #expect(log.events.map(\.at) == [1, 1, 3, 5, 9].map(time))
    }

    @Test func `events with the same stamp keep the order in which they came`() {
        var merged = MergedLog()
        for launch in 1...3 as ClosedRange<UInt32> {
            merged.read(RunEvent(at: time(4), .device(.appLaunched(launch: launch))))
        }
        var log = RunLogSink()
        merged.releaseAll(into: &log)
        let expected = (1...3).map { RunEvent.Fact.device(.appLaunched(launch: $0)) }
        #expect(log.events.map(\.fact) == expected)
    }

    @Test func `an event waits until nothing earlier can come`() {
        var merged = MergedLog()
        merged.read(event(1_000))
        var log = RunLogSink()
        merged.release(heardAt: time(1_099), into: &log)
        #expect(log.events.isEmpty)
        merged.read(event(999))
        merged.release(heardAt: time(1_100), into: &log)
        #expect(log.events.map(\.at) == [time(999), time(1_000)])
    }

    @Test func `time never goes back, even for an event that comes too late`() {
        var merged = MergedLog()
        var log = RunLogSink()
        merged.read(event(1_000))
        merged.release(heardAt: time(2_000), into: &log)
        merged.read(event(1_500))
        merged.releaseAll(into: &log)
        #expect(log.events.map(\.at) == [time(1_000), time(1_900)])
    }

    @Test func `whose app an event is of is not lost on the way`() {
        var merged = MergedLog()
        var log = RunLogSink()
        merged.read(RunEvent(at: time(5), app: 2, .queue(.started)))
        merged.release(heardAt: time(1_000), into: &log)
        merged.read(RunEvent(at: time(1_500), app: 3, .queue(.started)))
        merged.releaseAll(into: &log)
        #expect(log.events.map(\.app) == [2, 3])
    }

    private func event(_ milliseconds: Int64) -> RunEvent {
        RunEvent(at: time(milliseconds), .queue(.started))
    }

    private func time(_ milliseconds: Int64) -> Instant { .start + .milliseconds(milliseconds) }
}
