import Foundation
import Quantities
import Testing

@Suite struct StepSeriesTests {
    /// Steps with numbers of all lengths, more than a search can skip at once.
    private static let steps: [(distance: UInt64, value: UInt64)] = {
        var random = RandomStream(seed: 3, name: "steps")
        return (0..<1_000).map { _ in
            (random.next() >> (40 + random.next() % 24), random.next() >> (30 + random.next() % 34))
        }
    }()

    private static let series: StepSeries = {
        var series = StepSeries()
        for step in steps { series.append(after: step.distance, step.value) }
        return series
    }()

    @Test func `a walk meets every step`() {
        var walk = StepSeries.Walk()
        var (place, sum): (UInt64, UInt64) = (0, 0)
        for step in Self.steps {
            #expect(Self.series.advance(&walk))
            place += step.distance
            #expect(walk.place == place && walk.value == step.value && walk.before == sum)
            sum += step.value
        }
        let isMore = Self.series.advance(&walk)
        #expect(!isMore)
        #expect(Self.series.count == 1_000)
        #expect(Self.series.length == place && Self.series.total == sum)
    }

    @Test func `a search finds the last step up to a place`() {
        var places: [UInt64] = []
        for step in Self.steps { places.append((places.last ?? 0) + step.distance) }
        for place in places.flatMap({ [$0 == 0 ? 0 : $0 - 1, $0, $0 + 1] }) {
            let expected = places.last { $0 <= place }
            #expect(Self.series.walk(upTo: place).place == expected ?? 0)
        }
    }

    @Test func `a search finds the step that holds a unit`() {
        var before: [UInt64] = []
        var sum: UInt64 = 0
        for step in Self.steps {
            before.append(sum)
            sum += step.value
        }
        for unit in before.flatMap({ [$0 == 0 ? 0 : $0 - 1, $0, $0 + 1] }) where unit < sum {
            #expect(Self.series.walk(holding: unit).before == before.last { $0 <= unit })
        }
    }

    @Test func `nothing is before the first step`() {
        var series = StepSeries()
        series.append(after: 5, 2)
        #expect(series.walk(upTo: 4).value == 0)
        #expect(series.walk(upTo: 5).value == 2)
        #expect(StepSeries().walk(upTo: 5) == StepSeries.Walk())
    }

    @Test func `the words are read as they were written`() throws {
        #expect(StepSeries(text: Self.series.text) == Self.series)
        let data = try JSONEncoder().encode(Self.series)
        #expect(try JSONDecoder().decode(StepSeries.self, from: data) == Self.series)
        var series = StepSeries()
        series.append(after: 0, 1)
        series.append(after: 7, 20)
        #expect(series.text == "0 7:20")
        #expect(StepSeries().text == "" && StepSeries(text: "") == StepSeries())
    }

    @Test(arguments: [" ", "1 ", ":2", "1:", "1:2:3", "1  2", "-1", "a", "99999999999999999999"])
    func `other words are refused`(text: String) {
        #expect(StepSeries(text: text) == nil)
    }
}
