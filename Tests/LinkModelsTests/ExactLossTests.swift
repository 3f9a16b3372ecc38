import LinkModels
import Quantities
import Testing

/// Losses without chance.
@Suite struct ExactLossTests {
    @Test func `every tenth packet is lost, and no other`() {
        let runs = LossRuns(.periodicLoss(period: 10), packets: 100)
        #expect(
            runs.isLost.indices.filter { runs.isLost[$0] }
                == Array(stride(from: 9, to: 100, by: 10)))
        #expect(LinkPlan.filtered([.periodicLoss(period: 10)]).meanLoss == .percent(10))
    }

    @Test func `the packets of the list are lost, and no others`() {
        let runs = LossRuns(.listedLoss([17, 3, 4]), packets: 100)
        #expect(runs.isLost.indices.filter { runs.isLost[$0] } == [3, 4, 17])
    }

    @Test func `a list of data packets counts none that only acknowledges`() {
        var link = LinkDirection(.filtered([.listedDataLoss([0, 2])]), seed: 7)
        let sizes = [60, 52, 1_500, 80, 1_500, 81, 52, 1_500]
        let lost = sizes.indices.filter {
            link.enqueue(sizes[$0], at: .start) == .dropped(.lost)
        }
        #expect(lost == [2, 5])
    }

    @Test func `everything is lost in a black hole, from its first moment to before its last`() {
        let hole = BlackHole.Options(
            from: .start + .milliseconds(5), until: .start + .milliseconds(8))
        var link = LinkDirection(.filtered([.blackHole(hole)]), seed: 7)
        let lost = (0..<12).filter {
            link.enqueue(100, at: .start + .milliseconds($0)) == .dropped(.lost)
        }
        #expect(lost == [5, 6, 7])
    }

    @Test func `what is larger than the path vanishes, and what fits passes`() {
        var link = LinkDirection(.filtered([.sizeLimit(SizeLimit(ByteCount(1_280)))]), seed: 7)
        #expect(link.enqueue(1_281, at: .start) == .dropped(.tooLarge))
        #expect(link.enqueue(1_280, at: .start) == .arrives(Instant(nanoseconds: 11_280_000)))
    }
}
