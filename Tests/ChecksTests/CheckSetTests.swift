import Checks
import Quantities
import RunLog
import Testing

@Suite struct CheckSetTests {
    private let expectation = ExpectationPlan.happens(.publication("in/video.mov"), .exactly(1))
        .check(words: "object in/video.mov is published once", place: "a.yaml:12:5")

    @Test func `the catalogue holds each invariant once`() {
        let rules = InvariantCatalogue.checks().map(\.rule)
        #expect(
            rules == [
                "S1", "S2", "S3", "S4", "S5", "S6", "S7", "S8", "S9", "S10", "S11", "S12", "S13",
                "S14", "S16", "S17", "L1", "L2", "L3", "L4", "L5",
            ])
    }

    @Test func `nothing is judged by an empty log`() {
        for verdict in CheckSet(expectations: [expectation]).verdicts() {
            guard case .notApplicable(let because) = verdict.answer else {
                Issue.record("\(verdict.rule) judged an empty log")
                continue
            }
            #expect(!because.isEmpty)
        }
    }

    @Test func `every event reaches every check, and breaches come out with kind and place`() {
        var checks = CheckSet(expectations: [expectation])
        for fact in [SmallLog.accepted(), SmallLog.runEnds] {
            checks.read(RunEvent(at: .start, fact))
        }
        let breaches = checks.verdicts().ruleBreaches
        #expect(breaches.map(\.verdict.rule) == ["L1", "object in/video.mov is published once"])
        #expect(breaches.map(\.verdict.kind) == [.invariant, .expectation])
        #expect(breaches.map(\.verdict.place) == [nil, "a.yaml:12:5"])
        #expect(breaches.map(\.breach.event) == [1, 1])
    }

    @Test func `a rule that fails says what it is about, and one that holds does not`() {
        let order = ExpectationPlan.sessionsCompleteInOrder.check(words: "in order", place: "a:1:1")
        var checks = CheckSet(expectations: [order])
        for fact in [SmallLog.accepted(), SmallLog.runEnds] {
            checks.read(RunEvent(at: .start, fact))
        }
        let verdicts = checks.verdicts()
        #expect(verdicts.last?.isBroken == true && verdicts.last?.subject == .order)
        #expect(verdicts.filter { !$0.isBroken }.allSatisfy { $0.subject == nil })
        let rules = InvariantCatalogue.checks().filter { $0.subject != nil }.map(\.rule)
        #expect(rules == ["S1", "S2", "S10", "S14"])
    }

    @Test func `packets reach every check too`() {
        var checks = CheckSet(expectations: [NetworkObeysPhysics()])
        let packet = PacketRecord(
            atNanoseconds: 7, kind: .sent, packet: 0, link: 0, flow: 0, size: 1500, payload: 1448,
            sequence: 1, acknowledgement: 1, flags: .ack)
        [packet].withUnsafeBufferPointer { checks.read(packets: $0) }
        #expect(checks.verdicts().ruleBreaches.map(\.verdict.rule) == ["S16", "S16"])
    }

    @Test func `a breach by a packet names the event before it, also one of the same batch`() {
        var check = NetworkObeysPhysics()
        let packet = PacketRecord(
            atNanoseconds: 7, kind: .sent, packet: 0, link: 0, flow: 0, size: 1500, payload: 1448,
            sequence: 1, acknowledgement: 1, flags: .ack)
        check.read(RunEvent(at: .start, .queue(.started)))
        [packet].withUnsafeBufferPointer { check.read(packets: $0) }
        for nanoseconds in [5, 6, 8] as [UInt64] {
            check.read(RunEvent(at: Instant(nanoseconds: nanoseconds), .queue(.started)))
        }
        guard case .broken(let breach) = check.verdict() else {
            Issue.record("a packet without a link was not seen")
            return
        }
        #expect(breach.event == 2)
        #expect(breach.at == Instant(nanoseconds: 7))
    }
}
