import Quantities
import RunLog
import Testing

@testable import Checks

/// S3: an append begins at the acknowledged offset.
@Suite struct AppendBeginsWhereAcknowledgedTests {
    private let other = ResourceName("/tus/2")

    @Test func `an upload that is resumed at the acknowledged offset holds`() {
        let log = [
            SmallLog.created(), SmallLog.sends(from: 0), append(at: 0, staged: 0),
            SmallLog.acknowledged(40), SmallLog.sends(from: 40), append(at: 40, staged: 40),
        ]
        #expect(judge(log) == .held)
    }

    @Test func `a server that lost its state is sent all again`() {
        let log = [
            SmallLog.created(), SmallLog.sends(from: 0), SmallLog.acknowledged(40),
            SmallLog.acknowledged(0), SmallLog.sends(from: 0),
        ]
        #expect(judge(log) == .held)
    }

    @Test func `an announced start over may send acknowledged bytes again`() {
        let log = [
            SmallLog.created(), SmallLog.sends(from: 0), SmallLog.acknowledged(40), startsOver,
            SmallLog.created(other), SmallLog.sends(from: 0, to: other),
        ]
        #expect(judge(log) == .held)
    }

    @Test func `a log without bodies is not applicable`() {
        #expect(judge([]) == .notApplicable(because: "no body was sent"))
        #expect(judge([SmallLog.created()]) == .notApplicable(because: "no body was sent"))
    }

    @Test(arguments: [39, 41] as [UInt64])
    func `sending from beside the acknowledged offset falls`(offset: UInt64) {
        let log = [
            SmallLog.created(), SmallLog.acknowledged(40), SmallLog.sends(from: offset),
        ]
        #expect(
            judge(log)
                == broken(
                    at: 2, expected: "transfer 1 sends to /tus/1 from 40, as acknowledged",
                    seen: "it sends from \(offset)"))
    }

    @Test func `a start over permits byte 0, and once only`() {
        let beside = [
            SmallLog.created(), SmallLog.acknowledged(40), startsOver, SmallLog.sends(from: 20),
        ]
        let expected = "transfer 1 sends to /tus/1 from 40, as acknowledged"
        #expect(judge(beside) == broken(at: 3, expected: expected, seen: "it sends from 20"))
        let twice = [
            SmallLog.created(), SmallLog.acknowledged(40), startsOver, SmallLog.sends(from: 0),
            SmallLog.sends(from: 0),
        ]
        #expect(judge(twice) == broken(at: 4, expected: expected, seen: "it sends from 0"))
    }

    @Test func `sending to a resource that the server never named falls`() {
        #expect(
            judge([SmallLog.sends(from: 0)])
                == broken(
                    at: 0,
                    expected: "the server names an offset of /tus/1 before bytes are sent to it",
                    seen: "transfer 1 sends from 0 without knowing the offset"))
    }

    @Test func `leaving acknowledged bytes for a new resource without a word falls`() {
        let log = [
            SmallLog.created(), SmallLog.sends(from: 0), SmallLog.acknowledged(40),
            SmallLog.created(other), SmallLog.sends(from: 0, to: other),
        ]
        #expect(
            judge(log)
                == broken(
                    at: 4,
                    expected: "transfer 1 announces a start over before it abandons 40 bytes "
                        + "acknowledged in /tus/1",
                    seen: "it sends from 0 to /tus/2 without announcing it"))
    }

    @Test(arguments: [39, 41] as [UInt64])
    func `an append beside what is staged falls`(offset: UInt64) {
        #expect(
            judge([append(at: offset, staged: 40)])
                == broken(
                    at: 0,
                    expected: "an append to /tus/1 begins at 40, the end of the staged bytes",
                    seen: "it begins at \(offset)"))
    }

    private let startsOver = RunEvent.Fact.engine(
        .startsOver(TransferName(1), because: "the upload is gone"))

    private func append(at offset: UInt64, staged: UInt64) -> RunEvent.Fact {
        .server(.appendBegan(SmallLog.upload, at: ByteCount(offset), staged: ByteCount(staged)))
    }

    private func judge(_ facts: [RunEvent.Fact]) -> Verdict.Answer {
        answer(of: AppendBeginsWhereAcknowledged(), to: facts)
    }
}
