import Content
import Quantities
import RunLog
import Testing

@testable import Checks

/// Rules that take no word of the engine's where the log has a fact of somebody else.
@Suite struct IndependentFactsTests {
    private static let session = ItemName(1)

    private func isBroken(_ answer: Verdict.Answer) -> Bool {
        if case .broken = answer { true } else { false }
    }

    // MARK: S3

    private static let startsOver = RunEvent.Fact.engine(
        .startsOver(TransferName(1), because: "the engine says so"))

    /// An upload of which the server has 40 bytes.
    private static let held = [
        SmallLog.stands(SmallLog.first), SmallLog.accepted(), SmallLog.created(),
        SmallLog.acknowledged(0), SmallLog.inspected(modified: 1),
        .connection(.opening(SmallLog.connection, to: "docroot:80", by: session)),
        SmallLog.sends(from: 0), SmallLog.acknowledged(40),
    ]

    @Test func `an announced start over without a cause falls`() {
        let check = AppendBeginsWhereAcknowledged()
        let log = Self.held + [Self.startsOver]
        #expect(
            answer(of: check, to: log)
                == broken(
                    at: log.count - 1,
                    expected:
                        "transfer 1 goes on with /tus/1, of which 40 bytes are acknowledged, "
                        + "because its source is unchanged and the server has the upload",
                    seen: "it starts over: the engine says so"))
    }

    @Test(arguments: [
        SmallLog.stands(SmallLog.second), .file(.touched(path: "video.mov")),
        .connection(.response(SmallLog.connection, status: 404)),
        .connection(.response(SmallLog.connection, status: 410)),
        .queue(.asked(session, .run)), .engine(.isPersistent(session)),
        .engine(.goesBy(session, TransferSettings(resume: .none))),
        .engine(.goesBy(session, TransferSettings(resume: .fullChecksum))),
    ])
    func `a start over with a cause holds`(cause: RunEvent.Fact) {
        let check = AppendBeginsWhereAcknowledged()
        #expect(answer(of: check, to: Self.held + [cause, Self.startsOver]) == .held)
    }

    @Test(arguments: [("HEAD", true), ("PATCH", false)])
    func `who asks for the offset may be told by 403 that there is no upload`(
        method: String, isCause: Bool
    ) {
        let asks = RunEvent.Fact.connection(
            .request(SmallLog.connection, method: method, target: "/tus/1"))
        let told = RunEvent.Fact.connection(.response(SmallLog.connection, status: 403))
        let answer = answer(
            of: AppendBeginsWhereAcknowledged(), to: Self.held + [asks, told, Self.startsOver])
        #expect(isBroken(answer) != isCause)
    }

    @Test func `a missing object is no lost upload`() {
        let asks = RunEvent.Fact.connection(
            .request(SmallLog.connection, method: "HEAD", target: "/dav/in/video.mov"))
        let missing = RunEvent.Fact.connection(.response(SmallLog.connection, status: 404))
        let log = Self.held + [asks, missing, Self.startsOver]
        #expect(isBroken(answer(of: AppendBeginsWhereAcknowledged(), to: log)))
    }

    // MARK: S12

    private static func refused(_ target: String) -> RunEvent.Fact {
        .server(.refused(method: "PUT", target: target, status: 401, why: "it has expired"))
    }

    @Test func `an address that a client knows to be refused is not used again`() {
        let asks = RunEvent.Fact.connection(
            .request(SmallLog.connection, method: "PUT", target: "/once/a.mov"))
        let told = RunEvent.Fact.connection(.response(SmallLog.connection, status: 401))
        let old = Self.refused("/once/a.mov?signature=1")
        let check = TokensAndTimers()
        #expect(isBroken(answer(of: check, to: [asks, old, told, old])))
        #expect(!isBroken(answer(of: check, to: [asks, old, old])))
        #expect(
            !isBroken(
                answer(of: check, to: [asks, old, told, Self.refused("/once/a.mov?signature=2")])))
        // The server may give the same address again, if its clock stands.
        let asksForOne = RunEvent.Fact.connection(
            .request(SmallLog.connection, method: "POST", target: "/once/a.mov"))
        let given = RunEvent.Fact.connection(.response(SmallLog.connection, status: 201))
        #expect(
            !isBroken(answer(of: check, to: [asks, old, told, asksForOne, given, asks, old])))
        // Two clients may have been given the same one, and each is refused once.
        let both = [asksForOne, given, asksForOne, given, asks, old, told, asks, old]
        #expect(!isBroken(answer(of: check, to: both)))
        #expect(isBroken(answer(of: check, to: both + [told, asks, old])))
        // The first may not have heard of it: then it asks once more.
        let unheard = [asksForOne, given, asksForOne, given, asks, old, asks, old, told]
        #expect(!isBroken(answer(of: check, to: unheard + [asks, old])))
        #expect(isBroken(answer(of: check, to: unheard + [asks, old, told, asks, old])))
    }

    // MARK: S13

    private static func path(isMetered: Bool) -> RunEvent.Fact {
        .network(
            .path(
                PathTerms(
                    interface: 0, name: "Wi-Fi", isMetered: isMetered, isLowData: false,
                    alive: [0])))
    }

    /// A connection whose network becomes metered, and then some facts.
    private func metered(_ facts: RunEvent.Fact...) -> Verdict.Answer {
        var log = TimedLog()
        log.add(
            .engine(.isLimited(Self.session, [.noMetered])), Self.path(isMetered: false),
            .connection(.opening(SmallLog.connection, to: "docroot:80", by: Self.session)),
            .connection(.bound(SmallLog.connection, interface: 0)), Self.path(isMetered: true))
        for fact in facts {
            log.add(fact)
            log.wait(.seconds(2))
        }
        log.add(SmallLog.runEnds)
        return log.answer(of: NothingOverDisallowedNetworks())
    }

    @Test func `a connection does not outlive the permission to use its network`() {
        #expect(isBroken(metered(.queue(.started))))
        #expect(metered(SmallLog.ended(transmitted: 1)) == .held)
        #expect(metered(Self.path(isMetered: false)) == .held)
        #expect(metered(SmallLog.killed) == .held)
        #expect(
            metered(
                .device(.appEntered(launch: 1, stage: .suspended, because: "it is behind")))
                == .held)
    }

    // MARK: S10

    private func asksAgain(
        after pause: TimeSpan, _ between: RunEvent.Fact..., isPersistent: Bool = false
    ) -> Verdict.Answer {
        let again = ConnectionName(launch: 1, number: 2)
        var log = TimedLog()
        if isPersistent { log.add(.engine(.isPersistent(Self.session))) }
        log.add(
            .engine(.attempt(Self.session, number: 1)),
            .connection(.opening(SmallLog.connection, to: "docroot:80", by: Self.session)),
            .connection(.response(SmallLog.connection, status: 503)))
        between.forEach { log.add($0) }
        log.add(.connection(.opening(again, to: "docroot:80", by: Self.session)))
        log.wait(pause)
        log.add(.connection(.request(again, method: "HEAD", target: "/tus/1")))
        return log.answer(of: AttemptsKeepTheirBudget())
    }

    @Test func `a refused session is silent, whatever it calls an attempt`() {
        #expect(isBroken(asksAgain(after: .milliseconds(1999))))
        #expect(asksAgain(after: .seconds(2)) == .held)
        #expect(asksAgain(after: .zero, .queue(.asked(Self.session, .run))) == .held)
        #expect(asksAgain(after: .zero, SmallLog.killed) == .held)
        #expect(asksAgain(after: .zero, isPersistent: true) == .held)
    }

    // MARK: S9

    @Test func `a task's callback to another app than its own falls`() {
        let task = ItemName(1, of: .background)
        let told = RunEvent.Fact.background(
            .callback(task, .didComplete(.answered(status: 201))))
        let made = RunEvent.Fact.engine(.accepts(task, index: nil, []))
        #expect(answer(of: CallbacksFollowGrammar(), to: [made, told]) == .held)
        #expect(
            answer(of: CallbacksFollowGrammar(), to: [told])
                == broken(
                    at: 0, expected: "callbacks only for tasks that the app has made",
                    seen: told.sentence))
    }

    // MARK: S1 and S2

    @Test(arguments: [OverwritePolicy.ifDifferent, .ifOlder, .ifDifferentAndOlder])
    func `a target is kept by its date only under a policy of dates`(policy: OverwritePolicy) {
        let keeps = RunEvent.Fact.engine(.keepsTarget(TransferName(1), because: .notOlder))
        let goesBy = RunEvent.Fact.engine(
            .goesBy(Self.session, TransferSettings(overwrite: policy)))
        let log = [SmallLog.stands(SmallLog.first), SmallLog.accepted(), goesBy, keeps]
        let isFallen = isBroken(answer(of: PublishedEqualsOneSnapshot(), to: log))
        #expect(isFallen == (policy == .ifDifferent))
    }

    @Test(arguments: [ResumePolicy.attributes, .sparseChecksum, .fullChecksum])
    func `a mark excuses only what the policy leaves out`(policy: ResumePolicy) {
        let marks = RunEvent.Fact.engine(.isUnproven(TransferName(1), because: .attributes))
        let goesBy = RunEvent.Fact.engine(.goesBy(Self.session, TransferSettings(resume: policy)))
        // The date was put back, so that the attributes are the same.
        let log =
            [goesBy] + Self.held + [
                SmallLog.stands(SmallLog.second), SmallLog.inspected(modified: 1), marks,
                SmallLog.resumes(at: 40),
            ]
        let isFallen = isBroken(answer(of: VersionsAreNeverJoined(), to: log))
        #expect(isFallen == (policy != .attributes))
    }
}
