import Quantities
import Reports
import Runs
import Scenario
import Testing

/// What each trouble of a run costs: the run again without it.
@Suite struct DelayExplanationTests {
    private static func table(_ more: String, uplink: String = "") throws -> DelayTable {
        let text = """
            name: an upload in trouble
            links:
              uplink: { rate: 8 Mbit/s, delay: 20 ms\(uplink) }
              downlink: { rate: 8 Mbit/s, delay: 20 ms }
            files: { a.mov: 4 MB }
            queue:
              - { upload: a.mov, to: in/a.mov }
            \(more)
            """
        let scenario = try Scenario.read(text: text, path: "trouble.yaml")
        return try DelayExplanation(of: scenario).table(jobs: 1)
    }

    private static let kill = """
        timeline:
          - 2 s: app killed
          - 5 s: app launched
        """

    @Test func `a kill costs the time until the launch, and goes with it`() throws {
        let table = try Self.table(Self.kill)
        #expect(table.causes.map(\.words) == ["at 2 s the app is killed"])
        let cost = try #require(table.causes[0].cost)
        #expect(cost > .milliseconds(2_800) && cost < .seconds(4), "\(cost)")
        #expect(table.all.cost == cost && table.interaction == .zero)
        #expect(table.states.contains { $0.state == .interrupted && $0.time == .seconds(3) })
    }

    @Test func `a refusal that only a relaunched app meets costs nothing without the kill`() throws
    {
        let table = try Self.table(
            """
            timeline:
              - 2 s: app killed
              - 4500 ms: fault busy on
              - 5 s: app launched
              - 8 s: fault busy off
            server: { faults: { busy: { do: answer 503, starts: off } } }
            """)
        #expect(table.causes.map(\.words) == ["fault “busy”", "at 2 s the app is killed"])
        let costs = table.causes.compactMap(\.cost)
        let total = try #require(table.all.cost)
        #expect(costs.count == 2 && costs[0] > .seconds(2), "\(costs)")
        // Without the kill, nothing is left to refuse.
        #expect(costs[1] == total && table.interaction == .zero - costs[0], "\(costs), \(total)")
    }

    @Test func `what the links do, and the traffic of others, is taken away, too`() throws {
        let table = try Self.table(
            "", uplink: ", loss: 3 %, cross-traffic: { rate: 4 Mbit/s, packets: 700 B }")
        #expect(
            table.causes.map(\.words) == [
                "loss and disturbance of uplink", "the traffic of others on the links",
            ])
        #expect(table.causes.compactMap(\.cost).allSatisfy { $0 > .milliseconds(500) })
    }

    @Test func `pauses and settings of the timeline are taken away, with what ends them`() throws {
        let table = try Self.table(
            """
            timeline:
              - 1 s: pause session 1
              - 4 s: resume session 1
              - 5 s: stop queue
              - 6 s: session 1 is to resume by none
              - 9 s: start queue
            """)
        #expect(table.causes.count == 3, "\(table.causes.map(\.words))")
        let costs = table.causes.compactMap(\.cost)
        // The pause and the stop cost their time; the setting costs what is sent again.
        #expect(costs.count == 3 && costs.allSatisfy { $0 > .seconds(1) }, "\(costs)")
    }

    @Test func `what the links of another phone do is taken away, too`() throws {
        let table = try Self.table(
            """
            device: { os: ios-17 }
            devices:
              tablet:
                os: ios-17
                links:
                  uplink: { rate: 8 Mbit/s, delay: 20 ms, loss: 5 % }
                  downlink: { rate: 8 Mbit/s, delay: 20 ms }
                apps:
                  other: { files: { b.mov: 2 MB }, queue: [{ upload: b.mov, to: in/b.mov }] }
            """)
        #expect(table.causes.count == 1, "\(table.causes.map(\.words))")
        #expect(table.causes[0].words.contains("tablet"), "\(table.causes[0].words)")
        #expect(try #require(table.causes[0].cost) > .milliseconds(100))
    }

    @Test func `the cost is summed up over all transfers`() throws {
        let text = """
            name: two uploads, one in trouble
            links:
              uplink: { rate: 8 Mbit/s, delay: 20 ms }
              downlink: { rate: 8 Mbit/s, delay: 20 ms }
            files: { a.mov: 2 MB, b.mov: 1 MB }
            queue:
              - { upload: a.mov, to: in/a.mov }
              - { upload: b.mov, to: in/b.mov }
            timeline:
              - 1 s: app killed
              - 3 s: app launched
            """
        let scenario = try Scenario.read(text: text, path: "two.yaml")
        let table = try DelayExplanation(of: scenario).table(jobs: 1)
        let last = try #require(table.completedAt) - (try #require(table.all.completedWithout))
        // Both uploads end later by as much.
        let cost = try #require(table.causes[0].cost)
        #expect(cost > last + last - .milliseconds(300) && cost > .seconds(3), "\(cost), \(last)")
    }

    @Test func `what never ends completes without its trouble`() throws {
        let table = try Self.table(
            """
            server: { faults: { gone: { do: stall, at: 50 kB received } } }
            limit: 60 s
            """)
        #expect(table.completedAt == nil)
        #expect(table.causes[0].completedWithout != nil)
        #expect(table.causes[0].cost == nil && table.all.cost == nil)
        let text = DelayText.text(for: table, of: "x")
        #expect(text.contains("“x” does not complete"))
        #expect(text.contains("fault “gone”"))
    }

    @Test func `a run without trouble has nothing to take away`() throws {
        let table = try Self.table("")
        #expect(table.causes.isEmpty && table.all.cost == .zero)
        #expect(DelayText.text(for: table, of: "x").contains("nothing in it can be taken away"))
    }
}
