import Quantities
import RunLog
import Testing

@testable import Checks

@Suite struct NothingBlocksTheQueueTests {
    private let failed = SmallLog.told(1, .didDeactivate(.failed(code: 4, message: "no file")))

    @Test func `the next session comes soon after one that failed`() {
        var log = begun()
        log.add(failed)
        log.wait(.seconds(1))
        log.add(SmallLog.told(2, .willActivate))
        #expect(log.answer(of: NothingBlocksTheQueue()) == .held)
    }

    @Test func `a session that waits behind a failed one falls`() {
        var log = begun()
        log.add(failed)
        log.wait(.milliseconds(1_001))
        log.add(SmallLog.runEnds)
        #expect(
            log.answer(of: NothingBlocksTheQueue())
                == log.brokenAtLast(
                    expected: "session 2 has its turn within 1 s, because no session is active",
                    seen: "it still waits 1.001 s after session 1 has ended"))
    }

    @Test func `a dead app and a queue that stands owe nothing`() {
        for stop in [SmallLog.killed, .queue(.callback(ItemName(2), .willActivate))] {
            var log = begun()
            log.add(failed, stop)
            log.wait(.seconds(60))
            log.add(SmallLog.runEnds)
            #expect(log.answer(of: NothingBlocksTheQueue()) == .held)
        }
    }

    @Test func `an app that is suspended or out of time owes a turn once it is in front`() {
        let still: [RunEvent.Fact] = [
            .device(.appEntered(launch: 1, stage: .suspended, because: "nothing holds it")),
            .device(.taskExpires(launch: 1, task: 1, deadline: .start)),
        ]
        for fact in still {
            var log = begun()
            log.add(fact, SmallLog.told(1, .didDeactivate(.stopped(by: .expiry))))
            log.wait(.seconds(60))
            log.add(.device(.appEntered(launch: 1, stage: .active, because: "opened")))
            log.wait(.seconds(1))
            #expect(log.answer(of: NothingBlocksTheQueue()) == .held)
            log.wait(.milliseconds(1))
            log.add(SmallLog.runEnds)
            #expect(log.answer(of: NothingBlocksTheQueue()) != .held)
        }
    }

    @Test func `what the killed app had begun waits again in the next`() {
        var log = begun()
        log.add(SmallLog.killed, SmallLog.launched, .queue(.started))
        log.wait(.seconds(2))
        log.add(SmallLog.runEnds)
        #expect(
            log.answer(of: NothingBlocksTheQueue())
                == log.brokenAtLast(
                    expected: "session 1 has its turn within 1 s, because no session is active",
                    seen: "it still waits 2 s after the queue was started"))
    }

    @Test func `who waits for a network owes nothing before there is one that it may use`() {
        let paths: [(limits: NetworkLimits, path: PathTerms, owes: Bool)] = [
            (limits(cellular: false), path(1, isLowData: true), false),
            (limits(cellular: false), path(nil), false), (limits(cellular: false), path(0), true),
            (limits(metered: false), path(1, isMetered: true), false),
            (limits(metered: false), path(1), true),
            (limits(lowData: false), path(0, isLowData: true), false),
            (limits(lowData: false), path(1), true),
        ]
        for (limits, path, owes) in paths {
            var log = begun()
            let terms = InterfaceTerms(
                name: "cellular", isCellular: true, uplink: 2, downlink: 3, address: "192.0.2.3",
                radio: nil)
            log.add(
                .network(.interface(1, terms)), .engine(.isLimited(ItemName(2), limits)), failed,
                .engine(.waitsForNetwork(ItemName(2), because: "it may not use it")))
            log.wait(.seconds(60))
            log.add(.network(.path(path)))
            log.wait(.seconds(2))
            log.add(SmallLog.runEnds)
            #expect((log.answer(of: NothingBlocksTheQueue()) != .held) == owes, "\(limits) \(path)")
        }
    }

    private func limits(
        cellular: Bool = true, metered: Bool = true, lowData: Bool = true
    ) -> NetworkLimits {
        var limits: NetworkLimits = []
        if !cellular { limits.insert(.noCellular) }
        if !metered { limits.insert(.noMetered) }
        if !lowData { limits.insert(.noLowData) }
        return limits
    }

    private func path(
        _ interface: UInt16?, isMetered: Bool = false, isLowData: Bool = false
    ) -> PathTerms {
        PathTerms(
            interface: interface, name: interface.map { "network \($0)" }, isMetered: isMetered,
            isLowData: isLowData, alive: [])
    }

    @Test func `an app that was suspended hears of the network as it is when it goes on`() {
        func stage(_ stage: AppStage) -> RunEvent.Fact {
            .device(.appEntered(launch: 1, stage: stage, because: "the user opened it"))
        }
        for (last, owes) in [(path(nil), false), (path(0), true)] {
            var log = begun()
            log.add(
                failed, .engine(.waitsForNetwork(ItemName(2), because: "there is no network")),
                stage(.suspended))
            log.wait(.seconds(60))
            log.add(.network(.path(path(0))), .network(.path(last)), stage(.active))
            log.wait(.seconds(2))
            log.add(SmallLog.runEnds)
            #expect((log.answer(of: NothingBlocksTheQueue()) == .held) == !owes)
        }
    }

    @Test func `a queue that never ran is not applicable`() {
        #expect(
            TimedLog().answer(of: NothingBlocksTheQueue())
                == .notApplicable(because: "no session was activated"))
    }

    private func begun() -> TimedLog {
        var log = TimedLog()
        log.add(
            .device(.appLaunched(launch: 1)), .queue(.started), SmallLog.accepted(1),
            SmallLog.accepted(2), SmallLog.told(1, .willActivate))
        return log
    }
}
