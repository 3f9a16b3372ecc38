import Device
import Quantities
import Testing

/// Condition × operation, as the table over `DiskCondition` has it.
@Suite struct DiskConditionTests {
    static let read: [DiskCondition.Operation] = [.read]
    static let grow: [DiskCondition.Operation] = [.grow]
    static let others: [DiskCondition.Operation] = [.writeInPlace, .create, .sync, .delete]

    static let table: [(changes: [DiskCondition.Change], refused: [(DiskRefusal, [Operation])])] = [
        ([], []),
        ([.full(true)], [(.noSpace, grow)]),
        ([.writesFail(true)], [(.writeFails, grow + others)]),
        ([.readsFail(true)], [(.readFails, read)]),
        ([.full(true), .writesFail(true)], [(.writeFails, grow + others)]),
        ([.full(true), .readsFail(true)], [(.noSpace, grow), (.readFails, read)]),
        (
            [.writesFail(true), .readsFail(true)],
            [(.writeFails, grow + others), (.readFails, read)]
        ),
        ([.full(true), .full(false)], []),
        ([.writesFail(true), .writesFail(false)], []),
        ([.readsFail(true), .readsFail(false)], []),
        ([.full(true), .writesFail(true), .readsFail(true)] + DiskCondition.Change.healing, []),
    ]
    typealias Operation = DiskCondition.Operation

    @Test(arguments: table.indices)
    func `a disk refuses what its condition says, and nothing else`(row: Int) {
        let (changes, refused) = Self.table[row]
        var condition = DiskCondition()
        for change in changes { condition.take(change) }
        for operation in Operation.allCases {
            let expected = refused.first { $0.1.contains(operation) }?.0
            #expect(condition.refusal(of: operation) == expected, "\(changes), \(operation)")
        }
    }

    @Test func `what makes a disk worse breaks something, and its end does not`() {
        for change in DiskCondition.Change.healing { #expect(!change.breaks) }
        let troubles: [DiskCondition.Change] = [.full(true), .writesFail(true), .readsFail(true)]
        for change in troubles { #expect(change.breaks) }
    }

    @Test func `a phone tells of each change once, whether it has power or not`() {
        var bench = PhoneBench(.iOS(17))
        bench.happens(.disk(.full(true)), at: 1)
        bench.happens(.disk(.full(true)), at: 2)
        bench.happens(.powerLost, at: 3)
        bench.happens(.disk(.full(false)), at: 4)
        bench.happens(.disk(.readsFail(false)), at: 5)
        let told = bench.done.compactMap { entry -> (Int64, DiskCondition.Change)? in
            guard case .disk(_, let change) = entry.output else { return nil }
            return (Int64(entry.at.nanoseconds / 1_000_000_000), change)
        }
        #expect(told.map(\.0) == [1, 4])
        #expect(told.map(\.1) == [.full(true), .full(false)])
    }
}
