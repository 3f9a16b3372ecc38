import Content
import Quantities
import RunLog
import Testing

@testable import Checks

/// Checks of resumable transfers: good logs, and each way in which a log can be bad.
@Suite struct EntryChecksTests {
    private static let entry = ItemName(1, of: .bucket)
    private static let chunk = told(.progress(done: ByteCount(1), total: ByteCount(2)))

    private static let accepted: [RunEvent.Fact] = [
        .engine(
            .accepts(
                entry, index: nil,
                [
                    AcceptedTransfer(
                        transfer: TransferName(entry), source: "a", destination: "b/objects/a")
                ])), .engine(.moves(entry, from: .waiting, to: .running, because: "started")),
    ]

    private static func told(_ callback: EntryCallback) -> RunEvent.Fact {
        .entries(.callback(entry, callback))
    }

    private static func asked(_ wish: EntryWish) -> RunEvent.Fact {
        .entries(.asked(entry, wish))
    }

    private static func moves(_ from: ItemStage, _ to: ItemStage) -> RunEvent.Fact {
        .engine(.moves(entry, from: from, to: to, because: "the test says so"))
    }

    private static func rest(_ code: Int) -> RunEvent.Fact {
        told(.suspended(code: code, message: "the test says so"))
    }

    private static let begun = accepted + [told(.ongoing)]
    private static let suspended = begun + [moves(.running, .suspended), rest(809)]
    private static let completed = begun + [moves(.running, .completed), told(.completed)]
    private static let resumed =
        suspended + [asked(.transfer), moves(.suspended, .running), told(.ongoing)]
    private static let terminated =
        suspended + [
            asked(.terminate), moves(.suspended, .cancelled),
            told(.ended(code: 810, message: "terminated")),
        ]
    private static let relaunched = [
        SmallLog.killed, SmallLog.launched, moves(.running, .suspended), .entries(.held([entry])),
    ]

    // MARK: S9

    @Test func `ongoing, progress, a rest or an end; and again when the app goes on (K1, K10)`() {
        let logs = [
            Self.completed, Self.resumed + [Self.chunk], Self.terminated,
            Self.suspended + [Self.asked(.transfer), Self.rest(812)],
            Self.begun + Self.relaunched
                + [Self.asked(.transfer), Self.moves(.suspended, .running), Self.told(.ongoing)],
        ]
        for log in logs { #expect(answer(of: CallbacksFollowGrammar(), to: log) == .held) }
    }

    static let slips: [(log: [RunEvent.Fact], expected: String)] = [
        (accepted + [chunk], "the first callback of transfer 1 is ONGOING"),
        (begun + [told(.ongoing)], "transfer 1 becomes ONGOING once"),
        (suspended + [chunk], "transfer 1 stays SUSPENDED until the app resumes it"),
        (suspended + [rest(809)], "transfer 1 stays SUSPENDED until the app resumes it"),
        (completed + [told(.completed)], "no callback of transfer 1 after its end"),
        (begun + [asked(.transfer)], "transfer 1 resumes only when it is suspended"),
        (begun + relaunched + [chunk], "transfer 1 stays SUSPENDED until the app resumes it"),
        (begun + [SmallLog.killed, chunk], "no callback to an app that is dead"),
        ([told(.ongoing)], "callbacks only for transfers that the app has started"),
    ]

    @Test(arguments: slips.indices) func `what is out of the grammar falls`(index: Int) {
        let (log, expected) = Self.slips[index]
        guard case .broken(let breach) = answer(of: CallbacksFollowGrammar(), to: log) else {
            Issue.record("it holds")
            return
        }
        #expect(breach.expected == expected)
        #expect(breach.event == log.count - 1)
    }

    // MARK: S2 to S6, S8, S10, S13

    @Test func `an end is final, and a rest is not (S4)`() {
        let check = TerminalStateIsFinal()
        #expect(answer(of: check, to: Self.resumed) == .held)
        #expect(answer(of: check, to: Self.completed + [Self.moves(.completed, .running)]) != .held)
        #expect(answer(of: check, to: Self.completed + [Self.chunk]) != .held)
        #expect(answer(of: check, to: Self.begun + Self.relaunched) == .held)
        let back = Self.terminated + [SmallLog.killed, SmallLog.launched]
        #expect(
            answer(of: check, to: back + [.engine(.found(Self.entry, .suspended))]) != .held,
            "the app was told of its end")
    }

    @Test func `progress stays in its bounds, and begins anew with an attempt (S5)`() {
        let attempt = RunEvent.Fact.engine(.attempt(Self.entry, number: 1))
        let full = Self.told(.progress(done: ByteCount(2), total: ByteCount(2)))
        let check = ProgressStaysInBounds()
        #expect(answer(of: check, to: [attempt, full, attempt, Self.chunk]) == .held)
        #expect(answer(of: check, to: [attempt, full, Self.chunk]) != .held)
        let beyond = Self.told(.progress(done: ByteCount(3), total: ByteCount(2)))
        #expect(answer(of: check, to: [attempt, beyond]) != .held)
    }

    @Test func `nothing is tried again unless the app asks for it (S10)`() {
        func attempt(_ number: Int) -> RunEvent.Fact {
            .engine(.attempt(Self.entry, number: number))
        }
        let fails = RunEvent.Fact.engine(
            .fails(Self.entry, code: -1005, message: "lost", retryIn: nil))
        let once = [attempt(1), fails]
        let check = AttemptsKeepTheirBudget()
        #expect(answer(of: check, to: once + [Self.asked(.transfer), attempt(1)]) == .held)
        #expect(answer(of: check, to: once + [attempt(1)]) != .held)
        #expect(answer(of: check, to: once + [attempt(2)]) != .held)
    }

    @Test func `a touch is no change, and an edit is one (S2, K5)`() {
        func look(modified: UInt64, size: UInt64 = 2) -> RunEvent.Fact {
            .engine(
                .inspected(
                    TransferName(Self.entry), size: ByteCount(size), modified: modified))
        }
        let resource = ResourceName("/api/uploads/1")
        let begun =
            Self.accepted + [
                look(modified: 1),
                .engine(
                    .sends(
                        TransferName(Self.entry), resource: resource, from: .zero,
                        on: ConnectionName(launch: 1, number: 1), bodyAt: .zero)),
            ]
        let resumes = RunEvent.Fact.engine(
            .resumes(TransferName(Self.entry), resource: resource, at: ByteCount(1)))
        let check = VersionsAreNeverJoined()
        #expect(answer(of: check, to: begun + [look(modified: 9), resumes]) == .held)
        #expect(answer(of: check, to: begun + [look(modified: 1, size: 3), resumes]) != .held)
        let edit = RunEvent.Fact.file(
            .stands(path: "a", version: FileVersion(file: 1, edit: 1), size: ByteCount(2)))
        #expect(answer(of: check, to: begun + [edit, look(modified: 1), resumes]) != .held)
    }

    @Test func `a suspended app tells its transfers nothing (S13)`() {
        let frozen = RunEvent.Fact.device(
            .appEntered(launch: 1, stage: .suspended, because: "it is not in front"))
        let check = NothingFromTheSuspended()
        #expect(answer(of: check, to: Self.begun + [SmallLog.launched, frozen]) == .held)
        #expect(
            answer(of: check, to: Self.begun + [SmallLog.launched, frozen, Self.chunk]) != .held)
    }

    @Test func `an upload of a transfer is published once (S8)`() {
        func published(_ number: Int) -> RunEvent.Fact {
            .server(
                .published(
                    ResourceName("/api/uploads/\(number)"), object: "b/objects/a", version: 1, []))
        }
        let check = PublishesOnce()
        #expect(answer(of: check, to: Self.begun + [published(1)]) == .held)
        #expect(answer(of: check, to: Self.begun + [published(1), published(2)]) != .held)
    }

    // MARK: Expectations

    @Test func `a rest and a refusal are known by their errors`() {
        let refused = RunEvent.Fact.entries(
            .refused(Self.entry, code: 811, reason: "a transfer is under way"))
        let log = Self.suspended + [refused, SmallLog.runEnds]
        func judge(_ happening: Happening) -> Verdict.Answer {
            let plan = ExpectationPlan.happens(happening, .atLeast(1))
            return answer(of: plan.check(words: "as the test says", place: "x:1:1"), to: log)
        }
        #expect(judge(.rest(Self.entry, code: 809)) == .held)
        #expect(judge(.rest(Self.entry, code: 812)) != .held)
        #expect(judge(.rest(ItemName(2, of: .bucket), code: 809)) != .held)
        #expect(judge(.transferRefusal(Self.entry, code: 811)) == .held)
        #expect(judge(.transferRefusal(Self.entry, code: 801)) != .held)
    }

    // MARK: L1, L3, L5

    @Test func `a transfer ends, or its user can see that it is suspended (L1)`() {
        let end = [SmallLog.runEnds]
        let check = EverySessionEnds()
        #expect(answer(of: check, to: Self.completed + end) == .held)
        #expect(answer(of: check, to: Self.suspended + end) == .held)
        #expect(answer(of: check, to: Self.begun + end) != .held)
        #expect(answer(of: check, to: Self.begun + [SmallLog.killed] + end) == .held)
        #expect(
            answer(of: check, to: Self.begun + [Self.moves(.running, .completed)] + end) != .held,
            "the app has not heard of it")
    }

    @Test func `an app that is suspended in a transfer comes back, or the transfer rests (L3)`() {
        let frozen = RunEvent.Fact.device(
            .appEntered(launch: 1, stage: .suspended, because: "it is not in front"))
        let check = SuspendedAppsAreReleased()
        #expect(answer(of: check, to: Self.begun + [frozen, SmallLog.runEnds]) != .held)
        #expect(answer(of: check, to: Self.suspended + [frozen, SmallLog.runEnds]) == .held)
        #expect(answer(of: check, to: Self.resumed + [frozen, SmallLog.runEnds]) != .held)
    }

    @Test func `a terminated upload is thrown away, if the server can be told (L5, K1)`() {
        let resource = ResourceName("/api/uploads/1")
        let connection = ConnectionName(launch: 1, number: 2)
        let log =
            Self.begun + [
                .engine(
                    .sends(
                        TransferName(Self.entry), resource: resource, from: .zero,
                        on: ConnectionName(launch: 1, number: 1), bodyAt: .zero)),
                Self.asked(.terminate), Self.moves(.running, .cancelled),
            ]
        let opening = RunEvent.Fact.connection(
            .opening(connection, to: "docroot:80", by: Self.entry))
        func answer(_ status: Int) -> RunEvent.Fact {
            .connection(.response(connection, status: status, retryAfter: nil))
        }
        let lost = RunEvent.Fact.connection(
            .ended(connection, why: .reset, transmitted: .zero))
        func holds(_ facts: [RunEvent.Fact]) -> Bool {
            ChecksTests.answer(of: LeftoversAreReclaimed(), to: log + facts + [SmallLog.runEnds])
                == .held
        }
        #expect(!holds([]), "nobody has told the server")
        #expect(holds([opening, .server(.discarded(resource, why: "cancelled")), answer(204)]))
        #expect(!holds([opening, answer(204)]), "it has answered, and keeps it")
        #expect(holds([opening, answer(503)]))
        #expect(holds([opening, lost]))
        #expect(holds([SmallLog.killed]))
        // Only an app that has a network can tell the server.
        let path = { (interface: UInt16?, apps: [UInt16]?, device: UInt16?) in
            var terms = PathTerms(
                interface: interface, name: nil, isMetered: false, isLowData: false, alive: [])
            terms.apps = apps
            return RunEvent.Fact.network(.path(terms, device: device))
        }
        func holds(after networks: [RunEvent.Fact]) -> Bool {
            var all: [RunEvent.Fact] = log + [SmallLog.runEnds]
            all.insert(contentsOf: networks, at: log.count - 2)
            return ChecksTests.answer(of: LeftoversAreReclaimed(), to: all) == .held
        }
        #expect(holds(after: [path(nil, nil, nil)]))
        #expect(holds(after: [path(0, nil, nil), path(nil, [1], nil)]))
        #expect(holds(after: [path(0, [1], nil), path(nil, nil, nil)]))
        #expect(!holds(after: [path(nil, nil, nil), path(0, [1], nil)]))
        #expect(!holds(after: [path(0, nil, nil), path(nil, [2], nil), path(nil, [3], 2)]))
        // The transfer had left the upload earlier, because its source had changed, and the server
        // was told.
        let leaves = RunEvent.Fact.engine(
            .startsOver(TransferName(Self.entry), because: "its source has changed"))
        var left: [RunEvent.Fact] = log + [SmallLog.runEnds]
        left.insert(leaves, at: log.count - 2)
        #expect(ChecksTests.answer(of: LeftoversAreReclaimed(), to: left) == .held)
    }

    @Test func `a launch lists what has not ended, and nothing else (L5, K2)`() {
        func found(_ log: [RunEvent.Fact], _ held: [ItemName]) -> Bool {
            let launch = [SmallLog.killed, SmallLog.launched, .entries(.held(held))]
            let all = log + launch + [SmallLog.runEnds]
            return answer(of: LeftoversAreReclaimed(), to: all) == .held
        }
        #expect(found(Self.suspended, [Self.entry]))
        #expect(!found(Self.suspended, []))
        #expect(found(Self.terminated, []))
        #expect(!found(Self.terminated, [Self.entry]))
        let refused = RunEvent.Fact.store(.failed(reason: "the disk is full"))
        #expect(found(Self.terminated + [refused], [Self.entry]), "the store could not let go")
    }
}
