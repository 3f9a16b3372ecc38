import Quantities
import RunLog
import Testing

@testable import Checks

@Suite struct ErrorsHaveAWayOutTests {
    private let begun: [RunEvent.Fact] = [
        .engine(.attempt(ItemName(1), number: 1)),
        .connection(.opening(SmallLog.connection, to: "docroot:80", by: ItemName(1))),
    ]

    @Test func `as many refusals as two in each of eight attempts hold`() {
        #expect(judge(begun + refusals(16)) == .held)
    }

    @Test(arguments: [401, 404, 409, 410, 416, 507])
    func `one refusal more is a loop`(status: Int) {
        #expect(
            judge(begun + refusals(17, status))
                == broken(
                    at: 18, expected: "session 1 finds a way out of \(status), or fails",
                    seen:
                        "it has been answered \(status) 17 times without another byte acknowledged")
        )
    }

    @Test func `a run in which time stands still has no way out`() {
        #expect(
            judge(begun + [.run(.ended(.endless))])
                == broken(
                    at: 2, expected: "whatever fails is tried again after a while",
                    seen: "one event followed another without an end, until the run was given up"))
    }

    @Test func `that nothing stands yet where it goes is an answer, and no refusal`() {
        func asked(_ target: String) -> RunEvent.Fact {
            .connection(.request(SmallLog.connection, method: "HEAD", target: target))
        }
        let refusals = refusals(17, 404)
        #expect(judge(begun + refusals.flatMap { [asked("/dav/in/a"), $0] }) == .held)
        #expect(judge(begun + refusals.flatMap { [asked("/tus/1"), $0] }) != .held)
        #expect(judge(begun + [asked("/dav/in/a")] + self.refusals(18, 404)) != .held)
        #expect(judge(begun + refusals.flatMap { [asked("/dav/in/a"), $0] } + refusals) != .held)
    }

    @Test func `another answer in between does not hide a loop, progress does end it`() {
        let refusals = refusals(10)
        let fine = RunEvent.Fact.connection(.response(SmallLog.connection, status: 201))
        guard case .broken = judge(begun + refusals + [fine] + refusals) else {
            Issue.record("a loop through a new upload was not seen")
            return
        }
        #expect(judge(begun + refusals + [SmallLog.acknowledged(10)] + refusals) == .held)
        guard case .broken = judge(begun + refusals + [SmallLog.acknowledged(0)] + refusals)
        else {
            Issue.record("an offset of 0 was taken for progress")
            return
        }
    }

    @Test func `an app that asks for it again begins to count anew`() {
        let refusals = refusals(10)
        func asked(_ wish: SessionWish) -> [RunEvent.Fact] {
            [.queue(.asked(ItemName(1), wish))]
        }
        #expect(judge(begun + refusals + asked(.run) + refusals) == .held)
        #expect(judge(begun + refusals + asked(.resume) + refusals) != .held)
        let another = RunEvent.Fact.queue(.asked(ItemName(2), .run))
        #expect(judge(begun + refusals + [another] + refusals) != .held)
    }

    @Test func `a file that is given up is a way out, and the next one is counted anew`() {
        let path = AcceptedTransfer(
            transfer: TransferName(7), source: "in/a.mov", destination: "back/a.mov",
            isDownload: true)
        let added = RunEvent.Fact.queue(.pathAdded(ItemName(1), path))
        let givenUp = RunEvent.Fact.engine(
            .givesUp(TransferName(7), because: "no such file, error 4"))
        #expect(
            judge(begun + [added] + refusals(16, 404) + [givenUp] + refusals(16, 404)) == .held)
        let another = RunEvent.Fact.engine(
            .givesUp(TransferName(8), because: "no such file, error 4"))
        #expect(
            judge(begun + [added] + refusals(16, 404) + [another] + refusals(1, 404)) != .held)
    }

    @Test func `the end of a process takes the latest attempt back, and no other`() {
        let earlier = begun + refusals(14)
        let latest = [.engine(.attempt(ItemName(1), number: 8))] + refusals(2)
        let again = SmallLog.launched
        #expect(judge(earlier + latest + [again] + refusals(2)) == .held)
        #expect(judge(earlier + latest + [again] + refusals(3)) != .held)
        #expect(judge(earlier + latest + [again, again] + refusals(3)) != .held)
        let other =
            (earlier + latest).map { RunEvent(at: .start, $0) }
            + [RunEvent(at: .start, app: 2, again)] + refusals(1).map { RunEvent(at: .start, $0) }
        var check = ErrorsHaveAWayOut()
        for event in other { check.read(event) }
        #expect(check.verdict() != .held)
    }

    @Test func `the system's tasks know nothing of a launch`() {
        let task = RunEvent.Fact.connection(
            .opening(SmallLog.connection, to: "docroot:80", by: ItemName(1, of: .background)))
        #expect(judge([task] + refusals(16) + [SmallLog.launched] + refusals(1)) != .held)
    }

    @Test func `a server that answers nothing is not applicable`() {
        #expect(judge(begun) == .notApplicable(because: "there were no answers"))
    }

    private func refusals(_ count: Int, _ status: Int = 409) -> [RunEvent.Fact] {
        Array(
            repeating: .connection(.response(SmallLog.connection, status: status)), count: count)
    }

    private func judge(_ facts: [RunEvent.Fact]) -> Verdict.Answer {
        answer(of: ErrorsHaveAWayOut(), to: facts)
    }
}
