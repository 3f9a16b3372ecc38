import RunLog
import Testing

@testable import Checks

@Suite struct PublishesOnceTests {
    private let another = ResourceName("/tus/2")

    @Test func `once for each transfer holds`() {
        #expect(judge([SmallLog.accepted(1), published()]) == .held)
        let both = [SmallLog.accepted(1), SmallLog.accepted(2)]
        #expect(judge(both + [published(), published(another)]) == .held)
    }

    @Test func `an acceptance that is said again is no second transfer`() {
        let log = [SmallLog.accepted(), SmallLog.accepted(), published(), published(another)]
        #expect(
            judge(log)
                == broken(
                    at: 3, expected: "in/video.mov is published once, once for each transfer to it",
                    seen: "with /tus/2 it is published 2 times"))
    }

    @Test func `one transfer through two uploads falls, whoever else aims there`() {
        let log = [
            SmallLog.accepted(1), SmallLog.accepted(2), SmallLog.sends(from: 0), published(),
            SmallLog.sends(from: 0, to: another), published(another),
        ]
        #expect(
            judge(log)
                == broken(
                    at: 5,
                    expected:
                        "transfer 1 publishes in/video.mov only once, and has done so by /tus/1",
                    seen: "it is also published by /tus/2"))
    }

    @Test func `an upload that the server denied may be completed by a dead process`() {
        let denied = RunEvent.Fact.server(
            .refused(method: "HEAD", target: "/tus/1", status: 404, why: "a fault"))
        let again = [SmallLog.sends(from: 0, to: another), published(another)]
        let begun = [SmallLog.accepted(1), SmallLog.sends(from: 0)]
        #expect(judge(begun + [denied, published()] + again) == .held)
        #expect(judge(begun + [published(), denied] + again) == .held)
        #expect(judge(begun + [published()] + again) != .held)
    }

    @Test func `a server that ignores keys is excused, of the object alone of which it did`() {
        func ignored(_ request: String) -> RunEvent.Fact {
            .server(
                .fault(
                    "double", connection: 1, client: nil, request: request,
                    effect: "its Idempotency-Key is ignored"))
        }
        let twice = [SmallLog.accepted(), published(), published(another)]
        guard case .broken(let breach) = judge([ignored("PUT /once/in/b")] + twice) else {
            Issue.record("nothing was ignored of what is published twice")
            return
        }
        #expect(
            judge([ignored("PUT /once/in/video.mov?user=me")] + twice)
                == .excused(
                    because:
                        "a fault made the server ignore the key that identifies a repeated request",
                    breach))
    }

    @Test func `an operation that is retried with another file is another transfer`() {
        let operation = ItemName(1, of: .operations)
        let upload = AcceptedTransfer(
            transfer: TransferName(operation), source: "video.mov", destination: "in/video.mov")
        let began: [RunEvent.Fact] = [
            SmallLog.stands(SmallLog.first), .engine(.accepts(operation, index: nil, [upload])),
            published(),
        ]
        let retried = RunEvent.Fact.operations(.asked(operation, .retry))
        for change in [SmallLog.stands(SmallLog.second), .file(.touched(path: "video.mov"))] {
            #expect(judge(began + [change, retried, published(another)]) == .held)
        }
        let other = RunEvent.Fact.file(.touched(path: "other.mov"))
        let changes: [[RunEvent.Fact]] = [[], [other]]
        for change in changes {
            guard case .broken = judge(began + change + [retried, published(another)]) else {
                Issue.record("the same file was published twice")
                return
            }
        }
    }

    @Test func `what others publish is not judged`() {
        let reason = "no accepted transfer published anything"
        #expect(judge([published(), published()]) == .notApplicable(because: reason))
    }

    private func published(_ resource: ResourceName = SmallLog.upload) -> RunEvent.Fact {
        .server(.published(resource, object: "in/video.mov", version: 1, []))
    }

    private func judge(_ facts: [RunEvent.Fact]) -> Verdict.Answer {
        answer(of: PublishesOnce(), to: facts)
    }
}
