import Quantities
import RunLog
import Testing

@testable import Checks

/// Checks of persistent sessions and their paths: a good log, and each way in which a log can be
/// bad.
@Suite struct PersistentChecksTests {
    private static let session = ItemName(1)
    private static let path = TransferName(path: 1, ofLaunch: 1)
    private static let other = TransferName(path: 2, ofLaunch: 1)

    private static let accepted: [RunEvent.Fact] = [
        .engine(.accepts(session, index: 0, [])), .engine(.isPersistent(session)),
    ]

    private static func added(
        _ path: TransferName = path, to destination: String = "in/video.mov"
    ) -> RunEvent.Fact {
        .queue(
            .pathAdded(
                session,
                AcceptedTransfer(
                    transfer: path, source: "video.mov", destination: destination)))
    }

    private static func told(_ callbacks: SessionCallback...) -> [RunEvent.Fact] {
        callbacks.map { .queue(.callback(session, $0)) }
    }

    private static let connecting: [SessionCallback] = [
        .willActivate, .didActivate, .willStartRunning, .didStartRunning,
    ]
    private static let connected = accepted + connecting.map { SmallLog.told($0) }
    private static let open =
        connected + [SmallLog.stage(.waiting, .running)] + told(.canAcceptPaths)
    private static let starts = SessionCallback.didStartFile(name: "video.mov")
    private static let stops = SessionCallback.didStopFile(name: "video.mov")
    private static let givenUp = RunEvent.Fact.engine(.givesUp(path, because: "the test says so"))
    private static let closing: [SessionCallback] = [
        .willStopRunning, .didStopRunning, .willDeactivate, .didDeactivate(.cancelled),
    ]

    // MARK: S9

    @Test func `files of a persistent session may interleave, one name twice, too (S9, P6)`() {
        let spans = Self.told(
            Self.starts, .didStartFile(name: "b"), Self.starts, Self.stops,
            SmallLog.progress(4, of: "b"), SmallLog.progress(5), .didStopFile(name: "b"),
            Self.stops)
        let end = Self.closing.map { SmallLog.told($0) }
        for log in [Self.open, Self.open + end, Self.open + spans + end] {
            #expect(answer(of: CallbacksFollowGrammar(), to: log) == .held)
        }
    }

    static let slips: [(log: [RunEvent.Fact], expected: String)] = [
        (connected + told(starts), "can accept paths"),
        (connected + told(.willStopRunning), "can accept paths"),
        (open + told(.canAcceptPaths), "the start of a file, or will stop running"),
        (open + told(stops), "the start of a file, or will stop running"),
        (
            open + told(starts, .willStopRunning),
            "the start of a file, or progress or the stop of a file under way"
        ),
        (
            open + told(starts, .didStopFile(name: "b")),
            "the start of a file, or progress or the stop of a file under way"
        ),
        (
            open + told(starts, starts, stops, stops, stops),
            "the start of a file, or will stop running"
        ),
    ]

    @Test(arguments: slips.indices) func `what is told otherwise falls (S9, P2)`(place: Int) {
        let (log, expected) = Self.slips[place]
        guard case .broken(let breach) = answer(of: CallbacksFollowGrammar(), to: log) else {
            Issue.record("not seen: \(expected)")
            return
        }
        #expect(breach.event == log.count - 1)
        #expect(breach.expected == "session 1: \(expected)")
    }

    @Test func `an ordinary session has one file at a time, and accepts no paths (S9)`() {
        let ordinary =
            [SmallLog.accepted()]
            + Self.connecting.map { SmallLog.told($0) }
        for last in [SessionCallback.canAcceptPaths, .didStartFile(name: "b")] {
            let log = ordinary + Self.told(Self.starts, last)
            guard case .broken(let breach) = answer(of: CallbacksFollowGrammar(), to: log) else {
                Issue.record("not seen: \(last)")
                continue
            }
            #expect(breach.event == log.count - 1)
        }
    }

    // MARK: S4

    @Test func `one that has ended accepts no paths (S4)`() {
        let log =
            Self.open
            + [SmallLog.stage(.running, .cancelled)] + Self.told(.canAcceptPaths)
        #expect(
            answer(of: TerminalStateIsFinal(), to: log)
                == broken(
                    at: log.count - 1,
                    expected: "no data callback of session 1 after it is cancelled",
                    seen: "session 1 can accept paths"))
    }

    // MARK: S5

    @Test func `one name that moves twice at once has no progress that could go back (S5)`() {
        let shared = Self.told(
            Self.starts, Self.starts, SmallLog.progress(60), SmallLog.progress(10), Self.stops,
            SmallLog.progress(80), Self.stops)
        #expect(answer(of: ProgressStaysInBounds(), to: Self.open + shared) == .held)
        // A later file with this name, moved alone, must not go back.
        let alone = shared + Self.told(Self.starts, SmallLog.progress(60), SmallLog.progress(10))
        guard case .broken(let breach) = answer(of: ProgressStaysInBounds(), to: Self.open + alone)
        else {
            Issue.record("not seen")
            return
        }
        #expect(breach.event == Self.open.count + alone.count - 1)
    }

    // MARK: S1, S2 and S8

    @Test func `what a path publishes is held to its source (S1)`() {
        let begun = Self.open + [SmallLog.stands(SmallLog.first), Self.added()]
        let half = begun + [SmallLog.published([SmallLog.range(SmallLog.first, 0..<50)])]
        let whole = begun + [SmallLog.published([SmallLog.range(SmallLog.first, 0..<100)])]
        let done = RunEvent.Fact.engine(.completes(Self.path))
        #expect(answer(of: PublishedEqualsOneSnapshot(), to: whole + [done]) == .held)
        for log in [half, begun + [done]] {
            guard case .broken(let breach) = answer(of: PublishedEqualsOneSnapshot(), to: log)
            else {
                Issue.record("not seen")
                continue
            }
            #expect(breach.event == log.count - 1)
        }
    }

    @Test func `a path is published once, and once more when it is added anew (S8)`() {
        let published = SmallLog.published([SmallLog.range(SmallLog.first, 0..<100)])
        let once = Self.open + [Self.added(), published]
        #expect(answer(of: PublishesOnce(), to: once) == .held)
        #expect(
            answer(of: PublishesOnce(), to: once + [Self.added(Self.other), published]) == .held)
        guard case .broken(let breach) = answer(of: PublishesOnce(), to: once + [published]) else {
            Issue.record("not seen")
            return
        }
        #expect(breach.expected == "in/video.mov is published once, once for each transfer to it")
    }

    @Test func `a path that resumes with another version of its source falls (S2)`() {
        // Size and date are unchanged: only the log knows that the file is another version.
        let inspected = RunEvent.Fact.engine(
            .inspected(Self.path, size: ByteCount(100), modified: 1))
        let log =
            Self.open + [
                SmallLog.stands(SmallLog.first), Self.added(), SmallLog.created(), inspected,
                .engine(
                    .sends(
                        Self.path, resource: SmallLog.upload, from: .zero, on: SmallLog.connection,
                        bodyAt: .zero)), SmallLog.stands(SmallLog.second), inspected,
                .engine(.resumes(Self.path, resource: SmallLog.upload, at: ByteCount(50))),
            ]
        guard case .broken(let breach) = answer(of: VersionsAreNeverJoined(), to: log) else {
            Issue.record("not seen")
            return
        }
        #expect(breach.event == log.count - 1)
    }

    // MARK: L1

    @Test func `an open session is where its user can act, and so are all behind it (L1)`() {
        let log = [SmallLog.begins(sessions: 2)] + Self.open + [SmallLog.accepted(2)]
        #expect(answer(of: EverySessionEnds(), to: log + [SmallLog.runEnds]) == .held)
        let retrying = log + [SmallLog.stage(.running, .retrying), SmallLog.runEnds]
        guard case .broken(let breach) = answer(of: EverySessionEnds(), to: retrying) else {
            Issue.record("not seen")
            return
        }
        #expect(breach.expected == "session 1 has completed or failed")
    }

    @Test func `a path that is under way when the run ends falls (L1)`() {
        let log = [SmallLog.begins(sessions: 1)] + Self.open + [Self.added()]
        #expect(
            answer(of: EverySessionEnds(), to: log + [SmallLog.runEnds])
                == broken(
                    at: log.count, expected: "path 1.1 has arrived or is given up",
                    seen: "it is still under way when the run ends: nothing was left to happen"))
    }

    static let ends: [[RunEvent.Fact]] = [
        [.engine(.completes(path))], [givenUp],
        // A path ends with its process (P4).
        [SmallLog.killed, SmallLog.launched, SmallLog.stage(.running, .waiting)]
            + told(.willActivate) + [SmallLog.stage(.waiting, .running)],
    ]

    @Test(arguments: ends.indices) func `a path that has come to its end is owed nothing (L1)`(
        place: Int
    ) {
        let log = [SmallLog.begins(sessions: 1)] + Self.open + [Self.added()] + Self.ends[place]
        #expect(answer(of: EverySessionEnds(), to: log + [SmallLog.runEnds]) == .held)
    }

    // MARK: L4 and S14

    @Test
    func `while it is open nobody is blocked by a fault, and nobody else is active (L4, S14)`() {
        let begun = [RunEvent.Fact.queue(.started)] + Self.open + [SmallLog.accepted(2)]
        #expect(answer(of: NothingBlocksTheQueue(), to: begun) == .held)
        let log = begun + [SmallLog.told(2, .willActivate)]
        #expect(
            answer(of: QueueKeepsOrder(), to: log)
                == broken(
                    at: log.count - 1,
                    expected: "session 1 is deactivated before another session is activated",
                    seen: "session 2 is activated beside it"))
    }

    /// A log that ends some seconds after an open session met an error and waits for 4 s.
    private static func retrying(endsAfter seconds: Int64) -> TimedLog {
        var log = TimedLog()
        for fact in accepted + [SmallLog.stage(.waiting, .running)] { log.add(fact) }
        log.add(
            .engine(.fails(session, code: 13, message: "control timeout", retryIn: .seconds(4))),
            SmallLog.stage(.running, .retrying))
        log.wait(.seconds(seconds))
        log.add(.run(.ended(.limit)))
        return log
    }

    @Test func `a session that is about to be open again is left to the user (L1)`() {
        #expect(Self.retrying(endsAfter: 3).answer(of: EverySessionEnds()) == .held)
    }

    @Test func `a session whose retry does not come has not ended (L1)`() {
        let log = Self.retrying(endsAfter: 5)
        #expect(
            log.answer(of: EverySessionEnds())
                == log.brokenAtLast(
                    expected: "session 1 has completed or failed",
                    seen: "session 1 is retrying when the run ends: the time limit was reached"))
    }
}
