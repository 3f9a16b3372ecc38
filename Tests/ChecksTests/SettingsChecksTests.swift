import Content
import Quantities
import RunLog
import Testing

@testable import Checks

/// S1 and S2 for sessions with settings of their own (A15).
@Suite struct SettingsChecksTests {
    private static let name = TransferName(1)
    private static let begun = [
        SmallLog.stands(SmallLog.first), SmallLog.accepted(), SmallLog.inspected(modified: 1),
        SmallLog.created(), SmallLog.sends(from: 0),
    ]
    private static func unproven(_ spot: ResumeBlindSpot) -> RunEvent.Fact {
        .engine(.isUnproven(name, because: spot))
    }
    private static func goesBy(_ resume: ResumePolicy) -> RunEvent.Fact {
        .engine(.goesBy(ItemName(1), TransferSettings(resume: resume)))
    }
    private static let joined = SmallLog.published([
        SmallLog.range(SmallLog.first, 0..<40), SmallLog.range(SmallLog.second, 40..<100),
    ])

    // MARK: S2

    /// The edit of a file, and the engine's mark on the resume.
    private static func resumed(
        after edit: [RunEvent.Fact], _ marks: [RunEvent.Fact]
    ) -> [RunEvent.Fact] {
        begun + edit + marks + [SmallLog.resumes(at: 40), joined]
    }

    @Test(arguments: [ResumeBlindSpot.attributes, .samples])
    func `an edit that a policy cannot see is no fault, if the log says that nobody looked (S2)`(
        spot: ResumeBlindSpot
    ) {
        let edit =
            [SmallLog.stands(SmallLog.second)]
            + (spot == .samples ? [.file(.keepsSamples(path: "video.mov"))] : [])
            + [SmallLog.inspected(modified: 1)]
        let policy = Self.goesBy(spot == .samples ? .sparseChecksum : .attributes)
        let marked = [policy] + Self.resumed(after: edit, [Self.unproven(spot)])
        #expect(Self.judge(VersionsAreNeverJoined(), marked) == .held)
        #expect(Self.judge(PublishedEqualsOneSnapshot(), marked) == .held)
        let unmarked = Self.resumed(after: edit, [])
        #expect(Self.falls(VersionsAreNeverJoined(), unmarked))
        #expect(Self.falls(PublishedEqualsOneSnapshot(), unmarked))
    }

    @Test func `an edit that samples show is one, whatever the log says (S2)`() {
        let edit = [SmallLog.stands(SmallLog.second), SmallLog.inspected(modified: 1)]
        #expect(
            Self.falls(
                VersionsAreNeverJoined(), Self.resumed(after: edit, [Self.unproven(.samples)])))
    }

    @Test(arguments: [ResumeBlindSpot.attributes, .samples])
    func `an edit that the date shows is one, whatever the log says (S2)`(spot: ResumeBlindSpot) {
        let edit = [
            SmallLog.stands(SmallLog.second), .file(.keepsSamples(path: "video.mov")),
            SmallLog.inspected(modified: 2),
        ]
        #expect(
            Self.falls(
                VersionsAreNeverJoined(), Self.resumed(after: edit, [Self.unproven(spot)])))
    }

    @Test func `a mark is for one resume alone (S2)`() {
        let log =
            Self.begun
            + [SmallLog.inspected(modified: 1), Self.unproven(.attributes)]
            + [SmallLog.resumes(at: 10), SmallLog.stands(SmallLog.second)]
            + [SmallLog.inspected(modified: 1), SmallLog.resumes(at: 40)]
        #expect(Self.falls(VersionsAreNeverJoined(), log))
    }

    @Test func `a new date alone is no change to a full checksum, and to no other (S2)`() {
        let touch = [
            SmallLog.inspected(modified: 2), SmallLog.resumes(at: 40),
        ]
        let full = [Self.begun[0], Self.begun[1], Self.goesBy(.fullChecksum)] + Self.begun[2...]
        #expect(Self.judge(VersionsAreNeverJoined(), full + touch) == .held)
        #expect(Self.falls(VersionsAreNeverJoined(), Self.begun + touch))
        let edited = [SmallLog.stands(SmallLog.second)] + touch
        #expect(Self.falls(VersionsAreNeverJoined(), full + edited))
    }

    // MARK: S1

    @Test func `what is joined out of place is no patched version, marked or not (S1)`() {
        let gap = SmallLog.published([
            SmallLog.range(SmallLog.first, 0..<40), SmallLog.range(SmallLog.second, 50..<100),
        ])
        let short = SmallLog.published([SmallLog.range(SmallLog.first, 0..<40)])
        for body in [gap, short] {
            let log =
                Self.begun + [SmallLog.stands(SmallLog.second), Self.unproven(.attributes)]
                + [SmallLog.resumes(at: 40), body]
            #expect(Self.falls(PublishedEqualsOneSnapshot(), log))
        }
    }

    /// Content of a real file, which is recognised block by block.
    @Test func `the block in which two versions meet may be of neither, and no more than one (S1)`()
    {
        func judged(_ seam: Range<UInt64>) -> Bool {
            let body = SmallLog.published([
                SmallLog.range(SmallLog.first, 0..<seam.lowerBound),
                SmallLog.range(.unknown, seam),
                SmallLog.range(SmallLog.second, seam.upperBound..<20_000),
            ])
            let versions = [SmallLog.first, SmallLog.second]
            let log =
                [SmallLog.accepted()] + versions.map { SmallLog.stands($0, size: 20_000) }
                + [Self.unproven(.attributes), SmallLog.resumes(at: 40), body]
            return Self.judge(PublishedEqualsOneSnapshot(), log) == .held
        }
        #expect(judged(8_192..<12_288))
        #expect(!judged(8_192..<12_289))
    }

    @Test func `a target that is kept as the same has to be the same (S1)`() {
        let stands = SmallLog.published([SmallLog.range(SmallLog.first, 0..<100)])
        let kept: [RunEvent.Fact] = [
            .engine(.keepsTarget(Self.name, because: .same)), .engine(.completes(Self.name)),
        ]
        let accepted = [SmallLog.stands(SmallLog.first), SmallLog.accepted()]
        #expect(Self.judge(PublishedEqualsOneSnapshot(), accepted + [stands] + kept) == .held)
        let edited = accepted + [stands, SmallLog.stands(SmallLog.second)] + kept
        #expect(Self.falls(PublishedEqualsOneSnapshot(), edited))
        // The version that the session has examined, and no earlier version.
        let second = SmallLog.stands(SmallLog.second)
        let looks = RunEvent.Fact.engine(
            .inspected(Self.name, size: ByteCount(100), modified: 0))
        let meanwhile = accepted + [stands, looks, second] + kept
        #expect(Self.judge(PublishedEqualsOneSnapshot(), meanwhile) == .held)
        #expect(
            Self.falls(PublishedEqualsOneSnapshot(), accepted + [stands, second, looks] + kept))
        let newer: [RunEvent.Fact] = [
            .engine(.goesBy(ItemName(1), TransferSettings(overwrite: .ifOlder))),
            .engine(.keepsTarget(Self.name, because: .notOlder)),
            .engine(.completes(Self.name)),
        ]
        let other = accepted + [stands, SmallLog.stands(SmallLog.second)] + newer
        #expect(Self.judge(PublishedEqualsOneSnapshot(), other) == .held)
    }

    @Test func `a change of settings that the store has not kept ends with the process (S1)`() {
        let policies: [RunEvent.Fact] = [
            .engine(.goesBy(ItemName(1), TransferSettings(overwrite: .ifOlder))),
            .engine(.goesBy(ItemName(1), TransferSettings(overwrite: .always))),
        ]
        let keeps: [RunEvent.Fact] = [
            .engine(.keepsTarget(Self.name, because: .notOlder)), .engine(.completes(Self.name)),
        ]
        let begun = [
            SmallLog.accepted(), SmallLog.stands(SmallLog.first),
            SmallLog.stands(SmallLog.second),
        ]
        let restart = [SmallLog.killed, SmallLog.launched]
        #expect(
            Self.judge(PublishedEqualsOneSnapshot(), begun + policies + restart + keeps) == .held)
        #expect(Self.falls(PublishedEqualsOneSnapshot(), begun + policies + keeps))
        #expect(
            Self.falls(PublishedEqualsOneSnapshot(), begun + [policies[1]] + restart + keeps))
    }

    private static func judge(_ check: any Check, _ facts: [RunEvent.Fact]) -> Verdict.Answer {
        answer(of: check, to: facts)
    }

    private static func falls(_ check: any Check, _ facts: [RunEvent.Fact]) -> Bool {
        if case .broken = judge(check, facts) { true } else { false }
    }
}
