import LinkModels
import Quantities
import Testing

/// Duplication and corruption: packets that arrive, but not as they were sent.
@Suite struct MarkingStageTests {
    @Test(arguments: [FilterPlan.duplication(.percent(5)), .corruption(.percent(5))])
    func `as many packets are marked as was asked for`(plan: FilterPlan) {
        let mark: PacketMarks = plan.kind == "corrupt" ? .corrupted : .duplicated
        var link = LinkDirection(.filtered([plan]), seed: 7)
        let marked = (0..<200_000).count { _ in
            guard case .arrives(_, let marks) = link.enqueue(100, at: .start) else { return false }
            return marks == mark
        }
        #expect(abs(Double(marked) - 10_000) < 500, "\(marked)")
    }

    @Test func `a copy takes its turn behind its packet, damaged as it is, and has no copy`() {
        let plan = LinkPlan.filtered([.corruption(.always), .duplication(.always)])
        var link = LinkDirection(plan, seed: 7)
        let packet = link.enqueue(1_000, at: .start)
        #expect(packet == .arrives(Instant(nanoseconds: 11_000_000), [.corrupted, .duplicated]))
        let copy = link.enqueueCopy(1_000, [.corrupted, .duplicated], at: .start)
        #expect(copy == .arrives(Instant(nanoseconds: 12_000_000), .corrupted))
    }
}
