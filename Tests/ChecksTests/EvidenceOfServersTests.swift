import RunLog
import Testing

@testable import Checks

/// Which situations of a server decide clauses of S1, S5 and L5, and which do not.
@Suite struct EvidenceOfServersTests {
    private static func fault(_ effect: String) -> RunEvent.Fact {
        .server(.fault("dark", connection: nil, client: nil, request: nil, effect: effect))
    }

    private static let powerFails = fault(ServerFact.powerFails)
    private static let comesBack = fault("\(ServerFact.isBack), uploads found: 1")
    private static let whole = SmallLog.published([SmallLog.range(SmallLog.first, 0..<100)])

    @Test func `a loss of power decides about objects only if there is one`() {
        func count(_ log: [RunEvent.Fact]) -> Int? {
            decided("outlives a loss of power", by: PublishedEqualsOneSnapshot(), in: log)
        }
        #expect(count([Self.whole, Self.powerFails]) == 1)
        #expect(count([Self.whole, Self.fault(ServerFact.hasNoPower)]) == 1)
        #expect(count([Self.powerFails, Self.whole]) == 0)
        #expect(count([Self.whole, Self.comesBack]) == 0)
        #expect(count([Self.whole, Self.fault("the power will fail after 3 disk steps")]) == 0)
    }

    @Test func `a loss of power decides about uploads only if one is unfinished`() {
        func count(_ log: [RunEvent.Fact]) -> Int? {
            decided("outlives a loss of power", by: ProgressStaysInBounds(), in: log)
        }
        let half = [SmallLog.created(), SmallLog.acknowledged(40)]
        #expect(count(half + [Self.powerFails]) == 1)
        #expect(count([SmallLog.created(), Self.powerFails]) == 0)
        #expect(count(half + [Self.whole, Self.powerFails]) == 0)
        #expect(count(half + [Self.whole, SmallLog.acknowledged(100), Self.powerFails]) == 0)
    }

    @Test func `the return of a server decides about what its last process has left`() {
        func count(_ log: [RunEvent.Fact]) -> Int? {
            decided("left by a process", by: LeftoversAreReclaimed(), in: log)
        }
        #expect(count([Self.comesBack]) == 1)
        #expect(count([Self.powerFails]) == 0)
    }
}
