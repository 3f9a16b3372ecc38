import Content
import Quantities
import RunLog
import Testing

@testable import Checks

/// Which situations decide the clauses of S1, S2, S3, S6, S8 and L5, and which do not.
@Suite struct EvidenceOfUploadsTests {
    private static let next = ResourceName("/tus/2")
    private static let second = ConnectionName(launch: 1, number: 2)

    private static func append(
        _ resource: ResourceName = SmallLog.upload, at offset: UInt64 = 0
    ) -> RunEvent.Fact {
        .server(.appendBegan(resource, at: ByteCount(offset), staged: ByteCount(offset)))
    }

    private static let begun = [
        SmallLog.stands(SmallLog.first), SmallLog.accepted(), SmallLog.created(),
        SmallLog.inspected(modified: 1), SmallLog.sends(from: 0),
    ]

    private static let whole = SmallLog.published([SmallLog.range(SmallLog.first, 0..<100)])

    @Test func `an object in one append decides nothing about its pieces`() {
        let check = PublishedEqualsOneSnapshot()
        let one = Self.begun + [Self.append(), Self.whole]
        let two = Self.begun + [Self.append(), Self.append(at: 40), Self.whole]
        #expect(decided("pieces", by: check, in: one) == 0)
        #expect(decided("pieces", by: check, in: two) == 1)
        #expect(decided("edited source", by: check, in: two) == 0)
        let edited = Self.begun + [SmallLog.stands(SmallLog.second), Self.whole]
        #expect(decided("edited source", by: check, in: edited) == 1)
    }

    @Test func `a look at a source decides only if it has changed since bytes left`() {
        let check = VersionsAreNeverJoined()
        let clause = "changed before a resume"
        #expect(
            decided(clause, by: check, in: Self.begun + [SmallLog.inspected(modified: 1)]) == 0)
        #expect(
            decided(
                clause, by: check,
                in: Self.begun + [
                    SmallLog.stands(SmallLog.second), SmallLog.inspected(modified: 2),
                ]) == 1)
        // Nothing can be joined to an upload that is done.
        #expect(
            decided(
                clause, by: check,
                in: Self.begun + [Self.whole, SmallLog.inspected(modified: 2)]) == 0)
    }

    @Test func `a resume decides only behind byte 0`() {
        let check = AppendBeginsWhereAcknowledged()
        func log(_ held: UInt64) -> [RunEvent.Fact] {
            Self.begun + [
                SmallLog.ended(transmitted: 80), SmallLog.acknowledged(held),
                SmallLog.resumes(at: held), SmallLog.sends(from: held, on: Self.second),
            ]
        }
        #expect(decided("from the acknowledged offset", by: check, in: log(40)) == 1)
        #expect(decided("from the acknowledged offset", by: check, in: log(0)) == 0)
        #expect(decided("less arrived than was sent", by: check, in: log(40)) == 1)
        #expect(decided("less arrived than was sent", by: check, in: log(80)) == 0)
        #expect(decided("no needless start over", by: check, in: log(40)) == 1)
        #expect(decided("no needless start over", by: check, in: log(0)) == 0)
    }

    @Test func `a writer knocks only while another one is at work`() {
        let check = OneWriterPerUpload()
        let knock = RunEvent.Fact.connection(
            .request(Self.second, method: "HEAD", target: "/tus/1"))
        let ends = RunEvent.Fact.server(
            .appendEnded(SmallLog.upload, staged: ByteCount(40), complete: false))
        let log = [SmallLog.sends(from: 0), Self.append()]
        let told = SmallLog.acknowledged(40)
        func count(_ facts: [RunEvent.Fact]) -> Int? {
            decided("taken over", by: check, in: facts, apart: .zero)
        }
        #expect(count(log + [knock, ends, told]) == 1)
        #expect(count(log + [ends, knock, told]) == 0)
        #expect(count(log + [ends, told]) == 0)
    }

    @Test func `an attempt for what is published decides, and another one does not`() {
        let check = PublishesOnce()
        let again = RunEvent.Fact.engine(.attempt(ItemName(1), number: 2))
        #expect(decided("lost answer", by: check, in: Self.begun + [Self.whole, again]) == 1)
        #expect(decided("lost answer", by: check, in: Self.begun + [again]) == 0)
        #expect(
            decided(
                "lost answer", by: check,
                in: Self.begun + [Self.whole, SmallLog.completes(), again]) == 0)
        let killed = Self.begun + [Self.whole, SmallLog.killed, again]
        #expect(decided("lost answer and a new process", by: check, in: killed) == 1)
    }

    @Test func `a start over decides only while the server holds something`() {
        let check = LeftoversAreReclaimed()
        let over = RunEvent.Fact.engine(.startsOver(TransferName(1), because: "it has changed"))
        let gone = RunEvent.Fact.server(.discarded(SmallLog.upload, why: "as asked"))
        #expect(decided("abandoned upload", by: check, in: Self.begun + [over]) == 1)
        #expect(decided("abandoned upload", by: check, in: Self.begun + [gone, over]) == 0)
    }
}
