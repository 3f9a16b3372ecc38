import Quantities
import RunLog
import Testing

@testable import Checks

@Suite struct LeftoversAreReclaimedTests {
    private let another = ResourceName("/tus/2")
    private var left: [RunEvent.Fact] {
        [SmallLog.sends(from: 0), SmallLog.sends(from: 0, to: another)]
    }

    @Test func `an upload that its transfer left is discarded or published by the end`() {
        let discarded = RunEvent.Fact.server(.discarded(SmallLog.upload, why: "nobody wants it"))
        #expect(judge(left + [discarded, SmallLog.runEnds]) == .held)
        #expect(judge([discarded] + [SmallLog.sends(from: 0), SmallLog.runEnds]) == .held)
        #expect(judge(left + [SmallLog.published([]), SmallLog.runEnds]) == .held)
    }

    @Test func `one that stays behind falls`() {
        #expect(
            judge(left + [SmallLog.runEnds])
                == broken(
                    at: 2, expected: "/tus/1 is discarded after transfer 1 has abandoned it",
                    seen: "the server still holds it, which continues with /tus/2 when the run ends"
                ))
    }

    @Test(arguments: [ItemName(1), ItemName(1, of: .bucket)])
    func `half a download goes with the download`(item: ItemName) {
        let file = AcceptedTransfer(
            transfer: TransferName(1), source: "a", destination: "b", isDownload: true)
        func log(isShown: Bool, parts: [String]) -> [RunEvent.Fact] {
            let rows = isShown ? [item] : []
            let shown: ShownFact =
                item.facade == .queue
                ? .queue(
                    rows.map { ShownSession($0) }, saved: [], accounts: [], runs: false)
                : .transfers(
                    rows.map { ShownTransfer($0, isOngoing: false, done: .zero, total: nil) })
            return [
                SmallLog.sends(from: 0), .engine(.accepts(item, index: nil, [file])),
                .engine(.attempt(item, number: 1)), .shown(shown),
            ] + (parts.isEmpty ? [] : [.file(.parts(parts))]) + [SmallLog.runEnds]
        }
        #expect(judge(log(isShown: true, parts: ["transfers/1.part"])) == .held)
        #expect(judge(log(isShown: false, parts: [])) == .held)
        #expect(
            judge(log(isShown: false, parts: ["transfers/1.part"]))
                == broken(
                    at: 4,
                    expected: "the app holds partial files of the downloads that it shows "
                        + "unfinished, at most 0",
                    seen: "the app holds unfinished downloads: transfers/1.part"))
        let completed = RunEvent.Fact.engine(
            .moves(item, from: .running, to: .completed, because: "it is there"))
        var second = log(isShown: true, parts: ["transfers/1.part"])
        second.insert(completed, at: 3)
        #expect(judge(second) != .held)
    }

    @Test func `a file that belongs to no upload falls`() {
        let file = RunEvent.Fact.server(.leftOver(file: "7"))
        #expect(
            judge(left.dropLast() + [file, SmallLog.runEnds])
                == broken(
                    at: 1,
                    expected: "the staging area holds only files of uploads that the server knows",
                    seen: "it holds 7 when the run ends"))
    }

    @Test func `one that the server refuses to discard is its own affair`() {
        func refused(_ method: String, _ status: Int = 403) -> RunEvent.Fact {
            .server(.refused(method: method, target: "/tus/1", status: status, why: "so"))
        }
        #expect(judge(left + [refused("DELETE"), SmallLog.runEnds]) == .held)
        #expect(judge(left + [refused("PATCH"), SmallLog.runEnds]) != .held)
        #expect(judge(left + [refused("DELETE", 503), SmallLog.runEnds]) != .held)
    }

    @Test(arguments: [
        ("/uploads/1", "/uploads/1"), ("/tus/1", "/tus/1"),
        ("/api/apps/lab/buckets/films/objects/1.bin/body/uploads/1", "/api/uploads/1"),
    ])
    func `one that the server denies having is for its expiry`(target: String, upload: String) {
        func sends(to resource: String) -> RunEvent.Fact {
            .engine(
                .sends(
                    TransferName(1), resource: ResourceName(resource), from: .zero,
                    on: SmallLog.connection, bodyAt: .zero))
        }
        var log = [sends(to: upload), sends(to: "/others/2"), SmallLog.runEnds]
        let denied = RunEvent.Fact.server(
            .refused(method: "HEAD", target: target, status: 404, why: "so"))
        #expect(judge(log) != .held)
        log.insert(denied, at: 1)
        #expect(judge(log) == .held)
    }

    @Test func `one that a failing disk did not keep is gone with its process`() {
        func disk(_ step: DiskStep) -> RunEvent.Fact { .device(.disk(step)) }
        let (first, second) = (left[0], left[1])
        let failing = [disk(.writesFail), first]
        let end = [second, SmallLog.runEnds]
        #expect(judge(failing + [disk(.writesWork), SmallLog.killed] + end) == .held)
        #expect(judge(failing + end) != .held)
        #expect(judge([disk(.readsFail), first, SmallLog.killed] + end) != .held)
        let mended = [disk(.writesFail), disk(.writesWork), first]
        #expect(judge(mended + [SmallLog.killed] + end) != .held)
        #expect(judge([first, SmallLog.killed] + end) != .held)
    }

    @Test func `what an unfinished transfer still counts on may stay`() {
        #expect(judge([SmallLog.sends(from: 0), SmallLog.runEnds]) == .held)
    }

    @Test func `a log without uploads or without an end is not applicable`() {
        #expect(judge([SmallLog.runEnds]) == .notApplicable(because: "no bytes were staged"))
        #expect(judge(left) == .notApplicable(because: "the log ends before the run does"))
    }

    private func judge(_ facts: [RunEvent.Fact]) -> Verdict.Answer {
        answer(of: LeftoversAreReclaimed(), to: facts)
    }
}
