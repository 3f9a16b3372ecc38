import Quantities
import RunLog
import Testing

@testable import Checks

/// Each request of an app to its queue is answered once, and truly (S9).
@Suite struct AnsweredRequestsTests {
    private static let launch = RunEvent.Fact.device(.appLaunched(launch: 1))
    private static let asked = RunEvent.Fact.queue(.requested(1))
    private static let denied = RunEvent.Fact.queue(.denied(reason: "there is no session 9"))

    private static func answered(_ answer: AnswerFact, to request: UInt64 = 1) -> RunEvent.Fact {
        .queue(.answered(request: request, answer))
    }

    /// Returns what the rule expected at the first fact that breaks it.
    private func slip(_ facts: [RunEvent.Fact]) -> String? {
        var answers = AnsweredRequests()
        for (moment, fact) in facts.enumerated() {
            do throws(Slip) {
                try answers.read(RunEvent(at: .start + .seconds(Int64(moment)), fact))
            } catch { return error.expected }
        }
        return nil
    }

    @Test func `a request is answered once`() {
        let told = [Self.launch, Self.asked, Self.answered(.done)]
        #expect(slip(told + [SmallLog.runEnds]) == nil)
        #expect(slip(told + [Self.answered(.done)]) == "answers to requests that have none")
        #expect(slip([Self.launch, Self.answered(.done)]) == "answers to requests that have none")
        #expect(
            slip([Self.launch, Self.asked, SmallLog.runEnds]) == "request 1 to be answered")
    }

    @Test(
        arguments: [
            .device(.appKilled(launch: 1)),
            .device(.appEntered(launch: 1, stage: .suspended, because: "it is behind")),
            .device(.appLaunched(launch: 2)),
        ] as [RunEvent.Fact])
    func `a process that does not run owes no answer`(end: RunEvent.Fact) {
        #expect(slip([Self.launch, Self.asked, end, SmallLog.runEnds]) == nil)
    }

    @Test func `a refusal has its reason, and is no other answer`() {
        let told = [Self.launch, Self.asked, Self.denied]
        #expect(slip(told + [Self.answered(.refused(reason: "there is no session 9"))]) == nil)
        #expect(
            slip(told + [Self.answered(.refused(reason: "it is late"))])
                == "request 1 to be refused: there is no session 9")
        #expect(
            slip(told + [Self.answered(.done)])
                == "request 1 to be refused: there is no session 9")
        #expect(
            slip([Self.launch, Self.asked, Self.answered(.refused(reason: "it is late"))])
                == "request 1 to be answered with what has come of it")
    }

    @Test func `a session or an account that a request has made is durable`() {
        let made = Self.answered(.session(ItemName(1)))
        let due = "request 1 to be answered with what has come of it"
        #expect(slip([Self.launch, Self.asked, SmallLog.accepted(), made]) == nil)
        #expect(slip([Self.launch, Self.asked, made]) == due)
        let account = Self.answered(.account(AccountName(1)))
        #expect(slip([Self.launch, Self.asked, account]) == due)
        let held = RunEvent.Fact.queue(.saved(.holds(accounts: [AccountName(1)], sessions: [])))
        #expect(slip([Self.launch, held, Self.asked, account]) == nil)
    }
}
